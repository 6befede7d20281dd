type Row = Record<string, unknown>

const isListOfValues = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null)

/** Parallel lists of one length with their entries sorted together. */
const sortTogether = (lists: readonly (readonly [name: string, values: unknown[]])[]): Row => {
  const entries = (lists[0]?.[1] ?? []).map((_, i) => lists.map(([, values]) => values[i]))
  const sorted = entries.map((entry) => [JSON.stringify(entry), entry] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(lists.map(([name], at) => [name, sorted.map(([, entry]) => entry[at])]))
}

const sortedRow = (row: Row): Row => {
  const lists = Object.entries(row).filter((column): column is [string, unknown[]] => isListOfValues(column[1]))
  const lengths = new Set(lists.map(([, { length }]) => length))
  const inner = Object.entries(row).flatMap(([name, value]) =>
    value?.constructor === Object ? [[name, sortedRow(value as Row)] as const] : [],
  )
  return Object.assign(
    { ...row, ...Object.fromEntries(inner) },
    ...[...lengths].map((length) => sortTogether(lists.filter(([, values]) => values.length === length))),
  )
}

/** Rows whose parallel lists of counts, which statements give in any order, have their entries sorted. */
export const withSortedCounts = (rows: readonly Row[]): Row[] => rows.map(sortedRow)
