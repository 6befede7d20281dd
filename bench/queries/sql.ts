import { existsSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { LISTINGS_PER_BLOCK } from '../../engine/index.ts'

/** Columns of a result by name; whole numbers and times are numbers, dates `YYYY-MM-DD` where the SQL makes them text. */
export type SqlColumns = Record<string, unknown[]>

/** Statements that are prepared once and run side by side, each on a connection of its own. */
export type Prepared = (values?: Record<string, number>) => Promise<SqlColumns[]>

/** A DuckDB of its own, as one would use for SQL written by hand. */
export const openSql = async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connections: Awaited<ReturnType<typeof instance.connect>>[] = []
  const connection = async (i: number) => (connections[i] ??= await instance.connect())
  return {
    /** Prepares statements; `$name::TYPE` placeholders take numbers. */
    prepare: async (statements: readonly string[]): Promise<Prepared> => {
      const prepared = await Promise.all(statements.map(async (sql, i) => (await connection(i)).prepare(sql)))
      return (values = {}) =>
        Promise.all(
          prepared.map(async (statement) => {
            for (const [name, value] of Object.entries(values))
              statement.bindDouble(statement.parameterIndex(name), value)
            return (await statement.runAndReadAll()).getColumnsObjectJS() as SqlColumns
          }),
        )
    },
    close: () => {
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}
export type Sql = Awaited<ReturnType<typeof openSql>>

/** The bindings of a plan: ids, days and limits that a floor's SQL names literally. */
export type Values = Record<string, string | number | boolean | null>

const monthsBetween = (first: string, last: string): string[] => {
  const months: string[] = []
  for (
    const day = new Date(`${first}-01`);
    day.toISOString().slice(0, 7) <= last;
    day.setUTCMonth(day.getUTCMonth() + 1)
  )
    months.push(day.toISOString().slice(0, 7))
  return months
}

const readFiles = (files: readonly string[]): string =>
  `read_parquet([${files
    .filter(existsSync)
    .map((file) => `'${file}'`)
    .join(', ')}], hive_partitioning = false)`

const yearsBetween = (from: string, to: string): string[] => [
  ...new Set(monthsBetween(from, to).map((month) => month.slice(0, 4))),
]

/** The blocks of listing_days that have some listings. */
const blocksOf = (listing_ids: string): number[] => [
  ...new Set(listing_ids.split(',').map((id) => Math.floor(Number(id) / LISTINGS_PER_BLOCK))),
]

/** The very files of a snapshot that a statement needs. */
export const filesOf = (snapshot: string, { country, month_from, month_to, listing_ids }: Values) => ({
  listings: readFiles([`${snapshot}/listings/country=${country}/part-0.parquet`]),
  shelfDays: readFiles([`${snapshot}/shelf_days/country=${country}/part-0.parquet`]),
  sizes: readFiles([`${snapshot}/listing_sizes.parquet`]),
  brands: readFiles([`${snapshot}/brands.parquet`]),
  retailers: readFiles([`${snapshot}/retailers.parquet`]),
  categories: readFiles([`${snapshot}/categories.parquet`]),
  officialFigures: readFiles([`${snapshot}/official_figures.parquet`]),
  everyListing: `read_parquet('${snapshot}/listings/*/*.parquet', hive_partitioning = true)`,
  everyShelfDay: `read_parquet('${snapshot}/shelf_days/*/*.parquet', hive_partitioning = true)`,
  /** Observations, or their times, of the months of the window, or of others. */
  months: (table: 'observations' | 'observation_times', first = String(month_from), last = String(month_to)): string =>
    readFiles(
      monthsBetween(first, last).map(
        (month) => `${snapshot}/${table}/country=${country}/month=${month}/part-0.parquet`,
      ),
    ),
  /** The observations of the queried listings, of the years of the window. */
  listingDays: (): string =>
    readFiles(
      yearsBetween(String(month_from), String(month_to)).flatMap((year) =>
        blocksOf(String(listing_ids)).map(
          (block) => `${snapshot}/listing_days/country=${country}/year=${year}/block=${block}/part-0.parquet`,
        ),
      ),
    ),
  /** The roll-up by month, of the years from a month to another. */
  listingMonths: (from: string, to: string): string =>
    readFiles(
      yearsBetween(from, to).map((year) => `${snapshot}/listing_months/country=${country}/year=${year}/part-0.parquet`),
    ),
})
export type Files = ReturnType<typeof filesOf>

/** The current listings of a scope. */
export const isCurrent = ({ first, last, since, before }: Values): string =>
  `category_id BETWEEN ${first} AND ${last} AND last_day >= DATE '${since}' AND last_day < DATE '${before}'`

/** The days of a scope. */
export const isInWindow = ({ first = 0, last = 2_147_483_647, from, to }: Values): string =>
  `category_id BETWEEN ${first} AND ${last} AND day >= DATE '${from}' AND day < DATE '${to}'`

/** On promotion, as the definition says: marked so, or 5 % to 70 % below the list price. */
export const ON_PROMOTION = `(coalesce(promo_flag, false)
  OR coalesce(20 * (list_price - price) >= list_price AND 10 * (list_price - price) <= 7 * list_price, false))`

export const OBSERVED = `epoch(min(observed_at)) AS observed_min, epoch(max(observed_at)) AS observed_max`

/** Seconds from 1970 to a day, in whole numbers: cheaper than epoch(). */
export const SECONDS = `(day - DATE '1970-01-01') * 86400`

/** When a scope was observed in its window, from the roll-up by shelf and day: seconds within a day first, then the days. */
export const shelfTimes = (files: Files, values: Values): string => `
  SELECT min(${SECONDS} + first_second) AS observed_min, max(${SECONDS} + last_second) AS observed_max
  FROM (SELECT day, min(first_second) AS first_second, max(last_second) AS last_second
        FROM ${files.shelfDays}
        WHERE ${isInWindow(values)} ${values.retailer_id == null ? '' : `AND retailer_id = ${values.retailer_id}`} GROUP BY day)`

/** Integers of DuckDB as numbers: counts and cents are far below 2^53. */
export const numbers = (column: readonly unknown[] | undefined): number[] => (column ?? []).map(Number)

/** Rows of columns. */
export const rowsOf = <T>(columns: SqlColumns): T[] => {
  const entries = Object.entries(columns)
  return Array.from({ length: entries[0]?.[1].length ?? 0 }, (_, i) =>
    Object.fromEntries(entries.map(([name, column]) => [name, column[i]])),
  ) as T[]
}

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** The part of an answer's `meta` that is computed: when its scope was first and last observed. */
export const metaOf = (observed_min: readonly unknown[], observed_max: readonly unknown[]) => ({
  price_observed_at_min: instant(Math.min(...numbers(observed_min))),
  price_observed_at_max: instant(Math.max(...numbers(observed_max))),
})

/** The keys of retailers by their ids. */
export const platforms = (files: Files): string => `SELECT retailer_id, platform FROM ${files.retailers}`
export type Platform = { retailer_id: number; platform: string }
