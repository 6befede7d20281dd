import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { READINGS } from '../catalogue/reading-rules.ts'
import { type Database, query } from '../database.ts'
import type { RefreshPaths } from '../paths.ts'
import { finishReference } from '../reference/reference.ts'
import { readSearchTexts } from '../search/search.ts'
import { writeIndex } from '../search/write-index.ts'
import { type DigestParts, partRow, partsOf } from '../snapshot/digest.ts'
import { conflictsSchema } from './conflicts.ts'
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
  'matches',
  'match_weights',
]

const FINAL = query(import.meta.url, 'final', partRow)
const SUMMARY = query(
  import.meta.url,
  'report#summary',
  z.object({
    observed_from: z.string().nullable(),
    observed_to: z.string().nullable(),
    countries: z.array(z.string()).nullable(),
    shelves_before: z.int(),
    shelves_after: z.int(),
    conflicts: conflictsSchema,
  }),
)
const WRITE_TABLES = query(
  import.meta.url,
  'write-tables',
  z.object({ entity_changes: z.int(), sizes: z.int(), readings: z.int() }),
)
/** The rows of the tables with one file per country. */
const countryRows = z.object({
  listings: z.int(),
  shelf_days: z.int(),
  shelf_months: z.int(),
  department_days: z.int(),
})
const COUNTRY_TABLES = countryRows.keyof().options
const WRITE_COUNTRY = query(import.meta.url, 'write-country', countryRows)

const writeCountry = async (
  database: Database,
  { snapshot }: RefreshPaths,
  country: string,
): Promise<Record<string, number>> => {
  const pathOf = (table: string): string => `${table}/country=${country}/part-0.parquet`
  for (const table of COUNTRY_TABLES) await mkdir(dirname(join(snapshot, pathOf(table))), { recursive: true })
  const targets = Object.fromEntries(COUNTRY_TABLES.map((table) => [`${table}_to`, join(snapshot, pathOf(table))]))
  await database.set({ partition: { country, ...targets } })
  const rows = await database.row(WRITE_COUNTRY)
  return Object.fromEntries(COUNTRY_TABLES.map((table) => [pathOf(table), rows[table]]))
}

/** Computes the whole tables from the results of merging. Returns their parts of the digest. */
export const finish = async (database: Database): Promise<DigestParts> => ({
  ...partsOf(await database.rows(FINAL)),
  ...(await finishReference(database)),
})

/** Figures of the whole tables for the limits and the manifest. */
export type LakeSummary = z.output<typeof SUMMARY.row>

/**
 * Returns the first and last times of observations, the countries of listings, the numbers of serving shelves, and the
 * conflicting prices.
 */
export const summarize = (database: Database, thin_below: number): Promise<LakeSummary> =>
  database.row(SUMMARY, { thin_below })

/** Writes the whole tables. Returns the rows of each new file, by its path. */
export const writeTables = async (
  database: Database,
  paths: RefreshPaths,
  { parts, snapshot_id, countries }: { parts: DigestParts; snapshot_id: string; countries: readonly string[] },
): Promise<Merged['rows']> => {
  await database.set({ snapshot_id })
  await readSearchTexts(database)
  const { entity_changes, sizes, readings } = await database.row(WRITE_TABLES)
  const rows: Record<string, number> = {
    'entity_changes.parquet': entity_changes,
    'listing_sizes.parquet': sizes,
    [`${READINGS}.parquet`]: readings,
  }
  for (const table of WHOLE_TABLES) rows[`${table}.parquet`] = parts[table]!.rows
  for (const country of countries) {
    Object.assign(rows, await writeCountry(database, paths, country))
    Object.assign(rows, await writeIndex(database, paths.snapshot, country))
  }
  return rows
}
