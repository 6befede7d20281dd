import type { Column } from '../../feeds/columns.ts'
import { plainText } from '../../text/plain.ts'
import { conflictShare } from '../columns/features.ts'
import { percent } from '../columns/kinds.ts'
import { hasWord, nameScore, wordsOf } from '../columns/names.ts'
import type { SampledColumn } from '../read/sample.ts'
import { type Draft, decide, guessed, note, sourceOf, state, take } from './draft.ts'
import { platformKey } from './platform.ts'

/** The columns that distinguish rows of the same listing; each file may be from another retailer. */
const contextOf = (draft: Draft): SampledColumn[] => [
  { name: '(file)', values: draft.paths },
  ...(['platform', 'country', 'observed_at'] as const).flatMap((column) => guessed(draft, column) ?? []),
]

/** The column that with these leaves least conflicts, and how many. */
const bestOf = (columns: readonly SampledColumn[], keys: readonly SampledColumn[], value?: SampledColumn) =>
  columns
    .filter(({ name }) => !keys.some((key) => key.name === name))
    .map((column) => ({ column, conflicts: conflictShare([...keys, column], value) }))
    .sort((a, b) => a.conflicts - b.conflicts)[0]

const AMOUNTS = ['price', 'list_price', 'unit_price', 'shipping_price'] as const

/** Whether a column has amounts, which never identify a listing. */
const isAmount = (column: SampledColumn): boolean =>
  AMOUNTS.some((amount) => nameScore(column.name, amount) > 0.4) && sourceOf(column).price().share > 0.5

/** Whether a column names a place or a variant, such as the number of a branch. */
const isPlaceOrVariant = (column: SampledColumn): boolean =>
  (hasWord(column.name, 'place') || hasWord(column.name, 'variant')) && !isAmount(column)

const identifyBy = (draft: Draft, ...names: readonly string[]): void => {
  draft.reads.set('listing_id', names)
  draft.description.listing_id_from = [...names]
}

const MIN_CONFLICT = 0.02

const priceOf = (draft: Draft) => (draft.feed === 'price_observations' ? guessed(draft, 'price') : undefined)

/** Maps the id, with the place or variant without which it has several prices at once. */
const mapId = (draft: Draft, id: SampledColumn) => {
  const price = priceOf(draft)
  const base = [...contextOf(draft), id]
  const conflict = price ? conflictShare(base, price) : 0
  const others = draft.columns.filter((column) => column.sql === undefined && isPlaceOrVariant(column))
  const best = conflict < MIN_CONFLICT ? undefined : bestOf(others, base, price)
  if (best === undefined || best.conflicts > conflict / 2) {
    if (conflict > MAX_CONFLICTS && id.sql === undefined) return mapIdColumns(draft, id)
    take(draft, 'listing_id', id)
    if (conflict >= MIN_CONFLICT) note(draft, 'idShared', { id: id.name, share: percent(conflict) })
    return
  }
  const place = best.column.name
  // A branch is part of the identity of its own key, as long as the id is a column.
  if (hasWord(place, 'place') && id.sql === undefined) {
    take(draft, 'listing_id', id)
    draft.reads.set('listing_id', [id.name, place])
    draft.description.store = place
  } else identifyBy(draft, place, id.name)
  decide(draft, 'idWithin', { id: id.name, place, columns: { platform: place, listing_id: id.name } })
}

const MIN_COUNTED = 20

/** Whether a column counts the rows: 1, 2, 3 ... */
const isCounter = (column: SampledColumn): boolean => {
  const { share, filled, rows } = sourceOf(column)
  const numbers = filled.map((value) => Number(plainText(value)))
  const steps = numbers.filter((number, row) => row > 0 && number - numbers[row - 1]! === 1).length
  const isWhole = share('integer') === 1 && rows > MIN_COUNTED && filled.length === rows
  return isWhole && numbers[0]! <= 1 && steps > 0.95 * (rows - 1)
}

/** What fewer rows have does not identify all listings. */
const MIN_FILL = 0.995
const MAX_LENGTH = 2000
/** The year of a model tells products apart. */
const MIN_YEARS = 0.95
const NOT_OF_LISTING = /^(?:row|rank|position|index|price|prix|stock|rating|review|date|time|image|img|count|views?)$/
const MAY_IDENTIFY: ReadonlySet<Column> = new Set([
  ...(['category_path', 'brand', 'model', 'mpn'] as const),
  ...(['size_value', 'size_unit', 'condition'] as const),
])

/** Whether a column may describe a product and does not change over time. */
const isDescribing = (draft: Draft, column: SampledColumn): boolean => {
  const { share, distinct, rows, name, sql } = sourceOf(column)
  const guess = [...draft.guesses.values()].find(({ source }) => source === name)
  const isText = share('title text', (value) => /\p{L}{2}/u.test(value) && value.length < MAX_LENGTH) > 0.5
  return (
    sql === undefined &&
    name !== '' &&
    (guess === undefined || MAY_IDENTIFY.has(guess.column)) &&
    (isText ||
      guess?.column === 'size_value' ||
      isPlaceOrVariant(column) ||
      wordsOf(name).includes('id') ||
      share('year') > MIN_YEARS) &&
    (distinct > 1 || rows <= MIN_COUNTED) &&
    !isAmount(column) &&
    !hasWord(name, 'sale') &&
    !isCounter(column) &&
    !wordsOf(name).some((word) => NOT_OF_LISTING.test(word))
  )
}

