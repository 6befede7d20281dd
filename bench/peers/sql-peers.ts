import { DuckDBInstance } from '@duckdb/node-api'
import { TRIM_PERCENT } from '../trim.ts'
import type { Figures, Peer, PeerSource } from './statistics.ts'
import { SHARES, statementOf } from './statistics.ts'

/** Rows of numbers, some in lists. */
const flat = (rows: readonly unknown[][]): Figures => rows.map((row) => row.flat().map(Number))

export const openDuckDBPeer = async (source: PeerSource): Promise<Peer> => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const prepared = new Map<string, Awaited<ReturnType<typeof connection.prepare>>>()
  const dialect = {
    file: (path: string) => `read_parquet('${path}', hive_partitioning = false)`,
    quantiles: `quantile_cont(price, [${SHARES.join(', ')}])`,
    date: (day: string) => `DATE '${day}'`,
    trimmed: (pairs: string) => `WITH pair AS (${pairs}), sorted AS (SELECT list_sort(list(log)) AS logs FROM pair),
      tail AS (SELECT logs, greatest(1, len(logs) * ${TRIM_PERCENT} // 100) AS cut FROM sorted)
      SELECT len(logs), list_avg(logs[cut + 1 : len(logs) - cut]) FROM tail`,
  }
  return {
    name: 'DuckDB',
    run: async (statistic, scope) => {
      const sql = statementOf(dialect, source, statistic, scope)
      const statement = prepared.get(sql) ?? (await connection.prepare(sql))
      prepared.set(sql, statement)
      return flat((await statement.runAndReadAll()).getRowsJS() as unknown[][])
    },
    close: () => connection.closeSync(),
  }
}

type ChDB = { query: (sql: string, format: string) => string }

export const openChDB = (module: unknown, source: PeerSource): Peer => {
  const { query } = module as ChDB
  const dialect = {
    file: (path: string) => `file('${path}', 'Parquet')`,
    quantiles: `quantilesExactInclusive(${SHARES.join(', ')})(assumeNotNull(price))`,
    date: (day: string) => `toDate32('${day}')`,
    trimmed: (pairs: string) => `SELECT length(logs), arrayAvg(arraySlice(logs, 1 + cut, length(logs) - 2 * cut))
      FROM (SELECT arraySort(groupArray(assumeNotNull(log))) AS logs, greatest(1, intDiv(length(logs) * ${TRIM_PERCENT}, 100)) AS cut FROM (${pairs}))`,
  }
  return {
    name: 'chdb',
    run: (statistic, scope) => {
      const text = query(statementOf(dialect, source, statistic, scope), 'JSONCompactEachRow')
      return flat(JSON.parse(`[${text.trim().split('\n').join(',')}]`))
    },
  }
}
