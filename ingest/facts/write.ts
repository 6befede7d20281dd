import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../database.ts'
import type { Places } from '../paths.ts'
import { REFERENCE_TABLES } from '../reference/reference.ts'
import { indexSearch, writeSearchIndex } from '../search/search.ts'
import type { Part, Parts } from '../snapshot/digest.ts'
import type { Merged } from './merge.ts'

const WHOLE_TABLES = ['categories', 'brands', 'retailers', 'listing_attributes', 'category_taxonomy']

const writeCountry = async (
  database: Database,
  { snapshot }: Places,
  country: string,
): Promise<Record<string, number>> => {
  const listings = `listings/country=${country}/part-0.parquet`
  const shelf_days = `shelf_days/country=${country}/part-0.parquet`
  for (const path of [listings, shelf_days]) await mkdir(dirname(join(snapshot, path)), { recursive: true })
  const [listings_to, shelf_days_to] = [join(snapshot, listings), join(snapshot, shelf_days)]
  await database.setTexts('partition', { country, listings_to, shelf_days_to })
  await database.run('facts/write-country')
  const rows = await database.row<{ listings: number; shelf_days: number }>('facts/country-rows', { country })
  return { [listings]: rows.listings, [shelf_days]: rows.shelf_days }
}

/** Works out the whole tables from what merging gathered: the parts of the digest that are theirs. */
export const finish = async (database: Database): Promise<Parts> => {
  await database.run('facts/final-tables')
  await database.run('reference/reference-final')
  const parts = [
    ...(await database.rows<Part & { name: string }>('facts/table-digests')),
    ...(await database.rows<Part & { name: string }>('reference/reference-digests')),
  ]
  return Object.fromEntries(parts.map(({ name, rows, hash }) => [name, { rows, hash }]))
}

/** Writes the whole tables; the rows of each new file, by its path. */
export const writeTables = async (database: Database, places: Places, parts: Parts): Promise<Merged['rows']> => {
  await database.run('facts/write-tables')
  await indexSearch(database)
  const rows: Record<string, number> = {}
  await database.run('reference/reference-write')
  for (const table of [...WHOLE_TABLES, ...REFERENCE_TABLES]) rows[`${table}.parquet`] = parts[table]!.rows
  for (const { country } of await database.rows<{ country: string }>('facts/countries'))
    Object.assign(
      rows,
      await writeCountry(database, places, country),
      await writeSearchIndex(database, places, country),
    )
  return rows
}
