import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LISTINGS_PER_BLOCK } from '../../engine/index.ts'
import type { Connection } from '../duckdb.ts'

/** Writes the observations by listing of a staged snapshot, from its months; returns the rows of each file, by its path. */
export const writeDays = async (connection: Connection, staged: string): Promise<Record<string, number>> => {
  const months = (table: string, country: string, year: string): string =>
    `read_parquet('${staged}/${table}/country=${country}/month=${year}-*/part-0.parquet', hive_partitioning = false)`
  const rowsOf = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRowsJS()
  const years = (await rowsOf(`SELECT DISTINCT split_part(split_part(file, 'country=', 2), '/', 1),
    left(split_part(file, 'month=', 2), 4) FROM glob('${staged}/observations/*/*/*.parquet') ORDER BY ALL`)) as string[][]
  const rows: Record<string, number> = {}
  for (const [country = '', year = ''] of years) {
    await connection.run(`CREATE OR REPLACE TEMP TABLE listing_day AS
      SELECT listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second
      FROM ${months('observations', country, year)} AS observation
        JOIN ${months('observation_times', country, year)} AS observation_time USING (listing_id, day)
      ORDER BY listing_id, day`)
    const blocks = await rowsOf(
      `SELECT listing_id // ${LISTINGS_PER_BLOCK}, count(*) FROM listing_day GROUP BY 1 ORDER BY 1`,
    )
    for (const [block, count] of blocks) {
      const path = `listing_days/country=${country}/year=${year}/block=${block}/part-0.parquet`
      mkdirSync(dirname(join(staged, path)), { recursive: true })
      await connection.run(`COPY (
          SELECT *, '${country}' AS country, '${year}' AS year, '${block}' AS block FROM listing_day
          WHERE listing_id // ${LISTINGS_PER_BLOCK} = ${block} ORDER BY listing_id, day
        ) TO '${join(staged, path)}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480)`)
      rows[path] = Number(count)
    }
  }
  return rows
}
