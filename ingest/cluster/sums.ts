import { join } from 'node:path'
import { type Manifest, type ManifestFile, SHARD_TABLES } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { literal } from '../feeds/sql-text.ts'
import { filesOf, folderColumns } from './tables.ts'

/** The sum over a column that both engines compute alike, by type: in DuckDB and in ClickHouse. Texts are summed by their MD5. */
const SUMS: readonly (readonly [
  type: RegExp,
  duckdb: (name: string) => string,
  clickhouse: (name: string) => string,
])[] = [
  [/bool/i, (name) => `count_if(${name})`, (name) => `countIf(${name})`],
  [
    /datetime|timestamp/i,
    (name) => `sum(epoch_us(${name}))`,
    (name) => `sum(toInt128(toUnixTimestamp64Micro(${name})))`,
  ],
  [/date/i, (name) => `sum(${name} - DATE '1970-01-01')`, (name) => `sum(toInt128(toInt32(${name})))`],
  [
    /string|varchar/i,
    (name) => `sum(md5_number_lower(${name}))`,
    (name) => `sum(toInt128(reinterpretAsUInt64(substring(MD5(toString(${name})), 9))))`,
  ],
  [/decimal/i, (name) => `sum((100 * ${name})::BIGINT)`, (name) => `sum(toInt128(100 * ${name}))`],
  [/int/i, (name) => `sum(${name})`, (name) => `sum(toInt128(${name}))`],
]

/** A column of a table, with its type in one of the engines. */
export type TypedColumn = { name: string; type: string }

const sumOf = ({ name, type }: TypedColumn, engine: 1 | 2): string =>
  SUMS.find(([pattern]) => pattern.test(type))![engine](name)

/** How many values a column has, and their sum, as a text. */
export const columnSumSql = (column: TypedColumn): string =>
  `concat(toString(count(${column.name})), ' ', toString(ifNull(${sumOf(column, 2)}, 0)))`

type SummedRow = { filename: string } & Record<string, string>

const sumTable = async (database: Database, folder: string, paths: readonly string[]) => {
  const inPath = Object.keys(folderColumns(paths[0]!))
  const files = `[${paths.map((path) => literal(join(folder, path))).join()}]`
  const source = `read_parquet(${files}, hive_partitioning = false, filename = true)`
  const described = await database.execute<TypedColumn>(
    `SELECT column_name AS name, column_type AS type FROM (DESCRIBE FROM ${source})`,
  )
  const sums = described
    .filter(({ name }) => name !== 'filename' && !inPath.includes(name))
    .map((column) => `concat(count(${column.name}), ' ', coalesce(${sumOf(column, 1)}, 0)::HUGEINT) AS ${column.name}`)
  const rows = await database.execute<SummedRow>(`SELECT filename, ${sums.join()} FROM ${source} GROUP BY filename`)
  const summed = new Map(rows.map(({ filename, ...columns }) => [filename, columns]))
  return paths.map((path) => [path, summed.get(join(folder, path)) ?? {}] as const)
}

/** Whether a manifest has the sums of all files that clusters load: those of earlier releases have not. */
export const isSummed = ({ files }: Manifest): boolean =>
  SHARD_TABLES.every((table) => filesOf(files, table).every(({ rows, sums }) => rows === 0 || sums !== undefined))

export type FileSums = NonNullable<ManifestFile['sums']>

/**
 * Sums of the columns of those files in a folder that clusters load, by path, but of files linked from a snapshot whose
 * manifest has them.
 */
export const sumFiles = async (
  database: Database,
  folder: string,
  files: readonly { path: string; isNew: boolean }[],
  previous: Manifest | null,
): Promise<Record<string, FileSums>> => {
  const summed = new Set(previous?.files.flatMap(({ path, sums }) => (sums ? [path] : [])))
  const wanted = files.filter(({ path, isNew }) => isNew || !summed.has(path))
  const entries: (readonly [string, FileSums])[] = []
  for (const table of SHARD_TABLES) {
    const paths = filesOf(wanted, table).map(({ path }) => path)
    if (paths.length > 0) entries.push(...(await sumTable(database, folder, paths)))
  }
  return Object.fromEntries(entries)
}
