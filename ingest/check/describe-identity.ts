import { columnNamed, type Draft, guessed, take } from './draft.ts'
import * as messages from './messages.ts'
import { wordsOf } from './names.ts'
import type { SampledColumn } from './sample.ts'
import { hasLetters, isInteger, isUrl, profile, shareOf } from './values.ts'

/** Words for columns that can distinguish listings with the same id but different prices. */
const PLACES = new Set(
  'store location branch city region zone shop site outlet magasin succursale ville emplacement warehouse market'.split(
    ' ',
  ),
)
const VARIANTS = new Set(
  'variant size color colour format taille couleur grandeur pack flavor flavour seller'.split(' '),
)

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
    ({ name, sql }) =>
      sql === undefined &&
      !base.some((column) => column.name === name) &&
      wordsOf(name).some((word) => PLACES.has(word) || VARIANTS.has(word)),
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
      isText &&
      !isSame &&
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

/** Whether an id numbers rows rather than listings: it never repeats although product names do. */
const isRowNumber = (draft: Draft, id: SampledColumn): boolean => {
  const [name, time] = [guessed(draft, 'product_name'), guessed(draft, 'observed_at')]
  const { distinct, filled } = profile(id.values)
  if (!name || !time || filled.length < 50 || distinct < filled.length || !filled.every(isInteger)) return false
  return profile(name.values).distinct < 0.6 * filled.length && profile(time.values).distinct > 1
}

/** Maps the id of each listing, or the columns that replace it. */
export const describeIdentity = (draft: Draft): void => {
  if (draft.feed === 'social_posts') {
    const id = guessed(draft, 'post_id')
    if (id) take(draft, 'post_id', id)
    else draft.decisions.push(messages.noPostId)
    return
  }
  const id = guessed(draft, 'listing_id')
  if (id && !isRowNumber(draft, id)) mapId(draft, id)
  else mapIdColumns(draft)
}
