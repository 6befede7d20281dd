import { groupBy } from '../../../engine/index.ts'
import type { Column, Feed } from '../../feeds/columns.ts'
import { rowsOf, type SampledFile } from '../read/sample.ts'
import { guessNameDate } from './name-dates.ts'
import { isNamed, isRate, wordsOf } from './names.ts'
import { type Guess, guessColumns } from './roles.ts'

export type FeedGuess = { file: SampledFile; feed: Feed | null; guesses: readonly Guess[] }

const columnList = (names: string): Column[] => names.split(' ') as Column[]
const COUNTS = columnList('views likes comments shares')
const OF_PRODUCTS = columnList('brand gtin mpn model size_value size_unit pack_count condition url category_path')
/** Columns that show what a price is of. */
const NAMING = columnList('product_name listing_id')
/** Columns that show that a doubtful amount is a price: those of a product, an offer and a time. */
const OF_OFFERS = columnList(
  'product_name listing_id gtin brand currency platform url list_price recommended_price observed_at',
)

const MIN_ID = 0.5
const SURE_PRICE = 0.61
/** A name that has the word for prices among others. */
const CALLED_PRICE = 0.45
const MIN_NAMED = 0.3
const MIN_COUNT = 0.6
const MIN_DOUBTFUL = 2

const scoreOf = (guesses: readonly Guess[], column: Column): number =>
  guesses.find((guess) => guess.column === column)?.score ?? 0

const countAbove = (guesses: readonly Guess[], columns: readonly Column[], score: number): number =>
  columns.filter((column) => scoreOf(guesses, column) > score).length

/** Whether a file has quotes of an exchange: open, high, low and close of a symbol. */
const isOfExchange = ({ columns }: SampledFile): boolean => {
  const names = new Set(columns.flatMap(({ name }) => wordsOf(name)))
  const isSymbol = names.has('ticker') || names.has('symbol')
  return isSymbol && ['open', 'high', 'low', 'close'].every((quote) => names.has(quote))
}

/** Whether a file has prices: by a sure name, by a possible one beside columns of offers or products, or by totals of sales. */
const isPriced = ({ columns, path }: SampledFile, guesses: readonly Guess[]): boolean => {
  const price = scoreOf(guesses, 'price')
  const source = guesses.find(({ column }) => column === 'price')?.source ?? ''
  const isCalled = (text: string) => wordsOf(text).some((word) => isNamed(word, 'price'))
  if (price > SURE_PRICE) return true
  if (price > 0 && countAbove(guesses, OF_OFFERS, 0.5) >= MIN_DOUBTFUL) return true
  const isDated =
    scoreOf(guesses, 'observed_at') >
    (isCalled(source) || isRate(source) ? MIN_ID : columns.length === 2 ? SURE_PRICE : 1)
  const isOfProducts = countAbove(guesses, NAMING, MIN_NAMED) > 0
  if (price > CALLED_PRICE && (isDated || isOfProducts)) return true
  if (price > 0 && isCalled(path) && isOfProducts) return true
  const isSold = (['total', 'quantity'] as const).every((kind) => columns.some(({ name }) => isNamed(name, kind)))
  return isSold && scoreOf(guesses, 'observed_at') > 0 && scoreOf(guesses, 'listing_id') >= MIN_ID
}

/** The feed that a folder in the path is named after. */
const byFolder = ({ path }: SampledFile): Feed | undefined =>
  (['price_observations', 'product_catalogue', 'social_posts'] as const).find((feed) => path.split('/').includes(feed))

const feedOf = (file: SampledFile, standard: Feed | null): Feed | null => {
  const folderFeed = byFolder(file)
  if (folderFeed) return folderFeed
  if (standard) return standard
  const priced = guessColumns(file.columns)
  const social = guessColumns(file.columns, 'social_posts')
  const isSocial = scoreOf(social, 'post_id') >= MIN_ID && countAbove(social, COUNTS, MIN_COUNT) > 0
  if (isSocial && scoreOf(priced, 'price') < MIN_COUNT) return 'social_posts'
  if (isOfExchange(file)) return null
  if (isPriced(file, priced)) return 'price_observations'
  const isIdentified = countAbove(priced, ['listing_id', 'gtin'], MIN_ID) > 0
  const isCatalogue = isIdentified && countAbove(priced, ['listing_id', ...OF_PRODUCTS], MIN_ID) > 1
  return isCatalogue ? 'product_catalogue' : null
}

const isDated = ({ file, guesses }: FeedGuess): boolean =>
  scoreOf(guesses, 'observed_at') > 0 || guessNameDate([file.path]) !== null

/** Whether an undated price list describes the products of a dated price file that has no names. */
const isCatalogueOf = (undated: FeedGuess, others: readonly FeedGuess[]): boolean => {
  const idOf = ({ guesses }: FeedGuess) => guesses.find(({ column }) => column === 'listing_id')?.source
  const isNameless = ({ guesses }: FeedGuess) => scoreOf(guesses, 'product_name') === 0
  const id = idOf(undated)
  const isOfSame = (other: FeedGuess) => other.feed === 'price_observations' && isDated(other) && idOf(other) === id
  return id !== undefined && !isNameless(undated) && others.some((other) => isOfSame(other) && isNameless(other))
}

/** Files with the same columns are of the same feed. */
const keyOf = (file: SampledFile): string =>
  JSON.stringify([file.format, byFolder(file), file.columns.map(({ name, type }) => [name, type])])

/** The feed of each file, that of its standard form if it has one, and its guessed columns; null if it has none. */
export const guessFeeds = (
  files: readonly SampledFile[],
  standardFeed: (file: SampledFile) => Feed | null,
): FeedGuess[] => {
  const guessed = new Map(
    [...groupBy(files, keyOf)].map(([key, alike]) => {
      // The largest sample decides for all of these files.
      const largest = alike.reduce((most, file) => (rowsOf(file.columns) > rowsOf(most.columns) ? file : most))
      const feed = feedOf(largest, standardFeed(largest))
      return [key, { feed, guesses: guessColumns(largest.columns, feed ?? 'price_observations') }]
    }),
  )
  const first = files.map((file) => ({ file, ...guessed.get(keyOf(file))! }))
  return first.map((guess) => {
    const { file, feed } = guess
    const isOfProducts =
      feed === 'price_observations' && !isDated(guess) && !byFolder(file) && isCatalogueOf(guess, first)
    if (!isOfProducts) return guess
    return { file, feed: 'product_catalogue', guesses: guessColumns(file.columns, 'product_catalogue') }
  })
}
