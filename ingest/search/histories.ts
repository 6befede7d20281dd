import { join } from 'node:path'
import { DayPacker, PACKED_DAY_COLUMNS, type PackedDay } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { listOf } from '../feeds/sql-text.ts'
import type { IndexWriter } from './index-writer.ts'
import { writeIndexFile } from './write-index.ts'

type DayColumns = { listing_id: Int32Array } & Record<keyof PackedDay, Int32Array>

/** Listings whose days are packed before they are added to the file. */
const LISTINGS_AT_ONCE = 1024

/** Adds listings with their days, whose columns come sorted by listing and day. */
const createHistories = (writer: IndexWriter) => {
  const packer = new DayPacker()
  let listing = -1
  let ids: number[] = []
  let days: Uint8Array[] = []

  const write = async (): Promise<void> => {
    await writer.add({ listing_id: Int32Array.from(ids), days }, ids.length)
    ids = []
    days = []
  }
  const endListing = (): void => {
    if (listing < 0) return
    ids.push(listing)
    days.push(packer.take())
  }

  return {
    async add({ listing_id, day, second, price, list_price, flags }: DayColumns, rows: number): Promise<void> {
      for (let i = 0; i < rows; i += 1) {
        if (listing_id[i] !== listing) {
          endListing()
          listing = listing_id[i]!
          if (ids.length >= LISTINGS_AT_ONCE) await write()
        }
        packer.add({
          day: day[i]!,
          second: second[i]!,
          price: price[i]!,
          list_price: list_price[i]!,
          flags: flags[i]!,
        })
      }
    },
    async end(): Promise<void> {
      endListing()
      await write()
    },
  }
}

/**
 * Writes the histories of the listings of a country in a year from the files of its observations by listing, in a folder for
 * each block. Returns the rows of the file by its path.
 */
export const writeHistories = (
  database: Database,
  snapshot: string,
  { country, year, files }: { country: string; year: string; files: readonly string[] },
): Promise<Record<string, number>> =>
  writeIndexFile(snapshot, ['listing_histories', country, year], async (writer) => {
    const histories = createHistories(writer)
    const ordered = files.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    const from = listOf(ordered.map((path) => join(snapshot, path)))
    const sql = `SELECT ${PACKED_DAY_COLUMNS} FROM read_parquet(${from}, hive_partitioning = false)`
    for await (const { columns, rows } of database.columns(sql)) await histories.add(columns as DayColumns, rows)
    await histories.end()
  })
