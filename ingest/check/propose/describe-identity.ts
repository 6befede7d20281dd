import { hasWord, nameScore, wordsOf } from '../columns/names.ts'
import { guessPrices } from '../columns/prices.ts'
import { hasLetters, isInteger, isUrl, profile, shareOf } from '../columns/values.ts'
import type { SampledColumn } from '../read/sample.ts'
import { columnNamed, type Draft, guessed, take } from './draft.ts'
import * as messages from './messages.ts'

const keyOf = (columns: readonly SampledColumn[], row: number): string =>
  columns.map(({ values }) => values[row] ?? '').join('\u001f')

/** The share of rows that share their key with another row but not its value; without a value, that share their key. */
const conflictShare = (keys: readonly SampledColumn[], value: SampledColumn | undefined): number => {
  const rows = keys[0]?.values.length ?? 0
  const seen = new Map<string, { count: number; values: Set<string> }>()
  for (let row = 0; row < rows; row += 1) {
    const key = keyOf(keys, row)
    const entry = seen.get(key) ?? { count: 0, values: new Set() }
    entry.count += 1
    entry.values.add(value ? (value.values[row] ?? '') : String(row))
    seen.set(key, entry)
  }
  const conflicting = [...seen.values()].filter(({ values }) => values.size > 1)
  return rows === 0 ? 0 : conflicting.reduce((sum, { count }) => sum + count, 0) / rows
}

const MIN_CONFLICT = 0.02

const present = (columns: readonly (SampledColumn | undefined)[]): SampledColumn[] =>
  columns.filter((column) => column !== undefined)

/** The columns that distinguish rows of the same listing; each file may be from another retailer. */
const contextColumns = (draft: Draft): SampledColumn[] => {
  const file = { name: '(file)', values: draft.paths }
  return present([file, guessed(draft, 'platform'), guessed(draft, 'country'), guessed(draft, 'observed_at')])
}

const mapId = (draft: Draft, id: SampledColumn): void => {
  const price = guessed(draft, 'price')
  const base = [...contextColumns(draft), id]
  const conflict = price && draft.feed === 'price_observations' ? conflictShare(base, price) : 0
  const others = draft.columns.filter(
    ({ name, values, sql }) =>
      sql === undefined &&
      !isAmount({ name, values }) &&
      !base.some((column) => column.name === name) &&
      (hasWord(name, 'place') || hasWord(name, 'variant')),
  )
  const [best] = others
    .map((column) => ({ column, conflicts: conflictShare([...base, column], price) }))
    .sort((a, b) => a.conflicts - b.conflicts)
  if (conflict < MIN_CONFLICT || best === undefined || best.conflicts > conflict / 2) {
    take(draft, 'listing_id', id)
    if (conflict >= MIN_CONFLICT) draft.notes.push(messages.idShared(id.name, conflict))
    return
  }
  for (const { name } of [best.column, id]) draft.used.add(name)
  draft.description.listing_id_from = [best.column.name, id.name]
  draft.decisions.push(messages.idWithin(id.name, best.column.name))
}

const MAX_LENGTH = 2000
const NOT_OF_LISTING = /^(?:row|rank|position|index|price|prix|stock|rating|review|date|time|image|img|count|views?)$/

const NUMERIC_NAMES = ['price', 'list_price', 'unit_price', 'shipping_price'] as const

/** Whether a column has amounts, which never identify a listing. */
const isAmount = ({ name, values, type }: SampledColumn): boolean =>
  NUMERIC_NAMES.some((column) => nameScore(name, column) > 0.4) && guessPrices(values, type).share > 0.5

/** Whether a column counts the rows: 1, 2, 3 ... */
const isCounter = ({ values }: SampledColumn): boolean => {
  const numbers = values.filter(isInteger).map(Number)
  const steps = numbers.filter((number, index) => number - (numbers[index - 1] ?? Number.NaN) === 1).length
  const [first = Number.NaN] = numbers
  return first <= 1 && numbers.length > 20 && numbers.length === values.length && steps > 0.95 * (numbers.length - 1)
}

/** Whether a column of numbers or flags names a place or a variant, such as the number of a branch. */
const isPlaceOrVariant = (column: SampledColumn): boolean =>
  (hasWord(column.name, 'place') || hasWord(column.name, 'variant')) && !isAmount(column)

