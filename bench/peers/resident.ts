import { DAY_MS } from '../../engine/contract/time.ts'
import { openDuckDB } from '../duckdb.ts'
import type { PeerSource } from './statistics.ts'

/** Columns of whole numbers; days are since 1970, brand 0 is none, and new listings have condition 1. */
export type ResidentTable = Record<string, Int32Array>
export type Resident = { listings: ResidentTable; months: ResidentTable }

/** What peers without a Parquet reader hold in memory: the columns that the statistics need, loaded once. */
export const loadResident = async ({ listings, months }: PeerSource): Promise<Resident> => {
  const connection = await openDuckDB()
  const load = async (sql: string): Promise<ResidentTable> => {
    const columns = (await connection.runAndReadAll(sql)).getColumnsObjectJS()
    return Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, Int32Array.from(column as number[])]),
    )
  }
  const day = (column: string): string => `(${column} - DATE '1970-01-01')::INTEGER AS ${column}`
  const resident = {
    listings: await load(
      `SELECT category_id, price, (condition = 'new')::INTEGER AS condition, coalesce(brand_id, 0)::INTEGER AS brand_id,
         ${day('last_day')} FROM read_parquet('${listings}', hive_partitioning = false) WHERE price IS NOT NULL`,
    ),
    months: await load(
      `SELECT category_id, listing_id, retailer_id, price, ${day('period')}
       FROM read_parquet(['${months.join("', '")}'], hive_partitioning = false)`,
    ),
  }
  connection.closeSync()
  return resident
}

/** A day as the tables hold it. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS
