import { EngineError, type ProductAlternate } from '../contract/errors.ts'
import type { ResolvedProduct } from '../contract/resolved-product.ts'
import { ratio, round } from '../contract/round.ts'
import { giveWay } from '../contract/turn.ts'
import { currentDays } from '../contract/window.ts'
import { type Contents, storedContents } from '../search/contents.ts'
import type { Listing } from '../search/listings.ts'
import { numbersIn } from '../search/postings.ts'
import type { RankedListing } from '../search/relevance.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { wordsOfName } from '../search/words.ts'
import { dateTimeOf } from './answer.ts'
import type { Catalog } from './catalog.ts'
import { moneyIn } from './countries.ts'

/** What a lookup found: the product that fits best, and which others there are. */
export type FoundProduct = {
  /** The best listing. */
  product_uid: string
  entity_uid: string | null
  product_name: string | null
  brand: string | null
  /** How well the best listing fits q; 1 for a uid, a barcode or an id. */
  match_confidence: number
  /** One listing of each product that q may mean, by number, likeliest first. */
  products: readonly number[]
  /** Whether the first of them is clearly meant: no other that is intended, too, fits as well. */
  is_clear: boolean
}

const MAX_ALTERNATES = 10

type Uids = Pick<Listing, 'product_uid' | 'entity_uid' | 'likely_uid'>

/** What counts as one product: if wanted a likely product, else an entity or a listing on its own. */
export const productOf = ({ product_uid, entity_uid, likely_uid }: Uids, isLikely: boolean): string =>
  (isLikely ? likely_uid : null) ?? entity_uid ?? product_uid

/** The first listing of each product. */
export const firstOfEach = async (
  index: SearchIndex,
  listings: readonly number[],
  { likely = false }: { likely?: boolean | undefined },
): Promise<number[]> => {
  const firsts = new Map<string, number>()
  for (const number of listings) {
    const product = productOf(index.listing(number), likely)
    if (!firsts.has(product)) firsts.set(product, number)
    await giveWay()
  }
  return [...firsts.values()]
}

const wordsOf = (text: string): string[] => wordsOfName(text).words.map(({ word }) => word)

/** Says of a listing whether a text has every word of its name, and besides only words of its brand. */
const namedBy = (index: SearchIndex, q: string): ((of: RankedListing) => boolean) => {
  const text = wordsOf(q)
  return ({ number }) => {
    const { product_name, brand } = index.listing(number)
    const name = wordsOf(product_name ?? '')
    const own = [...name, ...wordsOf(brand ?? '')]
    return name.length > 0 && name.every((word) => text.includes(word)) && text.every((word) => own.includes(word))
  }
}

/** The likeliest listings, among which one that a text names by its name and brand comes first. */
const MAX_COMPARED = 20

/** The listing that a text means: by its name, by its name and brand, or the likeliest one. */
export const bestOf = (
  index: SearchIndex,
  q: string,
  intended: readonly RankedListing[],
  exact: ReadonlySet<number>,
): RankedListing | undefined => {
  const [likeliest] = intended
  if (intended.length < 2 || exact.has(likeliest!.number)) return likeliest
  return intended.slice(0, MAX_COMPARED).find(namedBy(index, q)) ?? likeliest
}

/** Says of a listing whether a text may mean it as well as the best one: it is intended, too, or on the same shelf. */
export const mayBeMeant = (index: SearchIndex, best: RankedListing): ((other: RankedListing) => boolean) => {
  const shelfOf = ({ number }: RankedListing): number => index.listing(number).category_id
  return (other) => other.is_intended || shelfOf(other) === shelfOf(best)
}

/**
 * Whether the best listing of a search is clearly meant, beside `others`, which are of other products: none of them is meant as
 * well or on the same shelf, or the best alone has exactly the text as its name, or as its name and brand.
 */
export const isClear = (
  index: SearchIndex,
  q: string,
  best: RankedListing,
  others: readonly RankedListing[],
  exact: ReadonlySet<number>,
): boolean => {
  const isExact = ({ number }: RankedListing): boolean => exact.has(number)
  if (isExact(best)) return !others.some(isExact)
  const isNamed = namedBy(index, q)
  if (isNamed(best)) return !others.some((other) => isExact(other) || isNamed(other))
  return !others.some(mayBeMeant(index, best))
}

