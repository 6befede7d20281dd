import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { VARCHAR } from '@duckdb/node-api'
import { z } from 'zod'
import { type Database, query } from '../database.ts'
import type { RefreshPaths } from '../paths.ts'
import { finishReference } from '../reference/reference.ts'
import { indexSearch, writeSearchIndex } from '../search/search.ts'
import { type Parts, partRow, partsOf } from '../snapshot/digest.ts'
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

/** Computes the whole tables from what merging gathered: the parts of the digest that are theirs. */
export const finish = async (database: Database): Promise<Parts> => ({
  ...partsOf(await database.rows(FINAL)),
  ...(await finishReference(database)),
})

/** What limits and the manifest need to know of the whole tables. */
export type Summary = z.output<typeof SUMMARY.row>

/** When the observations of the snapshot begin and end, the countries of its listings, and the shelves that serve. */
export const summarize = (database: Database, thin_below: number): Promise<Summary> =>
  database.row(SUMMARY, { thin_below })

/** Writes the whole tables; the rows of each new file, by its path. */
export const writeTables = async (
  database: Database,
  paths: RefreshPaths,
  { parts, snapshot_id, countries }: { parts: Parts; snapshot_id: string; countries: readonly string[] },
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
