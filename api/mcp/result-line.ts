import { type AnyQuery, readableLine, sentenceOf, shortened } from '../../engine/index.ts'

type AskResult = {
  query: string
  answer: Record<string, unknown>
  rows?: Record<string, string>
  paid?: { amount_usd: number }
}

/** A result in a line for people: its main figure, what was cut and what was paid. */
export const resultLine = (query: AnyQuery, { query: id, answer, rows = {}, paid }: AskResult): string => {
  const cuts = Object.entries(rows).map(([list, note]) => `${list}: ${note}`)
  const { about, value, place } = sentenceOf(query, answer, 'plain') ?? {}
  const parts = [
    [about, value, place].filter(Boolean).join(' '),
    ...cuts,
    paid ? `paid ${paid.amount_usd} USD` : '',
  ].filter(Boolean)
  return shortened(readableLine([id, parts.join('; ')].filter(Boolean).join(': ')))
}
