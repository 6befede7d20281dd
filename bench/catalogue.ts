import { existsSync, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDuckDB } from './duckdb.ts'

/** Generated words; the first are the most frequent, as in real catalogues. */
const WORDS = `
  CREATE MACRO draw(seed, salt, n) AS (hash(seed, salt) % 1000003 / 1000003.0) ** 3 * n;
  CREATE MACRO syllable(i) AS
    substr('bdfghjklmnprstvz', (i % 16 + 1)::INTEGER, 1) || substr('aeiou', ((i // 16) % 5 + 1)::INTEGER, 1);
  CREATE MACRO word(i, salt) AS
    list_reduce(list_transform(range(2 + (hash(i, salt) % 3)::INTEGER),
      lambda k: syllable(hash(i, salt, k) % 80)), lambda a, b: a || b) || substr('nrstlkm', (hash(i) % 7 + 1)::INTEGER, 1);
  CREATE MACRO check_digit(body) AS
    (10 - list_sum(list_transform(range(13), lambda k: substr(body, k + 1, 1)::INTEGER * if(k % 2 = 0, 3, 1))) % 10) % 10;`

/** One row per listing: five retailers in two countries sell each product, each with another word order in its name. */
const FEED = `
  WITH product AS (
    SELECT id, word(draw(id, 1, 20000)::INTEGER, 'brand') AS brand, word(draw(id, 2, 3000)::INTEGER, 'line') AS line,
      word(draw(id, 3, 1500)::INTEGER, 'noun') AS noun, word(draw(id, 4, 400)::INTEGER, 'quality') AS quality,
      word(draw(id, 5, 40)::INTEGER, 'colour') AS colour,
      upper(substr(word(id, 'model'), 1, 2)) || '-' || (1000 + hash(id, 6) % 9000) AS model,
      (1 + hash(id, 7) % 64) || (['oz', ' ct', ' in', 'GB', ' lb'])[(1 + hash(id, 8) % 5)::INTEGER] AS size,
      lpad((600000000000 + id)::VARCHAR, 13, '0') AS body
    FROM range($products) AS made(id)
  )
  SELECT 'shop' || offer AS platform, if(offer % 2 = 0, 'us', 'ca') AS country, 'S' || offer || '-' || id AS listing_id,
    TIMESTAMP '2026-11-20 12:00:00' AS observed_at, (1 + hash(id, offer) % 20000) / 100.0 AS price, brand, model,
    CASE offer % 3
      WHEN 0 THEN concat_ws(' ', brand, line, quality, noun, model || ',', size || ',', colour)
      WHEN 1 THEN concat_ws(' ', brand, quality, noun, line, size, colour, model)
      ELSE concat_ws(' - ', concat_ws(' ', brand, line, noun), quality, size, colour) END AS product_name,
    body || check_digit(body) AS gtin, 'https://www.shop' || offer || '.example/p/' || id AS url,
    (draw(id, 9 + offer, 30) ** 3)::INTEGER AS review_count, 'Home > Shelf ' || (hash(noun) % 200) AS category_path
  FROM product, range(10) AS sold(offer) WHERE hash(id, offer, 'sold') % 2 = 0`

/** Feeds of a generated catalogue of about this many listings, one observation each, generated once and kept. */
export const ensureCatalogue = async (listings: number): Promise<string> => {
  const feeds = join(tmpdir(), `shelfmark-bench-catalogue-${listings}`, 'feeds')
  const folder = join(feeds, 'price_observations')
  if (existsSync(join(folder, 'made.parquet'))) return feeds
  console.error(`Making a catalogue of ${listings.toLocaleString('en')} listings in ${feeds}`)
  await rm(feeds, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const connection = await openDuckDB()
  await connection.run(WORDS)
  await connection.run(`COPY (${FEED.replace('$products', String(Math.round(listings / 5)))})
    TO '${join(folder, 'made.parquet')}' (FORMAT parquet, COMPRESSION zstd)`)
  return feeds
}
