/** What copies of a lake are numbered by: ids of copy k are those of the sample plus k times these. */
export type Steps = { copies: number; categories: number; listings: number }

/** Prices of a copy are up to 40 % higher, so that copies do not repeat the same few prices. */
const raised = (column: string, k: number): string =>
  `(${column}::BIGINT * ${100 + ((k * 37) % 41)} // 100)::INTEGER AS ${column}`
const moved = ({ categories, listings }: Steps, k: number): string[] => [
  `(category_id + ${k * categories})::INTEGER AS category_id`,
  `(listing_id + ${k * listings})::INTEGER AS listing_id`,
]
/** A text that names one thing of one copy; copy 0 is the sample itself. */
const marked = (column: string, k: number, text = `${column} || '-${k}'`): string =>
  `CASE WHEN ${column} IS NOT NULL THEN ${text} END AS ${column}`

/** The rows of one file, without the column of its folder. */
export const rowsOfFile = (file: string): string => `read_parquet('${file}', hive_partitioning = false)`

type Replace = (steps: Steps, k: number) => string[]

/** Tables sorted by category: their copies follow each other, so nothing is sorted again. */
const inOrder: Record<string, Replace> = {
  observations: (steps, k) => [...moved(steps, k), raised('price', k), raised('list_price', k)],
  observation_times: moved,
  listing_months: (steps, k) => [...moved(steps, k), raised('price', k)],
  listing_sizes: (steps, k) => moved(steps, k).slice(1),
  shelf_days: (steps, k) => moved(steps, k).slice(0, 1),
  listings: (steps, k) => [
    ...moved(steps, k),
    raised('price', k),
    raised('list_price', k),
    marked('product_uid', k),
    marked('entity_uid', k),
    marked('product_id', k),
    marked('url', k),
  ],
  categories: (steps, k) => [
    ...moved(steps, k).slice(0, 1),
    `(category_last + ${k * steps.categories})::INTEGER AS category_last`,
    ...['path', 'department', 'parent_path'].map((column) => marked(column, k, `'copy-${k}-' || ${column}`)),
    marked('name', k, `name || ' ${k}'`),
    '[]::VARCHAR[] AS aliases',
    '[]::VARCHAR[] AS gpc_codes',
  ],
}

/** The rows of a file for each copy, in the order of the file. */
const copiesInOrder = (file: string, replace: Replace, steps: Steps): string =>
  Array.from({ length: steps.copies }, (_, k) => {
    const columns = k === 0 ? '*' : `* REPLACE (${replace(steps, k).join(', ')})`
    return `SELECT ${columns} FROM read_parquet('${file}', hive_partitioning = false)`
  }).join(' UNION ALL ')

/** The key by which a uid of copy k is looked up. */
const uidKey = (column: string): string => `md5_number_lower(${column} || '-' || k)::UBIGINT`

/**
 * The search index of copies (data/search.md): the copies of a listing are next to each other, so that place p of the sample
 * becomes the places from p times the copies on; words stay the same.
 */
const indexed: Record<string, (file: string, steps: Steps) => string> = {
  search_words: (file, { copies }) =>
    `SELECT word, (listing_count * ${copies})::INTEGER AS listing_count FROM read_parquet('${file}', hive_partitioning = false)`,
  search_postings: (file, { copies }) => `
    WITH posting AS (
      SELECT place, row_number() OVER () - 1 AS position FROM read_parquet('${file}', hive_partitioning = false)
    ), word AS (
      SELECT number, sum(listing_count) OVER (ORDER BY number) - listing_count AS first_position
      FROM (SELECT listing_count, row_number() OVER () AS number
            FROM read_parquet('${file.replace('search_postings', 'search_words')}', hive_partitioning = false))
    )
    SELECT (place * ${copies} + k)::INTEGER AS place
    FROM posting ASOF JOIN word ON posting.position >= word.first_position, range(${copies}) AS copy(k)
    ORDER BY number, place * ${copies} + k`,
  // The sample keeps its keys; copies are found by their uids alone.
  search_keys: (file, steps) => `
    WITH placed AS (
      SELECT product_uid, entity_uid, place
      FROM (SELECT listing_id, row_number() OVER () - 1 AS place
            FROM read_parquet('${file.replace('search_keys', 'search_listings')}', hive_partitioning = false))
        JOIN read_parquet('${file.replace('search_keys', 'listings')}', hive_partitioning = false) USING (listing_id)
    ), uid AS (
      SELECT product_uid AS uid, place FROM placed UNION ALL SELECT entity_uid, place FROM placed WHERE entity_uid IS NOT NULL
    )
    SELECT key, place FROM (
      SELECT key, (place * ${steps.copies})::INTEGER AS place FROM read_parquet('${file}', hive_partitioning = false)
      UNION ALL
      SELECT ${uidKey('uid')}, (place * ${steps.copies} + k)::INTEGER FROM uid, range(1, ${steps.copies}) AS copy(k)
    ) ORDER BY key, place`,
  search_listings: (file, { copies, categories, listings }) => `
    WITH known AS (
      SELECT found.*, entity_uid, min("row") OVER () AS first_row, count(*) OVER () AS row_count
      FROM read_parquet('${file}', hive_partitioning = false, file_row_number = true) AS found
        JOIN read_parquet('${file.replace('search_listings', 'listings')}', hive_partitioning = false) USING (listing_id)
    )
    SELECT (listing_id + k * ${listings})::INTEGER AS listing_id, (category_id + k * ${categories})::INTEGER AS category_id,
      (first_row * ${copies} + k * row_count + ("row" - first_row))::INTEGER AS "row", retailer_id,
      CASE WHEN entity_key = 0 OR k = 0 THEN entity_key ELSE ${uidKey('entity_uid')} END AS entity_key, word_count, accessory
    FROM known, range(${copies}) AS copy(k) ORDER BY file_row_number, k`,
}

/** The rows of a file of a sample, copied; null for what copies share. */
export const copiedRows = (file: string, table: string, steps: Steps): string | null => {
  const replace = inOrder[table]
  if (replace) return copiesInOrder(file, replace, steps)
  const rows = indexed[table]?.(file, steps)
  return rows === undefined ? null : `SELECT *, '${/country=(\w+)/.exec(file)![1]}' AS country FROM (${rows})`
}

const MAX_GROUP = 122_880
const MIN_GROUP = 20_480

/** Rows of a row group as a refresh writes them (data/README.md). */
export const rowGroupOf = (table: string, rows: number): number =>
  ['listing_months', 'shelf_days'].includes(table)
    ? Math.min(MAX_GROUP, Math.max(MIN_GROUP, Math.ceil(rows / 24)))
    : MAX_GROUP
