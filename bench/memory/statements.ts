import { rowsOfFile, type Steps } from '../copies/statements.ts'

/** Brands of the sample are split into this many, so that a large lake has many brands. */
export const BRANDS = 50
/** Words that name product lines, the first the most frequent; a model is shared by about four listings. */
const SERIES = 50_000
const PER_MODEL = 4

/**
 * Words that no name of the sample has. Syllables, so that they read as single words in the singular; `reading` has of each
 * listing of the sample its keys as the engine normalizes them.
 */
export const wordMacros = ({ copies, listings }: Steps): string => `
  CREATE MACRO syllable(i) AS
    substr('bdfghjklmnprtvwz', (i % 16 + 1)::INTEGER, 1) || substr('aeiou', ((i // 16) % 5 + 1)::INTEGER, 1);
  CREATE MACRO syllables(i) AS syllable(i % 80) || syllable(i // 80 % 80) || syllable(i // 6400 % 80) || syllable(i // 512000 % 80);
  CREATE MACRO series(listing, k) AS
    syllables(((hash(listing, k) % 1000003 / 1000003.0) ** 3 * ${SERIES})::BIGINT * 7919 % 40960000) || 'q';
  CREATE MACRO model(listing, k) AS
    syllables((hash(listing, k, 'model') % ${Math.ceil((copies * listings) / PER_MODEL)})::BIGINT * 7919 % 40960000) || 'qx';
  CREATE MACRO marked(text, k) AS text || CASE WHEN k = 0 THEN '' ELSE 'k' || k END;
  CREATE MACRO brand_of(brand_id, k, step) AS (brand_id + (k % ${BRANDS}) * step)::INTEGER;
  CREATE MACRO brand_named(brand, k) AS
    brand || CASE WHEN k % ${BRANDS} = 0 THEN '' ELSE ' ' || syllables(k % ${BRANDS} * 7919) || 'q' END;
  CREATE MACRO raised(price, k) AS (price::BIGINT * (100 + (k * 37) % 41) // 100)::INTEGER;`

type RowsOf = (file: string, copies: number) => string

/** The rows of a file with a column `k` for each copy; copies of a row follow each other. */
const copied = (file: string, copies: number): string =>
  `(SELECT *, unnest(range(${copies})) AS k FROM ${rowsOfFile(file)})`

const facts =
  (replace: string, order: string): RowsOf =>
  (file, copies) =>
    `SELECT * EXCLUDE (k) REPLACE ((listing_id * ${copies} + k)::INTEGER AS listing_id ${replace})
    FROM ${copied(file, copies)} ORDER BY ${order}`

const PRICED = ', raised(price, k) AS price'
const BRANDED = ", brand_of(brand_id, k, getvariable('brands')) AS brand_id"

/** The rows of a file that copies share, with counts of all of them. */
const multiplied =
  (...counts: string[]): RowsOf =>
  (file, copies) => {
    const columns = counts.map((count) => `(${count} * ${copies})::INTEGER AS ${count}`)
    return `SELECT * REPLACE (${columns.join(', ')}) FROM ${rowsOfFile(file)}`
  }

/** The tables of which each copy has rows of its own. Shelves, categories and retailers are shared. */
const tables: Record<string, RowsOf> = {
  observations: facts(`${PRICED}, raised(list_price, k) AS list_price ${BRANDED}`, 'category_id, listing_id, day'),
  observation_times: facts('', 'category_id, listing_id, day'),
  listing_months: facts(PRICED + BRANDED, 'category_id, listing_id, period'),
  shelf_days: multiplied('observation_count'),
  department_days: multiplied('started_count', 'ended_count', 'observation_count'),
  categories: multiplied('product_count'),
  retailers: multiplied('product_count'),
  brands: (file, copies) => `
    SELECT * EXCLUDE (k) REPLACE (brand_of(brand_id, k, getvariable('brands')) AS brand_id,
      (product_count * ${copies} // ${BRANDS})::INTEGER AS product_count,
      brand_named(brand_norm, k) AS brand_norm, brand_named(brand, k) AS brand)
    FROM ${copied(file, Math.min(BRANDS, copies))} ORDER BY brand_id`,
  listings: (file, copies) => `
    SELECT * EXCLUDE (k) REPLACE ((listing_id * ${copies} + k)::INTEGER AS listing_id ${BRANDED},
      brand_named(brand, k) AS brand, raised(price, k) AS price, raised(list_price, k) AS list_price,
      marked(product_uid, k) AS product_uid, marked(entity_uid, k) AS entity_uid, marked(product_id, k) AS product_id,
      marked(url, k) AS url, CASE WHEN k = 0 THEN gtin14 END AS gtin14,
      concat_ws(' ', product_name, series(listing_id, k), model(listing_id, k)) AS product_name)
    FROM ${copied(file, copies)}`,
}

/** The rows of a file of a sample, copied; null for what copies share. */
export const scaledRows = (file: string, table: string, { copies }: Steps): string | null =>
  tables[table]?.(file, copies) ?? null

/** What was read of the texts of copies: the words of the sample's and two more, and keys of their own. */
export const scaledReadings = (readings: string, { copies }: Steps): string => `
  SELECT (listing_id * ${copies} + k)::INTEGER AS listing_id, (word_count + 2)::INTEGER AS word_count,
    concat_ws(' ', words, series(listing_id, k), model(listing_id, k)) AS words,
    list_transform(list_filter([
      marked(id_key, k), marked(url_key, k), concat_ws(' ', title_key, series(listing_id, k), model(listing_id, k))
    ], lambda key: key IS NOT NULL), lambda key: md5_number_lower(key)) AS keys
  FROM (SELECT *, unnest(range(${copies})) AS k FROM (${readings}) JOIN reading USING (listing_id))`
