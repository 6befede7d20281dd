import { z } from 'zod'
import { type Database, query, step } from '../database.ts'
import { readSize, type SizeReading } from './size.ts'

const sizeText = z.strictObject({ title: z.string(), size_text: z.string().nullable(), pack: z.string().nullable() })

const SIZE_TEXTS = query(import.meta.url, 'size-history#size-texts', sizeText)
const SIZED_LISTINGS = step(import.meta.url, 'size-history#sized-listings')
const SIZE_DAYS = step(import.meta.url, 'size-days')

const DIMENSIONS = { g: 'mass', ml: 'volume', each: 'count' } as const

/** All that a listing contains, in whole mg, µl or pieces; null without a size. */
const wholeSize = ({ milli, unit, pieces }: SizeReading): { size: number | null; dimension: string | null } => {
  if (milli === null || unit === null || pieces === null) return { size: null, dimension: null }
  const all = unit === 'each' ? Math.round((milli * pieces) / 1000) : milli * pieces
  if (all < 1 || !Number.isSafeInteger(all)) return { size: null, dimension: null }
  return { size: all, dimension: DIMENSIONS[unit] }
}

/**
 * Finds the listings whose texts state several sizes, or some none, in the table `size_run`: a row for each size in a sequence
 * of days, with the text that states it. Reads only the texts of listings in this refresh; those of a listing all together.
 */
export const readSizeHistory = async (database: Database): Promise<void> => {
  await database.mapRows(SIZE_TEXTS, 'size_reading', ({ title, size_text, pack }) => {
    const fields = { title, size: size_text, pack, brand: null, mpn: null, model: null, is_bundle: false }
    const { size, dimension } = wholeSize(readSize(fields))
    return [title, size_text, pack, size, dimension]
  })
  for (const step of [SIZED_LISTINGS, SIZE_DAYS]) await database.run(step)
}
