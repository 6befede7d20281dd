import { join } from 'node:path'
import { type DuckDBType, type DuckDBValue, INTEGER, LIST, listValue, MAP, mapValue, STRUCT, structValue, VARCHAR, BOOLEAN } from '@duckdb/node-api'
import { COLUMNS, type Column, type Feed } from './columns.ts'
import type { Database } from './database.ts'
import type { FeedFile } from './discover.ts'
import { ABSENT, delimiterOf, type Layout, layOut } from './layout.ts'

/** A file as typed rows in one Parquet file of the staging folder, in its own order. */
export type StagedFile = FeedFile & {
  number: number
  staged: string
  rows_read: number
  quarantined: Record<string, number>
  dropped_values: { field: string; reason: string; count: number }[]
  ignored_columns: readonly string[]
  seconds: number
}

const STATEMENTS: Readonly<Record<Feed, string>> = {
  price_observations: 'stage-observations',
  product_catalogue: 'stage-catalogue',
  category_taxonomy: 'stage-taxonomy',
}

const byColumn = (type: DuckDBType): DuckDBType => STRUCT(Object.fromEntries(COLUMNS.map((column) => [column, type])))
const WORDS = MAP(VARCHAR, VARCHAR)
const MOST_PARTS = 8

const fileType = (headers: readonly string[]): DuckDBType =>
  STRUCT({
    number: INTEGER,
    path: VARCHAR,
    staged: VARCHAR,
    heading_lines: INTEGER,
    delimiter: VARCHAR,
    headers: STRUCT(Object.fromEntries(headers.map((key) => [key, VARCHAR]))),
    fields: VARCHAR,
    identity: LIST(VARCHAR),
    has_identity: BOOLEAN,
    breadcrumb: LIST(VARCHAR),
    has_breadcrumb: BOOLEAN,
    timezone: VARCHAR,
    timestamp_format: VARCHAR,
    price_scale: VARCHAR,
    list_price_scale: VARCHAR,
  })

const filled = (read: (column: Column) => DuckDBValue): DuckDBValue =>
  structValue(Object.fromEntries(COLUMNS.map((column) => [column, read(column)])))

const parts = (names: readonly string[]): DuckDBValue =>
  listValue(Array.from({ length: MOST_PARTS }, (_, at) => names[at] ?? ABSENT))

/** Whole numbers in Parquet are cents; everything else is in units of the currency. */
const scaleOf = ({ format, description }: FeedFile, { found, sources }: Layout, column: 'price' | 'list_price'): string => {
  const type = found.find(({ key }) => key === sources[column])?.type ?? ''
  if (format === 'parquet' && /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(type)) return 'cents'
  return description.price_text ? 'printed' : 'units'
}

/** Describes a file to the statements that read it, through the variable `file`. */
const introduce = async (database: Database, file: FeedFile, number: number, staged: string, layout: Layout) => {
  const { path, format, description } = file
  const { constants = {}, values = {} } = description
  const { sources, identity, breadcrumb } = layout
  const headers = format === 'csv' ? layout.found.map(({ key }) => key) : [ABSENT]
  const fields = [...new Set([...Object.values(sources), ...identity, ...breadcrumb, ABSENT])]
  const value = structValue({
    number,
    path,
    staged,
    heading_lines: format === 'csv' ? 1 : 0,
    delimiter: delimiterOf(file),
    headers: structValue(Object.fromEntries(headers.map((key) => [key, 'VARCHAR']))),
    fields: JSON.stringify(Object.fromEntries(fields.map((key) => [key, 'VARCHAR']))),
    identity: parts(identity),
    has_identity: identity.length > 0,
    breadcrumb: parts(breadcrumb),
    has_breadcrumb: breadcrumb.length > 0,
    timezone: description.timezone ?? null,
    timestamp_format: description.timestamp_format ?? null,
    price_scale: scaleOf(file, layout, 'price'),
    list_price_scale: scaleOf(file, layout, 'list_price'),
  })
  await database.set('file', value, fileType(headers))
  await database.set('sources', filled((column) => sources[column]), byColumn(VARCHAR))
  await database.set('constants', filled((column) => constants[column] ?? null), byColumn(VARCHAR))
  await database.set('vocabulary', filled((column) => mapOf(values[column])), byColumn(WORDS))
}

const mapOf = (words: Record<string, string> | undefined): DuckDBValue =>
  words ? mapValue(Object.entries(words).map(([key, value]) => ({ key, value }))) : null

/** Reads one file into `folder`: every row typed, with the first rule it breaks, which goes to the quarantine. */
export const stage = async (database: Database, file: FeedFile, number: number, folder: string): Promise<StagedFile> => {
  const start = performance.now()
  const staged = join(folder, `${file.feed}-${number}.parquet`)
  const layout = await layOut(database, file)
  await introduce(database, file, number, staged, layout)
  await database.run(`read-${file.format}`)
  await database.run('stated')
  await database.run(STATEMENTS[file.feed])
  await database.run(file.format === 'parquet' ? 'no-rejected' : 'rejected')
  await database.run('quarantine')
  const { rows } = await database.row<{ rows: number }>('staged-rows')
  const { rejected } = await database.row<{ rejected: number }>('rejected-rows')
  return {
    ...file,
    number,
    staged,
    rows_read: rows + rejected,
    quarantined: {},
    dropped_values: await database.rows('staged-dropped'),
    ignored_columns: layout.ignored,
    seconds: (performance.now() - start) / 1000,
  }
}

const NOTHING: Layout = {
  found: [],
  sources: Object.fromEntries(COLUMNS.map((column) => [column, ABSENT])) as Record<Column, string>,
  identity: [],
  breadcrumb: [],
  ignored: [],
}

/** Stages a file without rows for a feed: later steps read each feed's folder, whether or not it holds a file. */
export const stageNothing = async (database: Database, feed: Feed, folder: string): Promise<void> => {
  const file: FeedFile = { feed, name: '', path: '', bytes: 0, format: 'jsonl', description: {} }
  await introduce(database, file, 0, join(folder, `${feed}-0.parquet`), NOTHING)
  await database.run('read-nothing')
  await database.run('stated')
  await database.run(STATEMENTS[feed])
}
