import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CELL_COLUMNS, type ListedCells, type MonthColumns, rowsByIdOf } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { literal } from '../feeds/sql-text.ts'
import { globOf } from '../glob.ts'

/** Where the listing-months of a country are. */
export type MonthSource = { database: Database; snapshot: string; country: string }

/** Months that are held in memory at once, in bytes. */
const MAX_BYTES = 256 * 2 ** 20
const CELL_BYTES = 6

/** The first month with listing-months, numbered from January 1970, and the columns of it and of each after it; `ids` are the listings in order. */
export const monthsIn = async ({ database, snapshot, country }: MonthSource, ids: Int32Array<ArrayBuffer>) => {
  const folder = join(snapshot, `listing_months/country=${country}`)
  const cells = `SELECT ${CELL_COLUMNS} FROM read_parquet(${literal(`${globOf(folder)}/*/*.parquet`)}, hive_partitioning = false)`
  const [span] = existsSync(folder)
    ? await database.execute<{ first: number | null; last: number | null }>(
        `SELECT min(month) AS first, max(month) AS last FROM (${cells})`,
      )
    : []
  const first = span?.first ?? 0
  const count = (span?.last ?? -1) - first + 1
  const rows = rowsByIdOf({ listing_id: ids })
  const at_once = Math.max(1, Math.floor(MAX_BYTES / Math.max(1, CELL_BYTES * ids.length)))

  const read = async (from: number, length: number): Promise<MonthColumns[]> => {
    const months = Array.from(
      { length },
      (): MonthColumns => ({
        price: new Int32Array(ids.length),
        observation_count: new Uint8Array(ids.length),
        flags: new Uint8Array(ids.length),
      }),
    )
    const sql = `${cells} WHERE month BETWEEN ${from} AND ${from + length - 1}`
    for await (const { columns, rows: found } of database.columns(sql)) {
      const { listing_id, month, price, observation_count, flags } = columns as ListedCells
      for (let i = 0; i < found; i += 1) {
        const of = months[month[i]! - from]!
        const row = rows[listing_id[i]!]!
        of.price[row] = price[i]!
        of.observation_count[row] = observation_count[i]!
        of.flags[row] = flags[i]!
      }
    }
    return months
  }

  return {
    first,
    async *batches(): AsyncGenerator<MonthColumns> {
      for (let done = 0; done < count; done += at_once) yield* await read(first + done, Math.min(at_once, count - done))
    },
  }
}
