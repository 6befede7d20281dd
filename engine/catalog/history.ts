import type { OpenIndexFile } from '../search/files/index-files.ts'
import { type PackedDay, unpackDays } from './packed-days.ts'

/** Opens the histories of a country's listings in a year, of which each is read where it lies. */
export const openHistory = async (open: OpenIndexFile, country: string, year: string) => {
  const file = await open('listing_histories', country, year)
  const firsts = await file.firsts('listing_id')
  return (listing_id: number): readonly PackedDay[] => {
    const row = file.rowOf('listing_id', listing_id, firsts)
    if (row < 0) return []
    const packed = file.bytesAt(row)
    try {
      return unpackDays(packed)
    } catch (cause) {
      throw file.failure((cause as Error).message)
    }
  }
}
