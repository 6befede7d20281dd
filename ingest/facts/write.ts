import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { VARCHAR } from '@duckdb/node-api'
import { z } from 'zod'
import { type Database, query } from '../database.ts'
import type { RefreshPaths } from '../paths.ts'
import { finishReference } from '../reference/reference.ts'
import { indexSearch, writeSearchIndex } from '../search/search.ts'
import { type DigestParts, partRow, partsOf } from '../snapshot/digest.ts'
import type { Merged } from './merge.ts'

/** The tables of one file that are parts of the digest. */
const WHOLE_TABLES = [
  'categories',
  'brands',
  'retailers',
  'listing_attributes',
  'category_taxonomy',
  'gpc_nodes',
  'gpc_attributes',
  'gpc_shelves',
  'browse_nodes',
  'crosswalk',
  'lexicon',
]

const FINAL = query(import.meta.url, 'final', partRow)
const SUMMARY = query(
  import.meta.url,
  'summary',
  z.object({
    observed_from: z.string().nullable(),
    observed_to: z.string().nullable(),
    countries: z.array(z.string()).nullable(),
    shelves_before: z.int(),
    shelves_after: z.int(),
  }),
)
const WRITE_TABLES = query(import.meta.url, 'write-tables', z.object({ entity_changes: z.int() }))
const WRITE_COUNTRY = query(import.meta.url, 'write-country', z.object({ listings: z.int(), shelf_days: z.int() }))

const writeCountry = async (
  database: Database,
  { snapshot }: RefreshPaths,
  country: string,
): Promise<Record<string, number>> => {
  const listings = `listings/country=${country}/part-0.parquet`
  const shelf_days = `shelf_days/country=${country}/part-0.parquet`
  for (const path of [listings, shelf_days]) await mkdir(dirname(join(snapshot, path)), { recursive: true })
  const [listings_to, shelf_days_to] = [join(snapshot, listings), join(snapshot, shelf_days)]
  await database.setTexts('partition', { country, listings_to, shelf_days_to })
  const rows = await database.row(WRITE_COUNTRY)
  return { [listings]: rows.listings, [shelf_days]: rows.shelf_days }
}

/** Computes the whole tables from the results of merging. Returns their parts of the digest. */
export const finish = async (database: Database): Promise<DigestParts> => ({
  ...partsOf(await database.rows(FINAL)),
  ...(await finishReference(database)),
})

/** Figures of the whole tables for the limits and the manifest. */
export type LakeSummary = z.output<typeof SUMMARY.row>

/** Returns the first and last times of observations, the countries of listings, and the numbers of serving shelves. */
export const summarize = (database: Database, thin_below: number): Promise<LakeSummary> =>
  database.row(SUMMARY, { thin_below })

/** Writes the whole tables. Returns the rows of each new file, by its path. */
export const writeTables = async (
  database: Database,
  paths: RefreshPaths,
  { parts, snapshot_id, countries }: { parts: DigestParts; snapshot_id: string; countries: readonly string[] },
): Promise<Merged['rows']> => {
  await database.set('snapshot_id', snapshot_id, VARCHAR)
  const { entity_changes } = await database.row(WRITE_TABLES)
  await indexSearch(database)
  const rows: Record<string, number> = { 'entity_changes.parquet': entity_changes }
  for (const table of WHOLE_TABLES) rows[`${table}.parquet`] = parts[table]!.rows
  for (const country of countries)
    Object.assign(rows, await writeCountry(database, paths, country), await writeSearchIndex(database, paths, country))
  return rows
}
