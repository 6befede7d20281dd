import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { guessTimes } from './dates.ts'
import { guessColumns } from './guess-columns.ts'
import { type NamedColumn, nameScore, wordsOf } from './names.ts'
import { guessPrices } from './prices.ts'
import { filledOf, shareOf } from './values.ts'

/** Columns with one value per product, shop or date, as the mapping key `unpivot` names them. */
export type Unpivot = { columns: string[]; name_to: string; value_to: string }

/** Names of columns that are computed from the others. */
const DERIVED = /^(?:best|min|max|avg|average|mean|median|total|sum|lowest|highest|最安|最高|平均|合計)(?:\b|_|値|$)/i
const OTHER_AMOUNTS: readonly NamedColumn[] = [
  'listing_id',
  'gtin',
  'star_rating',
  'review_count',
  'availability',
  'size_value',
  'observed_at',
  'pack_count',
  'unit_price',
  'views',
  'likes',
  'comments',
  'shares',
]
const MIN_COLUMNS = 2
const MAX_RATIO = 3000

const isYear = (values: readonly string[]): boolean => values.every((value) => /^(?:19|20)\d\d$/.test(value))

/** The median of a column of amounts; null for anything else. */
const medianAmount = ({ name, values, type, sql }: SampledColumn): number | null => {
  const filled = filledOf(values)
  if (sql !== undefined || name === '' || filled.length === 0 || DERIVED.test(name)) return null
  const { share, positive } = guessPrices(values, type)
  if (share < 0.9 || positive === 0 || isYear(filled) || new Set(filled).size < Math.min(3, filled.length)) return null
  if (OTHER_AMOUNTS.some((column) => nameScore(name, column) > 0.8) || /(?:_num|_id|^lat|^lon|^lng)/i.test(name))
    return null
  const numbers = filled.map((value) => Number(value.replace(/[^\d.]/g, ''))).sort((a, b) => a - b)
  return numbers[numbers.length >> 1] ?? null
}

/** The longest run of neighbouring columns with amounts of similar size. */
const widest = (columns: readonly SampledColumn[]): SampledColumn[] => {
  let [best, run]: [SampledColumn[], SampledColumn[]] = [[], []]
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (const column of columns) {
    const amount = medianAmount(column)
    const [lower, upper] = [Math.min(low, amount ?? low), Math.max(high, amount ?? high)]
    const fits = amount !== null && amount > 0 && upper / lower < MAX_RATIO
    run = fits ? [...run, column] : []
    ;[low, high] = fits ? [lower, upper] : [Number.POSITIVE_INFINITY, 0]
    if (run.length > best.length) best = run
  }
  return best
}

const areDates = (names: readonly string[]): boolean =>
  names.length > 2 &&
  (guessTimes(names).share > 0.95 || names.every((name) => /^(?:19|20)\d\d(?:[-_/]?\d\d)?$/.test(name)))

const hasPriceWord = (texts: readonly string[]): boolean =>
  texts.some((text) => wordsOf(text).some((word) => nameScore(word, 'price') >= 0.95))

const MAX_SPREAD = 1.6

/** Whether most rows have similar amounts in these columns, as shops ask for one product. */
const areSimilar = (columns: readonly SampledColumn[]): boolean => {
  const rows = (columns[0]?.values ?? []).map((_, row) =>
    columns.flatMap(({ values }) => (Number(values[row]) > 0 ? [Number(values[row])] : [])),
  )
  const pairs = rows.filter((amounts) => amounts.length > 1)
  return pairs.length > 2 && shareOf(pairs, (amounts) => Math.max(...amounts) / Math.min(...amounts) < MAX_SPREAD) > 0.7
}

const haveCents = (columns: readonly SampledColumn[]): boolean =>
  columns.some(({ values }) => values.some((value) => /\d[.,]\d\d$/.test(value.trim())))

/** What the names of the columns are: dates, shops where rows name products, otherwise products; null if nothing tells. */
const nameTarget = (
  file: SampledFile,
  names: readonly string[],
): 'observed_at' | 'platform' | 'product_name' | null => {
  const others = guessColumns(file.columns.filter(({ name }) => !names.includes(name)))
  const has = (wanted: string) => others.some(({ column }) => column === wanted)
  const rest = file.columns.filter(({ name }) => !names.includes(name)).map(({ name }) => name)
  const isPriced = hasPriceWord([file.path, ...rest])
  const columns = file.columns.filter(({ name }) => names.includes(name))
  const isOfProducts = has('product_name') || has('listing_id')
  if (areDates(names)) return isPriced || (isOfProducts && haveCents(columns)) ? 'observed_at' : null
  if (has('product_name')) return isPriced || areSimilar(columns) ? 'platform' : null
  return isPriced || hasPriceWord(names) ? 'product_name' : null
}

/** The columns of a wide table to unpivot; null if it has a price or nothing says that its numbers are prices. */
const guessUnpivot = (file: SampledFile): Unpivot | null => {
  if (file.format === 'parquet' || guessColumns(file.columns).some(({ column }) => column === 'price')) return null
  const columns = widest(file.columns).map(({ name }) => name)
  const minimum = file.format === 'csv' || file.format === 'xlsx' ? MIN_COLUMNS + 1 : MIN_COLUMNS
  const name_to = columns.length < minimum ? null : nameTarget(file, columns)
  const isFree = name_to !== null && !file.columns.some(({ name }) => name === name_to || name === 'price')
  return isFree ? { columns, name_to, value_to: 'price' } : null
}

/** A wide table as a long one, with its rows as `unpivot` makes them; others as they are. */
export const withUnpivot = (file: SampledFile): SampledFile => {
  const unpivot = guessUnpivot(file)
  if (unpivot === null) return file
  const { columns, name_to, value_to } = unpivot
  const wide = file.columns.filter(({ name }) => columns.includes(name))
  const rows = (wide[0]?.values ?? []).flatMap((_, row) =>
    wide.flatMap(({ name, values }) => (values[row]?.trim() ? [{ row, name, value: values[row] }] : [])),
  )
  // Neighbouring rows of the sample stay together; a part of them is enough.
  const taken = rows.slice(0, 5000)
  const long = file.columns
    .filter(({ name }) => !columns.includes(name))
    .map((column) => ({ ...column, values: taken.map(({ row }) => column.values[row] ?? '') }))
  return {
    ...file,
    unpivot,
    columns: [
      ...long,
      { name: name_to, values: taken.map(({ name }) => name) },
      { name: value_to, values: taken.map(({ value }) => value) },
    ],
  }
}
