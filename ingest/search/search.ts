import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Identified, listingKeys, nameWords } from '../../engine/index.ts'
import type { Database, Value } from '../database.ts'
import type { Merged } from '../facts/merge.ts'
import type { Places } from '../paths.ts'

type Told = Identified & { listing_id: number; product_name: string; others: string }

const readListing = (told: Told): readonly Value[] => {
  const { asked, indexed } = nameWords(told.product_name, told.others)
  return [told.listing_id, asked.words.length, [...indexed].join(' '), listingKeys(told, asked.title).join('\n')]
}

/** Reads the words and keys every listing is found by, and makes the tables of the search index of them. */
export const indexSearch = async (database: Database): Promise<void> => {
  await database.run('search/search-reading')
  await database.transcribe('search/search-texts', 'search_reading', readListing)
  await database.run('search/search-tables')
}

const TABLES = ['search_words', 'search_postings', 'search_keys', 'search_listings'] as const

/** Writes a country's part of the search index; the rows of each new file, by its path. */
export const writeSearchIndex = async (
  database: Database,
  { snapshot }: Places,
  country: string,
): Promise<Merged['rows']> => {
  const paths = TABLES.map((table) => ({ table, path: `${table}/country=${country}/part-0.parquet` }))
  for (const { path } of paths) await mkdir(dirname(join(snapshot, path)), { recursive: true })
  const targets = paths.map(({ table, path }) => [`${table}_to`, join(snapshot, path)])
  await database.setTexts('partition', { country, ...Object.fromEntries(targets) })
  await database.run('search/search-write')
  const rows = await database.row<Record<(typeof TABLES)[number], number>>('search/search-rows', { country })
  return Object.fromEntries(paths.map(({ table, path }) => [path, rows[table]]))
}
