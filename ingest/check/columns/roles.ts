import { COLUMNS_OF, type Column, type Feed } from '../../feeds/columns.ts'
import type { SampledColumn } from '../read/sample.ts'
import { conflictShare, type Features, featuresOf } from './features.ts'
import { type ColumnRole, fitOf, MAX_SAME, ROLES } from './fits.ts'
import { hostsIn, shareOf } from './kinds.ts'
import { isRuledOut, nameScore, POSSIBLE, SURE, wordsOf } from './names.ts'
import { packPriceOf } from './pack-price.ts'

/** A canonical column, the most likely file column for it, and why. */
export type Guess = { column: Column; source: string; score: number; reason: string }

const MIN_SCORE = 0.3
const DEFAULT_MIN = 0.6
/** The weight of the values in the score of a fitting name. */
const VALUE_WEIGHT = 0.55
const VALUES_ONLY = 0.35
const MIN_NAME = 0.2
const MIN_SIGNED = 0.9
const OTHER_AMOUNTS = ['list_price', 'recommended_price', 'unit_price', 'shipping_price'] as const

/** A column that its values show whatever its name is, unless that says that it is another one. */
const guessByValues = (column: Column, source: SampledColumn, role: ColumnRole | undefined): Guess | null => {
  const features = featuresOf(source)
  const { filled, fill, distinct } = features
  if (isRuledOut(source.name, column)) return null
  const guess = (share: number, what: string): Guess => ({
    column,
    source: source.name,
    score: VALUES_ONLY * share,
    reason: `only by ${what}`,
  })
  if (column === 'price') {
    const { signed, share, positive } = features.price()
    const isOther = OTHER_AMOUNTS.some((amount) => nameScore(source.name, amount) > 0.5)
    return signed < MIN_SIGNED || share < MIN_SIGNED || positive < 0.3 || isOther
      ? null
      : guess(1, 'the currency of its values')
  }
  if (role?.alone === undefined || filled.length < 3 || fill < 0.5) return null
  if (role.looks && !new RegExp(role.looks).test(filled[0]!)) return null
  const { share, what } = fitOf(features, role)
  return share < role.alone || (column === 'gtin' && distinct < 3) ? null : guess(share, `its values: ${what}`)
}

/** How well a column of a file serves as a column of a feed; null if it does not. */
const guessOf = (column: Column, source: SampledColumn): Guess | null => {
  const role = ROLES[column]
  // A mapping cannot name a column without a name.
  if (source.name === '') return null
  if (source.isOuter && role?.changes) return null
  const name = nameScore(source.alias ?? source.name, column)
  if (name < MIN_NAME) return guessByValues(column, source, role)
  const { share, what } = fitOf(featuresOf(source), role)
  if (share < (role?.min ?? DEFAULT_MIN)) return null
  const score = name * (1 - VALUE_WEIGHT + VALUE_WEIGHT * share)
  if (score < MIN_SCORE) return guessByValues(column, source, role)
  return { column, source: source.name, score, reason: `its name, and ${what}` }
}

const MAX_TITLE = 250

/** The only column of texts that all rows have, which names the products where no other does. */
const onlyText = (guesses: readonly Guess[], columns: readonly SampledColumn[]): Guess[] => {
  if (guesses.some(({ column }) => column === 'product_name')) return []
  const time = guesses.find(({ column }) => column === 'observed_at')?.source
  const moment = columns.filter(({ name }) => name === time)
  const price = columns.find(({ name }) => guesses.some(({ column, source }) => column === 'price' && source === name))
  const [only, ...others] = columns.filter((column) => {
    const { share, distinct, rows, fill } = featuresOf(column)
    const isTime = nameScore(column.name, 'observed_at') > 0
    const isNew = column.name !== '' && !isTime && !guesses.some(({ source }) => source === column.name)
    // What says the price, and long texts, are of no product.
    const isNote = (value: string, row: number) =>
      value.length > MAX_TITLE || value.includes(price?.values[row] || '\0')
    const isOfNotes = 2 * column.values.filter(isNote).length > rows
    const isText = share('letters') > 0.9 && share('url') === 0 && share('nested') === 0 && !isOfNotes
    // Beside the price alone, texts may repeat, and at other times.
    const isVaried = columns.length === 2 || conflictShare([...moment, column]) < 0.1
    return isNew && rows > 2 && fill > 0.9 && distinct > 1 && isText && isVaried
  })
  const reason = 'only by its values: no other column has texts'
  return only && others.length === 0 ? [{ column: 'product_name', source: only.name, score: MIN_SCORE, reason }] : []
}

