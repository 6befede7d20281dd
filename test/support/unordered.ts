type Row = Record<string, unknown>

const isListOfValues = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null)

/** Parallel lists of one length with their entries sorted together. */
const sortTogether = (lists: readonly (readonly [name: string, values: unknown[]])[]): Row => {
  const entries = (lists[0]?.[1] ?? []).map((_, i) => lists.map(([, values]) => values[i]))
  const sorted = entries.map((entry) => [JSON.stringify(entry), entry] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(lists.map(([name], index) => [name, sorted.map(([, entry]) => entry[index])]))
}

const isRow = (value: unknown): value is Row => value?.constructor === Object

/** A group of counts, with the lists of them sorted; groups are sorted too. */
const sortedValue = (value: unknown): unknown => {
  if (isRow(value)) return sortedRow(value)
  if (!Array.isArray(value) || !value.every((entry) => isRow(entry) && Object.values(entry).some(isListOfValues)))
    return value
  return value.map(sortedRow).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

const sortedRow = (row: Row): Row => {
  const lists = Object.entries(row).filter((column): column is [string, unknown[]] => isListOfValues(column[1]))
  const lengths = new Set(lists.map(([, { length }]) => length))
  const others = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sortedValue(value)]))
  return Object.assign(
    others,
    ...[...lengths].map((length) => sortTogether(lists.filter(([, values]) => values.length === length))),
  )
}

/** Rows whose parallel lists of counts, which statements give in any order, have their entries sorted. */
export const withSortedCounts = (rows: readonly Row[]): Row[] => rows.map(sortedRow)
