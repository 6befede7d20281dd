import type { Row } from '../../engine/pool.ts'

/** Lists of a row that are parallel to each other and not to its other lists, which may be as long. */
const APART: readonly string[] = ['brand_ids', 'retailer_ids', 'brand_listings']

const isRow = (value: unknown): value is Row => value?.constructor === Object

const isListOfValues = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null)

const byText = (a: unknown, b: unknown): number => {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  return left < right ? -1 : Number(left > right)
}

/** The entries of parallel lists as a multiset: one sorted list of tuples under the names of all. */
const together = (row: Row, names: readonly string[]): Row => {
  const lists = names.map((name) => row[name] as unknown[])
  const [first = []] = lists
  if (lists.some(({ length }) => length !== first.length))
    throw new Error(`${names.join(', ')}: lists of unequal length`)
  return { [names.join()]: first.map((_, i) => lists.map((list) => canonical(list[i]))).sort(byText) }
}

const rowOf = (row: Row): Row => {
  const names = Object.keys(row).sort()
  const lists = names.filter((name) => isListOfValues(row[name]))
  const families = [lists.filter((name) => APART.includes(name)), lists.filter((name) => !APART.includes(name))]
  const others = names.filter((name) => !lists.includes(name)).map((name) => [name, canonical(row[name])] as const)
  return Object.assign(
    Object.fromEntries(others),
    ...families.filter(({ length }) => length > 0).map((family) => together(row, family)),
  )
}

const canonical = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`
  if (isRow(value)) return rowOf(value)
  // Groups of counts have no order either.
  if (Array.isArray(value)) return value.map(canonical).sort(byText)
  return value
}

/** The rows of a query as text: equal for equal rows, in whatever order the lists of their counts are. */
export const canonicalText = (rows: readonly Row[]): string => JSON.stringify(rows.map(rowOf))
