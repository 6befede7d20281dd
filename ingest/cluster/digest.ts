/** A column of a table in ClickHouse. */
export type ClusterColumn = { name: string; type: string }

/** The sum over a column that both engines compute alike, by type: in DuckDB and in ClickHouse. */
const SUMS: readonly (readonly [
  type: RegExp,
  duckdb: (name: string) => string,
  clickhouse: (name: string) => string,
])[] = [
  [/Bool/, (name) => `count_if(${name})`, (name) => `countIf(${name})`],
  [/DateTime/, (name) => `sum(epoch_us(${name}))`, (name) => `sum(toInt128(toUnixTimestamp64Micro(${name})))`],
  [/Date/, (name) => `sum(${name} - DATE '1970-01-01')`, (name) => `sum(toInt128(toInt32(${name})))`],
  [/String/, (name) => `sum(strlen(${name}))`, (name) => `sum(toInt128(length(${name})))`],
  [/Decimal/, (name) => `sum((100 * ${name})::BIGINT)`, (name) => `sum(toInt128(100 * ${name}))`],
  [/Int/, (name) => `sum(${name})`, (name) => `sum(toInt128(${name}))`],
]

/**
 * Expressions whose value shows whether two engines have the same rows: of each column, how many values there are and their
 * sum, of texts the sum of their lengths.
 */
export const digestSql = (columns: readonly ClusterColumn[]) => {
  const sums = columns.map(({ name, type }) => {
    const [, duckdb, clickhouse] = SUMS.find(([pattern]) => pattern.test(type))!
    return { name, duckdb: duckdb(name), clickhouse: clickhouse(name) }
  })
  const duckdb = sums.map((of) => `count(${of.name}), coalesce(${of.duckdb}, 0)::HUGEINT`)
  const clickhouse = sums.map((of) => `toString(count(${of.name})), toString(ifNull(${of.clickhouse}, 0))`)
  return { duckdb: `concat_ws(' ', ${duckdb.join()})`, clickhouse: `concat_ws(' ', ${clickhouse.join()})` }
}
