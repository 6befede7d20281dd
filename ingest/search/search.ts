import { z } from 'zod'
import { contentsOf, listingKeys, markedWords, nameWords, parseName, sizeWords } from '../../engine/index.ts'
import { type Database, query, type Value } from '../database.ts'

const textRow = z.strictObject({
  listing_id: z.int(),
  product_name: z.string(),
  /** Brand, model, part number, size and pack. */
  other_texts: z.string(),
  size_value: z.string().nullable(),
  size_unit: z.string().nullable(),
  pack_count: z.string().nullable(),
  brand: z.string().nullable(),
  product_uid: z.string(),
  product_id: z.string(),
  gtin14: z.string().nullable(),
  url: z.string().nullable(),
})
type SearchText = z.output<typeof textRow>

const TEXTS = query(import.meta.url, 'texts', textRow)

/** Creates a reader of rows that are sorted by name, which reads each name once. */
const createReader = () => {
  let last = {
    product_name: '',
    other_texts: '',
    size_value: null as string | null,
    word_count: 0,
    words: '',
    title: '',
  }
  return (row: SearchText): readonly Value[] => {
    const { listing_id, product_name, other_texts, size_value } = row
    if (last.product_name !== product_name || last.other_texts !== other_texts || last.size_value !== size_value) {
      const { query, indexed } = nameWords(product_name, other_texts)
      const { words, title } = query
      const marks = [...markedWords(parseName(product_name, row.brand)), ...sizeWords(contentsOf(product_name, row))]
      const found_by = [...indexed, ...marks].join(' ')
      last = { product_name, other_texts, size_value, word_count: words.length, words: found_by, title }
    }
    return [listing_id, last.word_count, last.words, listingKeys({ ...row, entity_uid: null }, last.title).join('\n')]
  }
}

/** Prepares the search index: numbers listings, and reads the words and keys of each. */
export const readSearchTexts = (database: Database): Promise<void> =>
  database.mapRows(TEXTS, 'search_reading', createReader())
