import { type AnyCount, type Counted, groupsOf, type Reads } from '../../engine/counts/count.ts'
import type { Row } from '../../engine/duckdb/pool.ts'

type CountedColumns = Readonly<Record<string, Float64Array>>

const isCounted = (read: unknown): read is Counted => typeof read === 'object' && read !== null && 'tally' in read

const byText = (a: unknown, b: unknown): number => {
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)]
  return first < second ? -1 : Number(first > second)
}

const rowAt = (columns: CountedColumns, group: number): Record<string, number> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[group]!]))

/** Sums of a group; those of logs, which are kept in two parts, as one. */
const sumsAt = ({ sum, long }: Counted, group: number): Row =>
  Object.fromEntries(
    Object.entries<Float64Array>(sum).flatMap(([name, column]): [string, unknown][] => {
      if (name.endsWith('.low')) return []
      if (!name.endsWith('.high')) return [[name, column[group]!]]
      const whole = name.replace('.high', '')
      return [[whole, String(long(whole as never, group))]]
    }),
  )

/** The values of a group with their counts, in order, each once. */
const valuesAt = ({ tally }: Counted, group: number): [value: number, n: number][] => {
  const { values, counts } = tally(group)
  const sums = new Map<number, number>()
  for (const [i, value] of values.entries()) sums.set(value, (sums.get(value) ?? 0) + counts[i]!)
  return [...sums].sort(([a], [b]) => a - b)
}

/** What a declaration counted as plain data: groups in an order of their own. */
const plainCounts = (counted: Counted, { median }: AnyCount): Row[] =>
  groupsOf(counted)
    .map((group) => ({
      key: rowAt(counted.key, group),
      n: counted.n[group],
      sum: sumsAt(counted, group),
      min: rowAt(counted.min, group),
      max: rowAt(counted.max, group),
      ...(median === undefined ? { values: valuesAt(counted, group) } : { median: counted.median(group) }),
    }))
    .sort(byText)

/** What was read by declarations as plain data, equal for equal counts and rows, in whatever order groups are. */
export const plainReads = (reads: Reads, read: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(read).map(([name, of]) => [name, isCounted(of) ? plainCounts(of, reads[name] as AnyCount) : of]),
  )

/** The same as text. */
export const canonicalText = (reads: Reads, read: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(plainReads(reads, read), (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
