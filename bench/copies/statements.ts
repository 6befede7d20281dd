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
  shelf_months: (steps, k) => moved(steps, k).slice(0, 1),
  department_days: (steps, k) => moved(steps, k).slice(0, 1),
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

/** The words of copies are those of the sample, which alone keeps the keys of its texts: copies are found by their uids. */
export const copiedReadings = (readings: string, { copies, listings }: Steps): string =>
  `SELECT (listing_id + k * ${listings})::INTEGER AS listing_id, word_count, words, CASE WHEN k = 0 THEN keys END AS keys
  FROM (${readings}), range(${copies}) AS copy(k)`

/** The rows of a file of a sample, copied; null for what copies share. */
export const copiedRows = (file: string, table: string, steps: Steps): string | null => {
  const replace = inOrder[table]
  return replace ? copiesInOrder(file, replace, steps) : null
}

const MAX_GROUP = 122_880
const MIN_GROUP = 20_480

/** Rows of a row group as a refresh writes them (data/README.md). */
export const rowGroupOf = (table: string, rows: number): number =>
  ['listing_months', 'shelf_days'].includes(table)
    ? Math.min(MAX_GROUP, Math.max(MIN_GROUP, Math.ceil(rows / 24)))
    : MAX_GROUP
