import { type AnyQuery, headlineOf, readableLine, shortened, textOf } from '../../engine/index.ts'

type AskResult = {
  query: string
  answer: Record<string, unknown>
  rows?: Record<string, string>
  paid?: { amount_usd: number }
}

/** The main figure with its title and the row that it is from: `Share 18.18% of Wilwood`; empty without one. */
const figureText = (query: AnyQuery, answer: AskResult['answer']): string => {
  const { field, value = null, row } = headlineOf(query, answer) ?? {}
  if (!field || value === null) return ''
  const text = `${field.title} ${textOf(value, field, { face: 'plain', currency: answer.currency, hasUnit: true })}`
  return row ? `${text} of ${row.value}` : text
}

/** A result in a line for people: its main figure, what was cut and what was paid. */
export const resultLine = (query: AnyQuery, { query: id, answer, rows = {}, paid }: AskResult): string => {
  const cuts = Object.entries(rows).map(([list, note]) => `${list}: ${note}`)
  const parts = [figureText(query, answer), ...cuts, paid ? `paid ${paid.amount_usd} USD` : ''].filter(Boolean)
  return shortened(readableLine([id, parts.join('; ')].filter(Boolean).join(': ')))
}
