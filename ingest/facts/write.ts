import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type Database, query, step } from '../database.ts'
import type { RefreshPaths } from '../paths.ts'
import { finishReference, REFERENCE_TABLES, writeReference } from '../reference/reference.ts'
import { indexSearch, writeSearchIndex } from '../search/search.ts'
import { type Parts, partRow } from '../snapshot/digest.ts'
import type { Merged } from './merge.ts'

const WHOLE_TABLES = ['categories', 'brands', 'retailers', 'listing_attributes', 'category_taxonomy']

const FINAL = query(import.meta.url, 'final', partRow)
const SUMMARY = query(
  import.meta.url,
  'summary',
  z.object({
    observed_from: z.string().nullable(),
    observed_to: z.string().nullable(),
    countries: z.array(z.string()).nullable(),
  }),
)
const WRITE_TABLES = step(import.meta.url, 'write-tables')
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
export const finish = async (database: Database): Promise<Parts> => {
  const parts = await database.rows(FINAL)
  return {
    ...Object.fromEntries(parts.map(({ name, rows, hash }) => [name, { rows, hash }])),
    ...(await finishReference(database)),
  }
}

/** When the observations of the snapshot begin and end, and the countries of its listings. */
export const summarize = (database: Database) => database.row(SUMMARY)

/** Writes the whole tables; the rows of each new file, by its path. */
export const writeTables = async (database: Database, paths: RefreshPaths, parts: Parts): Promise<Merged['rows']> => {
  await database.run(WRITE_TABLES)
  await indexSearch(database)
  const rows: Record<string, number> = {}
  await writeReference(database)
  for (const table of [...WHOLE_TABLES, ...REFERENCE_TABLES]) rows[`${table}.parquet`] = parts[table]!.rows
  const { countries } = await summarize(database)
  for (const country of countries ?? [])
    Object.assign(rows, await writeCountry(database, paths, country), await writeSearchIndex(database, paths, country))
  return rows
}
