import { type AnyQuery, describedFields } from '../../engine/index.ts'

/** The value at a path; of a list that of its first entry. */
const valueAt = (value: unknown, path: string): unknown => {
  const names = path.replaceAll('[]', '').split('.')
  return names.reduce<unknown>((inner, name) => {
    const record = Array.isArray(inner) ? inner[0] : inner
    return (record as Record<string, unknown> | null | undefined)?.[name]
  }, value)
}

type AskResult = {
  query: string
  answer: Record<string, unknown>
  rows?: Record<string, string>
  paid?: { amount_usd: number }
}

/** A result in a line for people: its main figures, what was cut and what was paid. */
export const headlineOf = (query: AnyQuery, { query: id, answer, rows = {}, paid }: AskResult): string => {
  const figures = describedFields(query).flatMap(({ path, unit, isHeadline }) => {
    const value = isHeadline ? valueAt(answer, path) : undefined
    return ['string', 'number', 'boolean'].includes(typeof value) ? [`${path} ${value}${unit ? ` (${unit})` : ''}`] : []
  })
  const cuts = Object.entries(rows).map(([path, note]) => `${path}: ${note}`)
  const parts = [...figures, ...cuts, ...(paid ? [`paid ${paid.amount_usd} USD`] : [])]
  return [id, parts.join('; ')].filter(Boolean).join(': ')
}
