import { COLUMNS_OF, type Column, type Feed } from '../../feeds/columns.ts'
import type { SampledColumn } from '../read/sample.ts'
import { countryOf } from './countries.ts'
import { conflictShare, type Features, featuresOf } from './features.ts'
import { hostsIn, isBarcode, isCurrency, isDigits, isId, nameOfKind, percent, readData, shareOf } from './kinds.ts'
import { isRuledOut, nameScore, POSSIBLE, SURE, wordsOf } from './names.ts'
import { packPriceOf } from './pack-price.ts'

/** What a column of a feed needs of a column of a file besides a name. */
type ColumnRole = {
  /** What its values are: a measure of `FITS`, or a kind of values. */
  fit: string
  /** The share of fitting values below which a name is ignored, and what counts for a column without values. */
  min?: number
  empty?: number
  /** The share of fitting values that shows the column without a name, where its first value looks so. */
  alone?: number
  looks?: string
  /** Whether its values change over time. */
  changes?: boolean
  /** Whether the columns of a file are said to be possibly this one. */
  possible?: boolean
  /** The columns of which the first that is found is taken for it where it is missing. */
  instead?: readonly Column[]
}

export const ROLES = readData<Partial<Record<Column, ColumnRole>>>('roles.json')

/** A canonical column, the most likely file column for it, and why. */
export type Guess = { column: Column; source: string; score: number; reason: string }

/** How well values fit, from 0 to 1, and a description for the reason. */
type Fit = { share: number; what: string }

const measured = (share: number, what: string, weight = 1): Fit => ({
  share: share * weight,
  what: `${percent(share)} ${what}`,
})

const textFit = ({ fill, share }: Features, weight = 1): Fit =>
  measured(share('text'), 'texts', (0.5 + 0.5 * fill) * weight)

const MIN_COUNTRY_FILL = 0.6
const MIN_READ = 0.2
const MIN_SHOP_FILL = 0.9
const MAX_SAME = 20
/** A time that so few rows have is of something else. */
const MIN_TIME_FILL = 0.5

/** The measures that are more than the share of values of one kind. */
const FITS: Readonly<Record<string, (features: Features) => Fit>> = {
  text: (features) => textFit(features),
  // Titles vary from row to row; classes repeat, and descriptions are longer.
  title: (features) => {
    const { filled, distinct, rows, share } = features
    // `E5` is short, and few fuels repeat.
    if (share('fuel') > 0.9) return measured(share('fuel'), 'fuels')
    const mean = filled.reduce((sum, { length }) => sum + length, 0) / Math.max(1, filled.length)
    // One text in all rows is of the whole file.
    const varied = distinct === 1 && rows > MAX_SAME ? 0.35 : 0.5 + (2 * distinct) / Math.max(1, rows)
    return textFit(features, Math.min(1, varied) * (mean > 150 ? 0.5 : 1))
  },
  brand: (features) => {
    const { distinct, rows } = features
    if (distinct >= 3 || rows <= 100) return textFit(features)
    return { ...textFit(features, 0.2), what: `only ${distinct} different texts` }
  },
  shop: ({ share, distinct, fill, rows }) => {
    // A market may be a country.
    const words = share('shop') - share('country', (value) => countryOf(value) !== undefined)
    const few = distinct <= Math.max(40, rows / 20) ? 1 : 0.3
    // Every price has a retailer.
    const isFull = fill >= MIN_SHOP_FILL ? 1 : 0.3
    // One name in all rows may be of the source of the file.
    const varied = distinct === 1 && rows > MAX_SAME ? 0.9 : 1
    return {
      share: fill * (0.25 + 0.75 * words) * few * isFull * varied,
      what: `${distinct} different ${words > 0.5 ? 'names' : 'numbers'}`,
    }
  },
  // A constant does not identify listings.
  id: ({ share, fill, distinct, rows }) =>
    measured(fill * share('id', isId), `ids, ${distinct} different`, distinct > 1 || rows < 20 ? 1 : 0.2),
  time: ({ time, fill }) => {
    const { share, formats, isNative } = time()
    const form = !isNative && formats.length > 0 ? ` as ${formats.join(', ')}` : ''
    return measured(share, `times${form}`, fill < MIN_TIME_FILL ? fill : 0.5 + 0.5 * fill)
  },
  // One text beside the prices, such as `no old price`, is what a missing one is called.
  price: ({ price }) => {
    const { share, positive, refused } = price()
    const isRead = share >= MIN_READ || (share > 0 && refused.length === 1)
    return { share: isRead ? 0.1 * share + 0.9 * positive : 0, what: `${percent(positive)} prices above 0` }
  },
  barcode: ({ filled }) => measured(shareOf(filled.filter(isDigits), isBarcode), 'with a valid check digit'),
  // That of origin is often empty.
  country: ({ share, fill }) =>
    measured(
      share('country', (value) => countryOf(value) !== undefined),
      'countries',
      fill > MIN_COUNTRY_FILL ? 1 : fill,
    ),
  currency: ({ share }) => measured(share('currency', isCurrency), 'currency codes'),
}

const fitOf = (features: Features, role: ColumnRole | undefined): Fit => {
  const { filled, rows, share } = features
  if (!role) return { share: filled.length > 0 ? 1 : 0.4, what: 'any text' }
  if (role.empty !== undefined && filled.length === 0 && rows > 0)
    return { share: role.empty, what: 'no value in the sample' }
  return FITS[role.fit]?.(features) ?? measured(share(role.fit), nameOfKind(role.fit))
}

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
  const renamed = new Map<Column, Column>(isBrand ? [['platform', 'brand']] : [])
  if (isOfFuels) renamed.set('category_path', 'product_name')
  if (isTitled) renamed.set('brand', 'product_name')
  for (const column of wanted) {
    const has = (other: Column) => kept.some((guess) => guess.column === other)
    // What is sold by weight has no other price nor a size, beside columns that say what it is.
    const isAmount = (other: Column) =>
      other !== 'unit_price' || (kept.length > 1 && !isSized && positive(other) > MIN_POSITIVE)
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
  // Where a list price is the price, another one may be the list price.
  const isMoved = taken.has('list_price') && !found.some(({ column }) => column === 'list_price')
  const isList = ({ column, source }: Guess) => column === 'list_price' && !taken.has(`from ${source}`)
  const list = isMoved ? ranked.filter(isList).slice(0, 1) : []
  return [...found, ...list, ...titles].sort((a, b) => order(a) - order(b))
}