/** Columns that may describe a product and do not change over time. */
const describing = (draft: Draft): SampledColumn[] =>
  draft.columns.filter((column) => {
    const { filled, distinct, rows } = profile(column.values)
    const isGuessed = [...draft.guesses.values()].some(
      ({ source, column: ours }) =>
        source === column.name && !['category_path', 'brand', 'model', 'size_value', 'mpn'].includes(ours),
    )
    const isText = shareOf(filled, (value) => hasLetters(value) && value.length < MAX_LENGTH) > 0.5
    const isSame = distinct < 2 && rows > 20
    return (
      column.sql === undefined &&
      !isGuessed &&
      (isText || isPlaceOrVariant(column)) &&
      !isSame &&
      !isAmount(column) &&
      !isCounter(column) &&
      !wordsOf(column.name).some((word) => NOT_OF_LISTING.test(word))
    )
  })

const MIN_GAIN = 0.1

/** The fewest descriptive columns that distinguish the rows of one time. */
const identity = (draft: Draft, name: SampledColumn): SampledColumn[] => {
  const moment = contextColumns(draft)
  const category = guessed(draft, 'category_path')
  let keys = category && category.sql === undefined ? [category, name] : [name]
  let conflicts = conflictShare([...moment, ...keys], undefined)
  while (conflicts > 0.005 && keys.length < 6) {
    const tried = describing(draft)
      .filter((column) => !keys.includes(column))
      .map((column) => ({ column, conflicts: conflictShare([...moment, ...keys, column], undefined) }))
      .sort((a, b) => a.conflicts - b.conflicts)
    const [best] = tried
    if (best === undefined || best.conflicts > conflicts * (1 - MIN_GAIN)) break
    keys = [...keys, best.column]
    conflicts = best.conflicts
  }
  return keys
}

const mapIdColumns = (draft: Draft): void => {
  const gtin = guessed(draft, 'gtin')
  const url = guessed(draft, 'url')
  const name = guessed(draft, 'product_name')
  const complete = present([gtin, url]).find(({ values, sql }) => sql === undefined && profile(values).fill > 0.98)
  if (complete && (complete === gtin || shareOf(complete.values, isUrl) > 0.9)) {
    draft.used.add(complete.name)
    draft.description.listing_id_from = [complete.name]
    draft.decisions.push(messages.noId([complete.name]))
  } else if (name && name.sql === undefined) {
    const keys = identity(draft, name)
    for (const key of keys) draft.used.add(columnNamed(draft, key.name).name)
    draft.description.listing_id_from = keys.map((key) => key.name)
    draft.decisions.push(messages.noId(keys.map((key) => key.name)))
  } else draft.decisions.push(messages.noId([]))
}

/** Whether an id numbers rows rather than listings: it counts them, or never repeats although product names do. */
const isRowNumber = (draft: Draft, id: SampledColumn): boolean => {
  const [name, time] = [guessed(draft, 'product_name'), guessed(draft, 'observed_at')]
  const { distinct, filled } = profile(id.values)
  if (isCounter(id)) return true
  if (!name || !time || filled.length < 50 || distinct < filled.length || !filled.every(isInteger)) return false
  return profile(name.values).distinct < 0.6 * filled.length && profile(time.values).distinct > 1
}

/** An id that fewer rows have does not identify all listings. */
const MIN_FILL = 0.995

/** Maps the id of each listing, or the columns that replace it. */
export const describeIdentity = (draft: Draft): void => {
  if (draft.feed === 'social_posts') {
    const id = guessed(draft, 'post_id')
    if (id) take(draft, 'post_id', id)
    else draft.decisions.push(messages.noPostId)
    return
  }
  const id = guessed(draft, 'listing_id')
  const name = guessed(draft, 'product_name')
  if (id && name && id.sql === undefined && name.sql === undefined && profile(id.values).fill < MIN_FILL) {
    draft.used.add(id.name)
    draft.description.listing_id_from = [id.name, name.name]
    draft.decisions.push(messages.noId([id.name, name.name]))
  } else if (id && !isRowNumber(draft, id)) mapId(draft, id)
  else mapIdColumns(draft)
}
