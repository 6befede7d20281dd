import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { INDEX_TABLES } from '../../engine/index.ts'
import { READINGS } from '../../ingest/catalogue/reading-rules.ts'
import type { Database } from '../../ingest/database.ts'
import { writeHistories } from '../../ingest/search/histories.ts'
import { NUMBERS } from '../../ingest/search/search.ts'
import { writeIndex } from '../../ingest/search/write-index.ts'

/** What a refresh read of the texts of listings: their words and the hashes of their keys. */
export const readingsOf = (folder: string): string =>
  `SELECT listing_id, word_count, search_words AS words, search_keys AS keys FROM read_parquet('${folder}/${READINGS}.parquet')`

/** The files of listing_days by country and year. */
const yearsOfDays = async (folder: string): Promise<{ country: string; year: string; files: string[] }[]> => {
  const days = join(folder, 'listing_days')
  if (!existsSync(days)) return []
  const paths = (await readdir(days, { recursive: true })).filter((path) => path.endsWith('.parquet'))
  const years = new Map<string, string[]>()
  for (const path of paths.map((path) => `listing_days/${path}`)) {
    const year = path.split('/').slice(1, 3).join('/')
    years.set(year, [...(years.get(year) ?? []), path])
  }
  return [...years].map(([key, files]) => {
    const [country = '', year = ''] = key.replaceAll(/\w+=/g, '').split('/')
    return { country, year, files }
  })
}

/** Writes the index in the folder of a snapshot from its listings and these readings, as a refresh does; returns the rows of each file, by its path. */
export const rewriteIndex = async (
  database: Database,
  folder: string,
  readings = readingsOf(folder),
): Promise<Record<string, number>> => {
  for (const table of Object.keys(INDEX_TABLES)) await rm(join(folder, table), { recursive: true, force: true })
  if (!existsSync(join(folder, 'listings'))) return {}
  await database.execute(`CREATE OR REPLACE VIEW final_listing AS FROM read_parquet('${folder}/listings/*/*.parquet')`)
  await database.execute(`CREATE OR REPLACE VIEW search_reading AS ${readings}`)
  await database.run(NUMBERS)
  const rows: Record<string, number> = {}
  for (const name of await readdir(join(folder, 'listings')))
    Object.assign(rows, await writeIndex(database, folder, name.replace('country=', '')))
  await database.execute('DROP TABLE search_place')
  for (const { country, year, files } of await yearsOfDays(folder))
    Object.assign(rows, await writeHistories(database, folder, { country, year, files }))
  return rows
}
