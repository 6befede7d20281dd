import { groupBy } from '../../../engine/index.ts'
import type { Feed } from '../../feeds/columns.ts'
import type { SampledFile } from '../read/sample.ts'
import { type Guess, guessColumns } from './guess-columns.ts'
import { guessNameDate } from './name-dates.ts'
import { wordsOf } from './names.ts'

export type FeedGuess = { file: SampledFile; feed: Feed | null; guesses: readonly Guess[] }

const scoreOf = (guesses: readonly Guess[], column: Guess['column']): number =>
  guesses.find((guess) => guess.column === column)?.score ?? 0

const FEEDS_GUESSED: readonly Feed[] = ['price_observations', 'product_catalogue', 'social_posts']
const COUNTS = ['views', 'likes', 'comments', 'shares'] as const
const PRODUCT_COLUMNS = [
  'brand',
  'gtin',
  'mpn',
  'model',
  'size_value',
  'size_unit',
  'pack_count',
  'condition',
  'url',
  'category_path',
] as const

const MIN_ID_SCORE = 0.5
const SURE_PRICE = 0.61

const isSocial = (guesses: readonly Guess[]): boolean =>
  scoreOf(guesses, 'post_id') >= MIN_ID_SCORE && COUNTS.some((column) => scoreOf(guesses, column) > 0.6)

/** Columns that show that a doubtful amount is a price: those of a product, an offer and a time. */
const OF_OFFERS = [
  'product_name',
  'listing_id',
  'gtin',
  'brand',
  'currency',
  'platform',
  'url',
  'list_price',
  'recommended_price',
  'observed_at',
] as const
const MIN_DOUBTFUL = 2

/** Whether a file has prices: by a sure name, or by a possible one beside columns of products and offers. */
const isPriced = (guesses: readonly Guess[]): boolean => {
  const price = scoreOf(guesses, 'price')
  if (price > SURE_PRICE) return true
  return price > 0 && OF_OFFERS.filter((column) => scoreOf(guesses, column) > 0.5).length >= MIN_DOUBTFUL
}

/** Sales data whose unit price has to be computed. */
const isSold = (file: SampledFile, guesses: readonly Guess[]): boolean => {
  const words = file.columns.flatMap(({ name }) => wordsOf(name))
  const hasTotal = words.some((word) => ['sale', 'total', 'revenue', 'amount', 'montant'].includes(word))
  const hasCount = words.some((word) => ['quantity', 'qty', 'unit', 'quantite'].includes(word))
  return hasTotal && hasCount && scoreOf(guesses, 'observed_at') > 0 && scoreOf(guesses, 'listing_id') >= MIN_ID_SCORE
}

const isCatalogue = (guesses: readonly Guess[]): boolean =>
  scoreOf(guesses, 'listing_id') >= MIN_ID_SCORE && PRODUCT_COLUMNS.some((column) => scoreOf(guesses, column) > 0.5)

/** The feed that a folder in the path is named after. */
const byFolder = ({ path }: SampledFile): Feed | undefined =>
  FEEDS_GUESSED.find((feed) => path.split('/').includes(feed))

const guessOne = (file: SampledFile, isStandard: (file: SampledFile) => boolean): FeedGuess => {
  const priced = guessColumns(file.columns, 'price_observations')
  const social = guessColumns(file.columns, 'social_posts')
  const folderFeed = byFolder(file)
  const guess = (feed: Feed): FeedGuess => ({ file, feed, guesses: guessColumns(file.columns, feed) })
  if (folderFeed) return guess(folderFeed)
  if (isStandard(file)) return guess('price_observations')
  if (isSocial(social) && scoreOf(priced, 'price') < 0.6) return { file, feed: 'social_posts', guesses: social }
  if (isPriced(priced) || isSold(file, priced)) return { file, feed: 'price_observations', guesses: priced }
  return isCatalogue(priced) ? guess('product_catalogue') : { file, feed: null, guesses: priced }
}

const isDated = ({ file, guesses }: FeedGuess): boolean =>
  scoreOf(guesses, 'observed_at') > 0 || guessNameDate([file.path]) !== null

/** Whether an undated price list describes the products of a dated price file that has no names. */
const isCatalogueOf = (undated: FeedGuess, others: readonly FeedGuess[]): boolean =>
  scoreOf(undated.guesses, 'product_name') > 0 &&
  others.some((other) => {
    const id = other.guesses.find(({ column }) => column === 'listing_id')?.source
    const hasId = undated.guesses.some(({ column, source }) => column === 'listing_id' && source === id)
    return (
      other.feed === 'price_observations' && isDated(other) && scoreOf(other.guesses, 'product_name') === 0 && hasId
    )
  })

/** Files with the same columns are of the same feed. */
const keyOf = (file: SampledFile): string =>
  JSON.stringify([file.format, byFolder(file), file.columns.map(({ name, type }) => [name, type])])

const rowsOf = ({ columns }: SampledFile): number => columns[0]?.values.length ?? 0

/** The feed of each file and its guessed columns; the feed is null if the file has no prices, products or posts. */
export const guessFeeds = (
  files: readonly SampledFile[],
  isStandard: (file: SampledFile) => boolean = () => false,
): FeedGuess[] => {
  const groups = groupBy(files, keyOf)
  const guesses = new Map(
    [...groups].map(([key, [first, ...others]]) => {
      // The largest sample decides for all of these files.
      return [
        key,
        guessOne(
          others.reduce((most, file) => (rowsOf(file) > rowsOf(most) ? file : most), first!),
          isStandard,
        ),
      ]
    }),
  )
  const first = files.map((file) => ({ ...guesses.get(keyOf(file))!, file }))
  return first.map((guess) =>
    guess.feed === 'price_observations' && !isDated(guess) && !byFolder(guess.file) && isCatalogueOf(guess, first)
      ? { file: guess.file, feed: 'product_catalogue', guesses: guessColumns(guess.file.columns, 'product_catalogue') }
      : guess,
  )
}