const amountText = ({ unit, amount, pack }: Contents): string => {
  if (unit === 'each') return `${pack} ct`
  const one = `${round(amount, 2)} ${unit}`
  return pack > 1 ? `${pack} x ${one}` : one
}

/** The contents of a listing, such as `6 x 355 ml`; null where they are unknown. */
const sizeOf = (listing: Listing): string | null => {
  const contents = storedContents(listing)
  return contents && amountText(contents)
}

/** All listings of a listing's product. */
const listingsOf = (index: SearchIndex, number: number, isLikely: boolean): Listing[] => {
  const listing = index.listing(number)
  const product = productOf(listing, isLikely)
  const numbers = product === listing.product_uid ? [number] : [...numbersIn(index.withKey(product))]
  return numbers.map((each) => index.listing(each))
}

/** The newest prices that are known at a moment: a listing that was observed since has another there. */
const pricedBefore = (listings: readonly Listing[], as_of: Date): Listing[] => {
  const { before } = currentDays(as_of, 0)
  return listings.filter(({ last_day }) => last_day !== null && last_day < before)
}

const cheapestFirst = (a: Listing, b: Listing): number =>
  Number(b.in_stock !== false) - Number(a.in_stock !== false) ||
  a.price - b.price ||
  (a.product_uid < b.product_uid ? -1 : 1)

const retailersOf = (listings: readonly Listing[]): number =>
  new Set(listings.map(({ retailer_id }) => retailer_id)).size

/** A product of a country that a text may mean, or that is near it, by one of its listings. */
export const alternateOf = (
  index: SearchIndex,
  number: number,
  country: string,
  catalog: Catalog,
): ProductAlternate => {
  const listings = listingsOf(index, number, false)
  const listing = index.listing(number)
  const { product_uid, entity_uid, product_name: name, brand } = listing
  const [cheapest] = pricedBefore(listings, catalog.as_of).sort(cheapestFirst)
  return {
    product_uid,
    entity_uid,
    name,
    brand,
    size: sizeOf(listing),
    retailer_count: retailersOf(listings),
    price: cheapest ? moneyIn(country, catalog)(cheapest.price) : null,
    observed_at: cheapest ? dateTimeOf(cheapest.observed_at) : null,
  }
}

/** Throws INVALID_PARAMS, with the products to choose from, if the text of a parameter matches several and none is clearly meant. */
export const requireClear = async (
  { products, is_clear }: FoundProduct,
  country: string,
  catalog: Catalog,
  { parameter, text }: { parameter: string; text?: string },
): Promise<void> => {
  if (is_clear) return
  const index = await catalog.search(country)
  throw new EngineError(
    'INVALID_PARAMS',
    `${parameter}: ${products.length} products match${text === undefined ? '' : ` "${text}"`}; name one of them, or send its entity_uid`,
    {
      parameter,
      products_matched: products.length,
      alternates: products.slice(0, MAX_ALTERNATES).map((number) => alternateOf(index, number, country, catalog)),
    },
  )
}

/** The product that a query was resolved to. */
export const resolvedProductOf = async (
  meant: FoundProduct,
  { country, likely = false }: { country: string; likely?: boolean | undefined },
  catalog: Catalog,
): Promise<ResolvedProduct> => {
  const index = await catalog.search(country)
  const listings = listingsOf(index, meant.products[0]!, likely)
  const times = pricedBefore(listings, catalog.as_of).map(({ observed_at }) => observed_at)
  return {
    name: meant.product_name,
    brand: meant.brand,
    size: sizeOf(index.listing(meant.products[0]!)),
    entity_uid: meant.entity_uid,
    product_uid: meant.product_uid,
    retailer_count: retailersOf(listings),
    observed_at: times.length === 0 ? null : dateTimeOf(Math.max(...times)),
    match_confidence: ratio(meant.match_confidence),
    products_matched: meant.products.length,
  }
}