const MAX_SALES_SHARE = 0.8
/** More countries are hardly markets. */
const MAX_MARKETS = 6
const MAX_SHARED = 0.1
const MIN_POSITIVE = 0.1
const MIN_DIFFERENT = 0.6
const MAX_RATIO = 200
const MIN_TINY = 0.9
const MIN_BRAND = 0.5
const MAX_DOUBTFUL = 0.7
const MIN_FUELS = 0.5

/** Corrects what each column shows by what the others are. */
const corrected = (
  guesses: readonly Guess[],
  columns: readonly SampledColumn[],
  wanted: readonly Column[],
): Guess[] => {
  const sourceOf = (column: Column) => guesses.find((guess) => guess.column === column)?.source
  const columnOf = (column: Column) => columns.find(({ name }) => name === sourceOf(column)) ?? { name: '', values: [] }
  const distinctOf = (column: Column): number => featuresOf(columnOf(column)).distinct
  const positive = (column: Column): number => featuresOf(columnOf(column)).price().positive
  // A price that only some rows have is a sale price; the fuller list price column is the price.
  const isPlain = wordsOf(sourceOf('price') ?? '').join() === 'price'
  const isSale = !isPlain && positive('price') <= MAX_SALES_SHARE * positive('list_price')
  // What only has a currency in its name says less than a price of a unit.
  const scoreOf = (column: Column) => guesses.find((guess) => guess.column === column)?.score ?? 0
  const isDoubtful = scoreOf('price') < MAX_DOUBTFUL * scoreOf('unit_price')
  // An amount beside a unit is a size where another object is called price.
  const hasPrice = nameScore(sourceOf('list_price')?.split('.', 1)[0] ?? '', 'price') >= SURE
  const hasUnit = scoreOf('size_unit') + scoreOf('unit_price_measure') > 0
  const isSize = hasPrice && hasUnit && nameScore(sourceOf('price') ?? '', 'size_value') >= POSSIBLE
  // What is a tiny part of the list price, such as a rating, is no price.
  const amounts = featuresOf(columnOf('price')).amounts()
  const lists = featuresOf(columnOf('list_price'))
    .amounts()
    .flatMap((list, row) => (list > 0 ? list > MAX_RATIO * (amounts[row] ?? 0) : []))
  const isTiny = lists.length > 2 && shareOf(lists, (isAbove) => isAbove) > MIN_TINY
  // The one time of a whole document says less than those of its rows.
  const isOfDocument = distinctOf('observed_at') === 1 && distinctOf('scraped_at') > 1
  const shop = sourceOf('platform') ?? ''
  // Where all pages are of one site, what may be shops and differs between pages alone is what the site sells.
  const isSold =
    nameScore(shop, 'platform') < SURE &&
    distinctOf('platform') > 1 &&
    new Set(hostsIn(columnOf('url').values)).size === 1 &&
    conflictShare([columnOf('url')], columnOf('platform')) === 0
  // In a price history a vendor is the retailer, in a shop's product export the brand.
  const isBranded = columns.some(({ name }) => nameScore(name, 'brand') > MIN_BRAND)
  const isBrand = !isBranded && (isSold || (!sourceOf('observed_at') && /^vendor$/i.test(shop)))
  // What differs from row to row, in many words, is a title whatever its name is.
  const isTitle = ({ share, distinct, rows }: Features) =>
    rows > MAX_SAME && distinct > MIN_DIFFERENT * rows && share('words', (value) => /(?:\S+\s+){3}/.test(value)) > 0.5
  const isTitled = !sourceOf('product_name') && !sourceOf('model') && isTitle(featuresOf(columnOf('brand')))
  // Many countries, one for each product, are those that products are from.
  const isOrigin =
    distinctOf('country') > MAX_MARKETS &&
    distinctOf('currency') < 2 &&
    distinctOf('product_name') > 1 &&
    conflictShare([columnOf('product_name')], columnOf('country')) < MAX_SHARED
  const dropped: ReadonlySet<Column> = new Set([
    ...(isSale || isDoubtful || isSize || isTiny ? (['price'] as const) : []),
    ...(isOrigin ? (['country'] as const) : []),
    ...(isOfDocument ? (['observed_at'] as const) : []),
  ])
  const pack = sourceOf('price') ? undefined : packPriceOf(columnOf('unit_price'), columns)
  const kept = guesses.filter(({ column, source }) => !dropped.has(column) && source !== pack?.name)
  const reason = `multiples of "${sourceOf('unit_price')}"`
  if (pack) kept.push({ column: 'price', source: pack.name, score: scoreOf('unit_price'), reason })
  // What is sold may be the type of fuel alone.
  const isOfFuels = !sourceOf('product_name') && featuresOf(columnOf('category_path')).share('fuel') > MIN_FUELS
  // Bare numbers may be what is sold of it.
  const isSized = sourceOf('size_value') && featuresOf(columnOf('size_value')).share('number') < 0.5
  const isUnitPrice = (column: SampledColumn) =>
    nameScore(column.name, 'unit_price') >= SURE && featuresOf(column).price().positive > MIN_SIGNED
  const unitPrices = columns.filter(isUnitPrice).length
  const renamed = new Map<Column, Column>(isBrand ? [['platform', 'brand']] : [])
  if (isOfFuels) renamed.set('category_path', 'product_name')
  if (isTitled) renamed.set('brand', 'product_name')
  for (const column of wanted) {
    const has = (other: Column) => kept.some((guess) => guess.column === other)
    // A unit price is the price of what is sold by weight, which has no size; of two, one is the price of a piece.
    const isAmount = (other: Column) =>
      other !== 'unit_price' || unitPrices > 1 || (kept.length > 1 && !isSized && positive(other) > MIN_POSITIVE)
    const instead = has(column) ? undefined : ROLES[column]?.instead?.find((other) => has(other) && isAmount(other))
    if (instead) renamed.set(instead, column)
  }
  return kept.map((guess) => ({ ...guess, column: renamed.get(guess.column) ?? guess.column }))
}

