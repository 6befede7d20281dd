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

const inFolder = (file: string, table: string, other: string): string => rowsOfFile(file.replace(table, other))

/** The words that copies add to a country's index, with the places of their listings. */
const addedWords = (file: string, table: string, copies: number): string => `(
  SELECT unnest([series(listing_id, k), model(listing_id, k)]) AS word, (place * ${copies} + k)::INTEGER AS place
  FROM (SELECT listing_id, place, unnest(range(${copies})) AS k
    FROM (SELECT listing_id, row_number() OVER () - 1 AS place FROM ${inFolder(file, table, 'search_listings')})))`

const words = (file: string, table: string, copies: number): string => `
  SELECT word, (listing_count * ${copies})::INTEGER AS listing_count FROM ${inFolder(file, table, 'search_words')}
  UNION ALL
  SELECT word, count(*)::INTEGER AS listing_count FROM ${addedWords(file, table, copies)} GROUP BY word`

/** The tables of which each copy has rows of its own. Shelves, categories and retailers are shared. */
const tables: Record<string, RowsOf> = {
  observations: facts(`${PRICED}, raised(list_price, k) AS list_price ${BRANDED}`, 'category_id, listing_id, day'),
  observation_times: facts('', 'category_id, listing_id, day'),
  listing_months: facts(PRICED + BRANDED, 'category_id, listing_id, period'),
  shelf_days: (file, copies) =>
    `SELECT * REPLACE ((observation_count * ${copies})::INTEGER AS observation_count) FROM ${rowsOfFile(file)}`,
  categories: (file, copies) =>
    `SELECT * REPLACE ((product_count * ${copies})::INTEGER AS product_count) FROM ${rowsOfFile(file)}`,
  retailers: (file, copies) =>
    `SELECT * REPLACE ((product_count * ${copies})::INTEGER AS product_count) FROM ${rowsOfFile(file)}`,
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
  search_words: (file, copies) => `${words(file, 'search_words', copies)} ORDER BY word`,
  search_postings: (file, copies) => `
    WITH numbered AS (
      SELECT word, row_number() OVER (ORDER BY word) AS number FROM (${words(file, 'search_postings', copies)})
    ), first AS (
      SELECT word, sum(listing_count) OVER (ORDER BY word) - listing_count AS first_position
      FROM ${inFolder(file, 'search_postings', 'search_words')}
    ), posting AS (
      SELECT place, row_number() OVER () - 1 AS position FROM ${rowsOfFile(file)}
    ), found AS (
      SELECT number, place
      FROM (SELECT word, place FROM posting ASOF JOIN first ON position >= first_position) JOIN numbered USING (word)
    )
    SELECT (of & 4294967295)::INTEGER AS place FROM (
      SELECT (number << 32) | (place * ${copies} + k) AS of FROM (SELECT *, unnest(range(${copies})) AS k FROM found)
      UNION ALL
      SELECT (number << 32) | place FROM ${addedWords(file, 'search_postings', copies)} JOIN numbered USING (word)
    ) ORDER BY of`,
  search_keys: (file, copies) => `
    WITH placed AS (
      SELECT listing_id, row_number() OVER () - 1 AS place FROM ${inFolder(file, 'search_keys', 'search_listings')}
    ), listing AS (
      SELECT * FROM placed JOIN ${inFolder(file, 'search_keys', 'listings')} USING (listing_id)
        JOIN reading USING (listing_id)
    )
    SELECT md5_number_lower(unnest(list_filter([
        marked(product_uid, k), marked(entity_uid, k), marked(id_key, k), marked(url_key, k),
        CASE WHEN k = 0 THEN 'gtin ' || gtin14 END, concat_ws(' ', title_key, series(listing_id, k), model(listing_id, k))
      ], lambda key: key IS NOT NULL)))::UBIGINT AS key, (place * ${copies} + k)::INTEGER AS place
    FROM (SELECT *, unnest(range(${copies})) AS k FROM listing) ORDER BY key, place`,
  search_listings: (file, copies) => `
    SELECT * EXCLUDE (k, entity_uid, file_row_number) REPLACE ((listing_id * ${copies} + k)::INTEGER AS listing_id, ("row" * ${copies} + k)::INTEGER AS "row",
      CASE WHEN entity_key = 0 THEN entity_key ELSE md5_number_lower(marked(entity_uid, k))::UBIGINT END AS entity_key,
      (word_count + 2)::INTEGER AS word_count)
    FROM (SELECT found.*, entity_uid, unnest(range(${copies})) AS k
      FROM read_parquet('${file}', hive_partitioning = false, file_row_number = true) AS found
        JOIN reading USING (listing_id))
    ORDER BY file_row_number, k`,
}

/** The rows of a file of a sample, copied; null for what copies share. */
export const scaledRows = (file: string, table: string, { copies }: Steps): string | null =>
  tables[table]?.(file, copies) ?? null
