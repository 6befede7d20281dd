import { COLUMNS_OF, type Column, type Feed } from '../../feeds/columns.ts'
import type { SampledColumn } from '../read/sample.ts'
import { BY_VALUES, DEFAULT_MIN_FIT, FITS, MIN_FIT } from './fits.ts'
import { isRuledOut, nameScore } from './names.ts'
import { guessPrices } from './prices.ts'
import { type Profile, profile } from './values.ts'

/** A canonical column, the most likely file column for it, and why. */
export type Guess = { column: Column; source: string; score: number; reason: string }

const MIN_SCORE = 0.3
/** The weight of the values in the score of a fitting name. */
const VALUE_WEIGHT = 0.55
const VALUES_ONLY_SCORE = 0.35
const MAX_SALES_SHARE = 0.8

/** Patterns of values that are recognised without a fitting name. */
const LOOKS: Readonly<Partial<Record<Column, RegExp>>> = {
  observed_at: /\d[-/:]\d/,
  collected_at: /\d[-/:]\d/,
  gtin: /^\d{8,14}$/,
  currency: /^[A-Z]{3}$/,
  country: /^(?:us|usa|ca|canada)$/i,
}

const fitOf = (column: Column, source: SampledColumn, sampled: Profile) =>
  FITS[column]?.(sampled, source) ?? { share: sampled.filled.length > 0 ? 1 : 0.4, what: 'any text' }

const byValues = (column: Column, source: SampledColumn, sampled: Profile): Guess | null => {
  const from = BY_VALUES.find(([name]) => name === column)?.[1]
  const looksSo = LOOKS[column]?.test(sampled.filled[0] ?? '') ?? true
  const isOther = isRuledOut(source.name, column)
  const isConstant = column === 'gtin' && sampled.distinct < 3
  if (from === undefined || sampled.filled.length < 3 || !looksSo || isOther || isConstant) return null
  const { share, what } = fitOf(column, source, sampled)
  if (share < from || sampled.fill < 0.5) return null
  return { column, source: source.name, score: VALUES_ONLY_SCORE * share, reason: `only by its values: ${what}` }
}

/** Columns whose values change over time. */
const CHANGING: ReadonlySet<Column> = new Set<Column>([
  'observed_at',
  'scraped_at',
  'price',
  'list_price',
  'recommended_price',
  'unit_price',
  'shipping_price',
  'promo_flag',
  'promo_text',
  'availability',
])

const MIN_SIGNED = 0.9
const OTHER_AMOUNTS = ['list_price', 'recommended_price', 'unit_price', 'shipping_price'] as const

/** A price that signs or codes of a currency show, whatever its name is, unless the name says that it is another amount. */
const bySigns = (source: SampledColumn): Guess | null => {
  const { signed, share, positive } = guessPrices(source.values, source.type)
  if (signed < MIN_SIGNED || share < MIN_SIGNED || positive < 0.3 || isRuledOut(source.name, 'price')) return null
  if (OTHER_AMOUNTS.some((column) => nameScore(source.name, column) > 0.5)) return null
  return {
    column: 'price',
    source: source.name,
    score: VALUES_ONLY_SCORE,
    reason: 'only by the currency of its values',
  }
}

const score = (column: Column, source: SampledColumn, sampled: Profile): Guess | null => {
  if (source.isOuter && CHANGING.has(column)) return null
  const nameFit = nameScore(source.alias ?? source.name, column)
  if (nameFit < 0.2) return column === 'price' ? bySigns(source) : byValues(column, source, sampled)
  const { share, what } = fitOf(column, source, sampled)
  if (share < (MIN_FIT[column] ?? DEFAULT_MIN_FIT)) return null
  const total = nameFit * (1 - VALUE_WEIGHT + VALUE_WEIGHT * share)
  return total < MIN_SCORE
    ? byValues(column, source, sampled)
    : { column, source: source.name, score: total, reason: `its name, and ${what}` }
}

/** Required columns, and optional ones that replace them if they are the only ones found. */
const PROMOTED: readonly (readonly [needed: Column, instead: Column])[] = [
  ['price', 'list_price'],
  ['observed_at', 'scraped_at'],
  ['collected_at', 'posted_at'],
]

const promoted = (guesses: readonly Guess[], wanted: readonly Column[]): Guess[] => {
  const renamed = new Map(
    PROMOTED.flatMap(([needed, instead]) =>
      wanted.includes(needed) && !guesses.some(({ column }) => column === needed) ? [[instead, needed] as const] : [],
    ),
  )
  return guesses.map((guess) => ({ ...guess, column: renamed.get(guess.column) ?? guess.column }))
}

/** A price that only some rows have is a sale price; the fuller list price column is the price. */
const withFullPrice = (guesses: readonly Guess[], columns: readonly SampledColumn[]): Guess[] => {
  const positive = (column: Column): number => {
    const source = guesses.find((guess) => guess.column === column)?.source
    const sampled = columns.find(({ name }) => name === source)
    return sampled ? guessPrices(sampled.values, sampled.type).positive : 0
  }
  if (positive('price') > MAX_SALES_SHARE * positive('list_price')) return [...guesses]
  return guesses.flatMap((guess) => {
    if (guess.column === 'price') return []
    return guess.column === 'list_price' ? { ...guess, column: 'price' as const } : guess
  })
}

/** In a price history a vendor is the retailer, in a shop's product export the brand. */
const withVendor = (guesses: readonly Guess[]): Guess[] => {
  const hasColumn = (column: Column) => guesses.some((guess) => guess.column === column)
  if (hasColumn('observed_at') || hasColumn('brand')) return [...guesses]
  return guesses.map((guess) =>
    guess.column === 'platform' && /^vendor$/i.test(guess.source) ? { ...guess, column: 'brand' } : guess,
  )
}

/**
 * Guesses which column of a file is each canonical column of a feed, from names and sampled values. A file column is
 * used at most once; the best scores are assigned first. Scores go from 0 to 1, for the canonical name with suitable
 * values.
 */
export const guessColumns = (columns: readonly SampledColumn[], feed: Feed = 'price_observations'): Guess[] => {
  const sampled = columns.map((source) => ({ source, profile: profile(source.values) }))
  const wanted: readonly Column[] = COLUMNS_OF[feed].filter((column) => column !== 'in_stock')
  const pairs = wanted.flatMap((column, rank) =>
    sampled.flatMap(({ source, profile }, index) => {
      const guess = score(column, source, profile)
      return guess ? [{ guess, rank, index }] : []
    }),
  )
  pairs.sort((a, b) => b.guess.score - a.guess.score || a.rank - b.rank || a.index - b.index)
  const taken = new Set<string>()
  const guesses: Guess[] = []
  for (const { guess } of pairs) {
    const isTaken = taken.has(guess.source) || guesses.some(({ column }) => column === guess.column)
    if (isTaken) continue
    taken.add(guess.source)
    guesses.push(guess)
  }
  const order = (column: Column) => wanted.indexOf(column)
  return promoted(withFullPrice(withVendor(guesses), columns), wanted).sort((a, b) => order(a.column) - order(b.column))
}
