import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { listingKeys, nameWords } from '../../engine/index.ts'
import { type Database, query, type Value } from '../database.ts'
import type { Merged } from '../facts/merge.ts'
import type { RefreshPaths } from '../paths.ts'

const textRow = z.strictObject({
  listing_id: z.int(),
  product_name: z.string(),
  /** Brand, model, part number, size and pack. */
  other_texts: z.string(),
  product_uid: z.string(),
  product_id: z.string(),
  gtin14: z.string().nullable(),
  url: z.string().nullable(),
})
type SearchText = z.output<typeof textRow>

const TABLES = ['search_words', 'search_postings', 'search_keys', 'search_listings'] as const
const rowCounts = z.strictObject({
  search_words: z.int(),
  search_postings: z.int(),
  search_keys: z.int(),
  search_listings: z.int(),
})

const TEXTS = query(import.meta.url, 'texts', textRow)
const INDEX = query(import.meta.url, 'index', rowCounts)

/** Creates a reader of rows that are sorted by name, which reads each name once. */
const createReader = () => {
  let last = { product_name: '', other_texts: '', word_count: 0, words: '', title: '' }
  return (row: SearchText): readonly Value[] => {
    const { listing_id, product_name, other_texts } = row
    if (last.product_name !== product_name || last.other_texts !== other_texts) {
      const { query, indexed } = nameWords(product_name, other_texts)
      const { words, title } = query
      last = { product_name, other_texts, word_count: words.length, words: [...indexed].join(' '), title }
    }
    return [listing_id, last.word_count, last.words, listingKeys({ ...row, entity_uid: null }, last.title).join('\n')]
  }
}

/** Prepares the search index: numbers listings, and reads the words and keys of each. */
export const indexSearch = (database: Database): Promise<void> =>
  database.mapRows(TEXTS, 'search_reading', createReader())

/** Indexes the listings of a country and writes the index. Returns the rows of each new file, by its path. */
export const writeSearchIndex = async (
  database: Database,
  { snapshot }: RefreshPaths,
  country: string,
): Promise<Merged['rows']> => {
  const paths = TABLES.map((table) => ({ table, path: `${table}/country=${country}/part-0.parquet` }))
  for (const { path } of paths) await mkdir(dirname(join(snapshot, path)), { recursive: true })
  const targets = paths.map(({ table, path }) => [`${table}_to`, join(snapshot, path)])
  await database.setTexts('partition', { country, ...Object.fromEntries(targets) })
  const rows = await database.row(INDEX)
  return Object.fromEntries(paths.map(({ table, path }) => [path, rows[table]]))
}