const MIN_VARIED = 0.05
const MIN_GAIN = 0.1
const MAX_KEYS = 6

/** These columns and the fewest descriptive ones that distinguish the rows of one time, or those with different values. */
const fewestKeys = (
  draft: Draft,
  names: readonly SampledColumn[],
  ids: readonly SampledColumn[],
  value?: SampledColumn,
) => {
  const moment = contextOf(draft)
  const describing = [...ids, ...draft.columns.filter((column) => isDescribing(draft, column))]
  // Rows of one name with different variants, such as a grade or a unit, are of different products.
  const variants = describing.filter(
    (column) =>
      hasWord(column.name, 'variant') && sourceOf(column).fill > MIN_FILL && conflictShare(names, column) > MIN_VARIED,
  )
  const keys: SampledColumn[] = [...names, ...variants]
  let conflicts = conflictShare([...moment, ...keys], value)
  while (conflicts > 0.005 && keys.length < MAX_KEYS) {
    const best = bestOf(describing, [...moment, ...keys], value)
    if (best === undefined || best.conflicts > conflicts * (1 - MIN_GAIN)) break
    keys.push(best.column)
    conflicts = best.conflicts
  }
  return { keys: keys.map((key) => key.name), conflicts }
}

const MAX_CONFLICTS = 0.5

/** Names the listing after its file where each time has one price: a log of one product. */
const mapSingle = (draft: Draft, price: SampledColumn | undefined) => {
  const [file] = draft.files
  const id = platformKey(file!.path.replace(/\.\w+$/, ''))
  const isLog = price && guessed(draft, 'observed_at') && conflictShare(contextOf(draft), price) < MIN_CONFLICT
  if (!isLog || draft.files.length > 1 || id === '') return decide(draft, 'noId')
  state(draft, 'constants', { listing_id: id })
  decide(draft, 'oneListing', { id })
}

/** An address that more rows share, such as that of the shop, does not identify listings alone. */
const MAX_SHARED = 0.2

/** Identifies listings by their barcode or address, or by what describes them. */
const mapIdColumns = (draft: Draft, ...ids: readonly SampledColumn[]) => {
  const plain = (column: Column) => [guessed(draft, column) ?? []].flat().filter(({ sql }) => sql === undefined)
  const names = plain('product_name')
  const complete = [...plain('gtin'), ...plain('url')].find(({ fill }) => fill > 0.98)
  const isSure = complete && (complete.name === guessed(draft, 'gtin')?.name || complete.share('url') > 0.9)
  const price = priceOf(draft)
  const shared = isSure && price ? conflictShare([...contextOf(draft), complete], price) : 0
  // Without a name, the number of a part, or of what differs, names a product.
  const others = names.length > 0 ? names : [...plain('mpn'), ...plain('model'), ...ids]
  const first = shared > MAX_SHARED && complete ? [complete, ...others] : others
  const found = first.length > 0 ? fewestKeys(draft, first, ids) : { keys: [], conflicts: 0 }
  // Where most rows are repeated, those that tell their prices apart.
  const fewest = price && found.conflicts > MAX_CONFLICTS ? fewestKeys(draft, first, ids, price) : found
  const keys = isSure && shared <= MAX_SHARED ? [complete.name] : fewest.keys
  const name = guessed(draft, 'product_name')
  // A name inside another value is no column to join with others, but may be the id.
  if (keys.length === 0) return name ? take(draft, 'listing_id', name) : mapSingle(draft, price)
  identifyBy(draft, ...keys)
  decide(draft, 'idFrom', { keys: keys.map((key) => `"${key}"`).join(', ') })
  const all = draft.columns.filter(({ name }) => keys.includes(name))
  const conflict = price ? conflictShare([...contextOf(draft), ...all], price) : 0
  if (conflict >= MIN_CONFLICT) note(draft, 'idShared', { id: keys.join('", "'), share: percent(conflict) })
}

/** Whether an id numbers rows rather than listings: it counts them, or never repeats although product names do. */
const isRowNumber = (draft: Draft, id: SampledColumn): boolean => {
  const [name, time] = [guessed(draft, 'product_name'), guessed(draft, 'observed_at')]
  const { distinct, filled, share } = sourceOf(id)
  if (isCounter(id)) return true
  const isOfRows = share('integer') === 1 || share('record id') === 1
  if (!name || !time || filled.length < 50 || distinct < filled.length || !isOfRows) return false
  return name.distinct < 0.6 * filled.length && time.distinct > 1
}

/** Maps the id of each listing, or the columns that replace it. */
export const describeIdentity = (draft: Draft): void => {
  const [post, id, name] = (['post_id', 'listing_id', 'product_name'] as const).map((column) => guessed(draft, column))
  if (draft.feed === 'social_posts') {
    if (post) take(draft, 'post_id', post)
    else decide(draft, 'noPostId')
  } else if (id && name && id.sql === undefined && name.sql === undefined && id.fill < MIN_FILL) {
    identifyBy(draft, id.name, name.name)
    decide(draft, 'idFrom', { keys: `"${id.name}", "${name.name}"` })
  } else if (id && !isRowNumber(draft, id)) mapId(draft, id)
  else mapIdColumns(draft)
}
