import { join } from 'node:path'
import { z } from 'zod'
import { type Database, query } from '../database.ts'
import { globOf } from '../glob.ts'
import { type Feed, observedAttributes } from './columns.ts'
import { listOf, literal } from './sql-text.ts'

/** The macro that checks the rows of each feed, and the step that defines it. */
export const CHECKS: Readonly<Record<Feed, string>> = {
  price_observations: 'checked_observations',
  product_catalogue: 'checked_catalogue',
  category_taxonomy: 'checked_taxonomy',
  browse_nodes: 'checked_browse_nodes',
  social_posts: 'checked_posts',
  official_series: 'checked_official',
}

const COUNT_OBSERVATIONS = query(
  import.meta.url,
  'counts#count-observations',
  z.object({ file: z.int(), rows: z.number(), months: z.int(), faults: z.number() }),
)
const COUNT_ROWS = query(import.meta.url, 'counts#count-rows', z.object({ faults: z.number() }))

/** A relation of the checked rows of a source, as a FROM clause names it. */
export const checkedRows = (feed: Feed, source: string): string => `${CHECKS[feed]}(${literal(source)})`

/** The path that the rows of a file are copied to: one file, or a folder of observations by country and month. */
export const stagedPath = (feed: Feed, number: number, folder: string, isPartitioned = false): string =>
  join(folder, isPartitioned ? `observations-${number}` : `${feed}-${number}.parquet`)

/** Valid rows need no number, which would be as expensive to write as a price. */
const REFUSED_NUMBERED = '* EXCLUDE (is_sound) REPLACE (CASE WHEN NOT is_sound THEN row END AS row)'

/** Keys and times have many values: building dictionaries for them would take a quarter of the writing time. */
const MAX_DICTIONARY_SIZE = 1000

const copy = async (database: Database, columns: string, rows: string, to: string, options = ''): Promise<number> => {
  const [copied] = await database.execute<{ Count: bigint }>(
    `COPY (SELECT ${columns} FROM ${rows}) TO ${literal(to)}
     (FORMAT parquet, ${options}COMPRESSION lz4_raw, DICTIONARY_SIZE_LIMIT ${MAX_DICTIONARY_SIZE})`,
  )
  return Number(copied!.Count)
}

/** Copies checked rows to one file; returns how many. */
export const copyRows = (database: Database, feed: Feed, rows: string, to: string): Promise<number> =>
  copy(database, feed === 'price_observations' ? REFUSED_NUMBERED : '*', rows, to)

/** Copies checked observations to a folder, by country and month; returns how many. */
export const copyMonths = (database: Database, rows: string, to: string): Promise<number> =>
  copy(database, REFUSED_NUMBERED, rows, to, 'PARTITION_BY (country, month), ')

/** The number of rows that show how a file is sorted. */
const SAMPLE_ROWS = 4000

/**
 * Whether rows of several months are interleaved. If not, each month is in a few row groups of a copy, which are found
 * as fast by their bounds as a separate file; writing one file takes two thirds of the time of many.
 */
export const areMonthsMixed = async (database: Database, rows: string): Promise<boolean> => {
  const [sample] = await database.execute<{ months: number }>(
    `SELECT count(DISTINCT (country, month))::INTEGER AS months
     FROM (SELECT country, month FROM ${rows} LIMIT ${SAMPLE_ROWS}) WHERE month > 0`,
  )
  return sample!.months > 2
}

const partitions = (globs: readonly string[]): string =>
  `(SELECT *, month > 0 AS is_sound FROM read_parquet(${listOf(globs)}, union_by_name = true,
    hive_partitioning = true, hive_types = {'country': VARCHAR, 'month': INTEGER}))`

/** The relation of all observations that were copied to a staging folder. */
export const copiedObservations = (folder: string): string =>
  partitions([join(globOf(folder), 'observations-*/*/*/*.parquet')])

/**
 * The relation of observations of a country that were copied: of some months, each from a batch with such rows, by the number
 * of the batch.
 */
export const copiedPlaces = (
  folder: string,
  country: string,
  places: readonly { number: number; month: number }[],
): string =>
  partitions(
    places.map(({ number, month }) =>
      join(
        globOf(stagedPath('price_observations', number, folder, true)),
        `country=${country}/month=${month}/*.parquet`,
      ),
    ),
  )

/** The relation of no observations, with every column of them. */
export const NO_OBSERVATIONS = '(FROM no_rows_of_price_observations WHERE false)'

/** The relation of observations that were copied by country and month; without rows there is no file to read. */
export const copiedMonths = (to: string, count: number): string =>
  count > 0 ? partitions([`${globOf(to)}/*/*/*.parquet`]) : NO_OBSERVATIONS

/** The relation of rows that were copied to one file. */
export const copiedRows = (feed: Feed, to: string): string =>
  feed === 'price_observations'
    ? `(SELECT *, month > 0 AS is_sound FROM read_parquet(${literal(globOf(to))}, hive_partitioning = false))`
    : `read_parquet(${literal(globOf(to))})`

/** Names a relation of rows as a view; that of a batch is `rows_N`, after its first file. */
export const defineRows = async (database: Database, view: string, rows: string): Promise<string> => {
  await database.execute(`CREATE OR REPLACE TEMP VIEW ${view} AS SELECT * FROM ${rows}`)
  return view
}

/** Reads a relation into a table: planning a table is many times faster than planning the rules of its feed. */
export const loadRows = async (database: Database, table: string, rows: string): Promise<string> => {
  await database.execute(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM ${rows}`)
  return table
}

export type RowCount = { file: number; rows: number; months: number; faults: number }

/**
 * Checked rows of observations: the relation of them, their format, the number of their first file, and its columns.
 */
type Observations = { rows: string; format: 'parquet' | 'text'; number: number; columns: readonly string[] }

/**
 * Counts rows of observations in `cell`, and writes when each listing was last observed to the staging folder; returns
 * the rows, months and faults of each file.
 */
export const countObservations = async (
  database: Database,
  { rows, format, number, columns }: Observations,
  folder: string,
): Promise<RowCount[]> => {
  const source = { rows, format, sightings_to: join(folder, `sightings-${number}.parquet`) }
  await database.set({ source, observed_attributes: observedAttributes(columns) })
  return database.rows(COUNT_OBSERVATIONS)
}

/** Counts the rows of a file of another feed in `cell`, and returns how many break a rule. */
export const countFaults = async (
  database: Database,
  number: number,
  rows: string,
  format: 'parquet' | 'text',
): Promise<number> => {
  await database.set({ source: { rows, format, file: String(number) } })
  return (await database.row(COUNT_ROWS)).faults
}