/**
 * Guesses which column of a file is each canonical column of a feed, from names and sampled values. A file column is
 * used at most once; the best scores are assigned first. Scores go from 0 to 1, for the canonical name with suitable
 * values.
 */
export const guessColumns = (columns: readonly SampledColumn[], feed: Feed = 'price_observations'): Guess[] => {
  const wanted: readonly Column[] = COLUMNS_OF[feed].filter((column) => column !== 'in_stock')
  const order = ({ column }: Guess) => wanted.indexOf(column)
  const ranked = wanted
    .flatMap((column) => columns.flatMap((source) => guessOf(column, source) ?? []))
    .sort((a, b) => b.score - a.score || order(a) - order(b))
  const taken = new Set<string>()
  const guesses: Guess[] = []
  for (const guess of ranked) {
    if (taken.has(`from ${guess.source}`) || taken.has(guess.column)) continue
    taken.add(`from ${guess.source}`).add(guess.column)
    guesses.push(guess)
  }
  const found = corrected(guesses, columns, wanted)
  const titles = taken.has('price') ? onlyText(found, columns) : []
  // Where a list price or unit price is taken for the price, the next candidate takes its place.
  const next = (['list_price', 'unit_price'] as const).flatMap((moved) => {
    const isNext = ({ column, source }: Guess) => column === moved && !taken.has(`from ${source}`)
    return taken.has(moved) && !found.some(({ column }) => column === moved) ? ranked.filter(isNext).slice(0, 1) : []
  })
  return [...found, ...next, ...titles].sort((a, b) => order(a) - order(b))
}
