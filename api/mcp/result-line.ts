import { type AnyQuery, type Headline, headlineOf } from '../../engine/index.ts'

type AskResult = {
  query: string
  answer: Record<string, unknown>
  rows?: Record<string, string>
  paid?: { amount_usd: number }
}

/** A figure with its unit, and the row that it is from: `brands[].share_pct 18.18 (percent) of Wilwood`. */
const figureText = ({ field: { path, unit }, value, row }: Headline): string =>
  value === null ? '' : `${path} ${value}${unit ? ` (${unit})` : ''}${row ? ` of ${row.value}` : ''}`

/** A result in a line for people: its main figure, what was cut and what was paid. */
export const resultLine = (query: AnyQuery, { query: id, answer, rows = {}, paid }: AskResult): string => {
  const headline = headlineOf(query, answer)
  const figure = headline ? figureText(headline) : ''
  const cuts = Object.entries(rows).map(([list, note]) => `${list}: ${note}`)
  const parts = [figure, ...cuts, paid ? `paid ${paid.amount_usd} USD` : ''].filter(Boolean)
  return [id, parts.join('; ')].filter(Boolean).join(': ')
}
