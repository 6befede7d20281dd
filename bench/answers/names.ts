import { join } from 'node:path'
import { currentSnapshotId, snapshotFolder } from '../../engine/index.ts'
import { openDuckDB } from '../duckdb.ts'

/** A priced listing; parameters drawn from the same listing match each other. */
export type DrawnListing = {
  country: string
  product_uid: string
  entity_uid: string | null
  product_name: string | null
  gtin14: string | null
  brand: string | null
  platform: string
  path: string
}

/** What the parameters of random queries are drawn from: read from the files of a lake, so that it does not depend on the engine. */
export type Names = {
  categories: string[]
  departments: string[]
  gpc_codes: string[]
  retailers: string[]
  brands: string[]
  listings: DrawnListing[]
  browse_ids: string[]
  has_posts: boolean
  first_day: string
  last_day: string
}

const LISTINGS = 400

/** The names of a lake, each list in a fixed order. */
export const namesOf = async (lake: string): Promise<Names> => {
  const connection = await openDuckDB()
  const folder = snapshotFolder(lake, (await currentSnapshotId(lake)) ?? '')
  const read = async <T>(sql: string): Promise<T[]> => (await connection.runAndReadAll(sql)).getRowObjectsJson() as T[]
  const table = (name: string): string => `read_parquet('${join(folder, name)}')`
  const texts = async (sql: string): Promise<string[]> =>
    (await read<{ text: string }>(sql)).map(({ text }) => text).filter((text) => text !== null && text.trim() !== '')
  const [days] = await read<{ first_day: string; last_day: string }>(
    `SELECT min(day)::VARCHAR AS first_day, max(day)::VARCHAR AS last_day FROM ${table('shelf_days/*/*.parquet')}`,
  )
  const names = {
    categories: await texts(`SELECT unnest([path, name]) AS text FROM ${table('categories.parquet')} ORDER BY text`),
    departments: await texts(`SELECT DISTINCT department AS text FROM ${table('categories.parquet')} ORDER BY text`),
    gpc_codes: await texts(
      `SELECT DISTINCT unnest(gpc_codes) AS text FROM ${table('categories.parquet')} ORDER BY text`,
    ),
    retailers: await texts(`SELECT platform AS text FROM ${table('retailers.parquet')} ORDER BY text`),
    brands: await texts(
      `SELECT brand AS text FROM ${table('brands.parquet')} ORDER BY product_count DESC, brand_norm LIMIT 200`,
    ),
    listings: await read<DrawnListing>(
      `SELECT country, product_uid, entity_uid, product_name, gtin14, brand, platform, path
       FROM read_parquet('${join(folder, 'listings/*/*.parquet')}', hive_partitioning = true)
         JOIN ${table('categories.parquet')} USING (category_id) JOIN ${table('retailers.parquet')} USING (retailer_id)
       WHERE price IS NOT NULL ORDER BY md5(product_uid), product_uid LIMIT ${LISTINGS}`,
    ),
    browse_ids: await texts(`SELECT browse_id AS text FROM ${table('browse_nodes.parquet')} ORDER BY text LIMIT 200`),
    has_posts: (await read(`SELECT 1 FROM ${table('social_days.parquet')} LIMIT 1`)).length > 0,
    ...days!,
  }
  connection.closeSync()
  return names
}
