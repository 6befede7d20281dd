import { z } from 'zod'
import { contentsOf, markedWords, nameWords, normalizedKeys, parseName, sizeWords } from '../../engine/index.ts'
import { type Database, query, step, type Value } from '../database.ts'

const textRow = z.strictObject({
  listing_id: z.int(),
  product_name: z.string(),
  /** Brand, model, part number, size and pack. */
  other_texts: z.string(),
  size_value: z.string().nullable(),
  size_unit: z.string().nullable(),
  pack_count: z.string().nullable(),
  brand: z.string().nullable(),
  product_id: z.string(),
  url: z.string().nullable(),
})
type SearchText = z.output<typeof textRow>

/** Numbers listings. */
export const NUMBERS = step(import.meta.url, 'texts#numbers')
const READINGS = step(import.meta.url, 'texts#readings')
const TEXTS = query(import.meta.url, 'texts#texts', textRow)

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
    const { listing_id, product_name, other_texts, size_value, product_id, url } = row
    if (last.product_name !== product_name || last.other_texts !== other_texts || last.size_value !== size_value) {
      const { query, indexed } = nameWords(product_name, other_texts)
      const { words, title } = query
      const marks = [...markedWords(parseName(product_name, row.brand)), ...sizeWords(contentsOf(product_name, row))]
      const found_by = [...indexed, ...marks].join(' ')
      last = { product_name, other_texts, size_value, word_count: words.length, words: found_by, title }
    }
    return [listing_id, last.word_count, last.words, normalizedKeys(product_id, url, last.title).join('\n')]
  }
}

/** Prepares the search index: numbers listings, and reads the words and keys of each. */
export const readSearchTexts = async (database: Database): Promise<void> => {
  await database.run(NUMBERS)
  await database.mapRows(TEXTS, 'name_reading', createReader())
  await database.run(READINGS)
}
