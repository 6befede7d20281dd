import { z } from 'zod'
import { productOf } from '../../catalog/product-choice.ts'
import { priceRow } from '../../contract/blocks.ts'
import { field } from '../../contract/field.ts'
import { percent, type ToMoney } from '../../contract/round.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import { list, type ReadBy } from '../../counts/count.ts'
import { contentsFit, storedContents, unitPriceOf } from '../../search/contents.ts'
import { LISTED_COLUMNS } from '../listed.ts'
import { unitPrice } from '../unit-price.ts'

/** The newest prices of the listings that were found. */
export const newestOffers = list({
  from: 'listed_price',
  where: [
    ['>=', 'listing_id', '$first_listing'],
    ['<=', 'listing_id', '$last_listing'],
    ['in', 'listing_id', '$listing_ids'],
  ],
  columns: [...LISTED_COLUMNS, 'listing_id', 'likely_uid', 'gpc_id', 'gpc_precision', 'gpc_source'],
  order: ['listing_id'],
})
export type Offer = ReadBy<{ offers: typeof newestOffers }>['offers'][number]

/** A price row with the fields that only best-price has. */
export const bestPriceRow = priceRow
  .extend({
    match_confidence: field.confidence(
      'How sure it is that this is what was meant: 1 for entity; for title, how well the name fits the text, or where ' +
        'is_likely the probability that it is the same product.',
    ),
    is_likely: field.flag(
      'Whether it is likely the same product as those of match_type entity, by the pairs that a refresh scores.',
    ),
    unit_price: unitPrice,
  })
  .meta({
    id: 'BestPriceRow',
    description: 'A listing with its price, how well it fits, its unit price and how low it is.',
  })

export const alternative = z.object({
  product_uid: field.key('Id of its cheapest listing; send it as product_uid to choose the product.'),
  product_name: field.text('Title of that listing; null where the feed has none.').nullable(),
  brand: field.text('Brand of that listing; null where it is unknown.').nullable(),
  price: field.money('Its lowest current price.'),
  retailer: field.text('Platform key of the retailer with that price.'),
})

const isBuyable = ({ in_stock }: Offer): number => Number(in_stock ?? false)

const byUid = (a: Offer, b: Offer): number => (a.product_uid < b.product_uid ? -1 : 1)

const cheapestFirst = (a: Offer, b: Offer): number => isBuyable(b) - isBuyable(a) || a.price - b.price || byUid(a, b)

const UNIT_ORDER = ['100 g', '100 ml', 'each'] as const

type Sort = 'price' | 'unit_price'

/** Whether an offer names nothing but what was asked for. */
type IsPlain = (offer: Offer) => boolean

/**
 * A test for offers of what was plainly asked for: the plain ones, and the same products in the same size, whatever their titles
 * say. A likely product without a size may be another model.
 */
export const isPlainIn = (plain: readonly Offer[], isLikely: boolean): IsPlain => {
  const isSame = (offer: Offer) => (other: Offer) => {
    const [size, otherSize] = [storedContents(offer), storedContents(other)]
    const isSameSize = size !== null && otherSize !== null && contentsFit(size, otherSize) === 2
    return isSameSize && productOf(offer, isLikely) === productOf(other, isLikely)
  }
  const ids = new Set(plain.map(({ listing_id }) => listing_id))
  return (offer) => ids.has(offer.listing_id) || plain.some(isSame(offer))
}

/** An offer with its rank, the price by which it is compared, and what that is the price of. */
type ComparedOffer = { offer: Offer; rank: number; price: number; per: string | undefined }

/** Offers of the highest rank first, then those in the most frequent unit, those without a size last, then the cheapest. */
const sortedBy = (sort: Sort, offers: readonly Offer[], isPlain: IsPlain): ComparedOffer[] => {
  const compared = offers.map((offer): ComparedOffer => {
    const rank = 2 * isBuyable(offer) + Number(isPlain(offer))
    if (sort === 'price') return { offer, rank, price: offer.price, per: undefined }
    const unit = unitPriceOf(offer.price, storedContents(offer))
    return { offer, rank, price: unit?.value ?? 0, per: unit?.per }
  })
  const count = (per: string) => compared.filter((each) => each.per === per).length
  const order: readonly string[] = UNIT_ORDER.toSorted((a, b) => count(b) - count(a))
  const place = (per: string | undefined) => (per === undefined ? UNIT_ORDER.length : order.indexOf(per))
  return compared.sort(
    (a, b) => b.rank - a.rank || place(a.per) - place(b.per) || a.price - b.price || cheapestFirst(a.offer, b.offer),
  )
}

/** Offers in stock first, then those that name nothing but what was asked for, then the cheapest. */
export const sortOffers = (offers: readonly Offer[], sort: Sort, isPlain: IsPlain): Offer[] =>
  sortedBy(sort, offers, isPlain).map(({ offer }) => offer)

/** Prices that are this much above the lowest, in per cent, are as good if they are fresher. */
export const NEAR_PERCENT = 2

/** The offer to buy: the freshest of those like the first that are hardly dearer; undefined without any. */
export const bestOf = (offers: readonly Offer[], sort: Sort, isPlain: IsPlain): Offer | undefined => {
  const [first, ...others] = sortedBy(sort, offers, isPlain)
  if (!first) return undefined
  const isNear = ({ rank, price, per }: ComparedOffer): boolean =>
    rank === first.rank && per === first.per && 100 * price <= (100 + NEAR_PERCENT) * first.price
  return others
    .filter(isNear)
    .reduce((best, { offer }) => (offer.observed_at > best.observed_at ? offer : best), first.offer)
}

/** The oldest price that the interface promises, in seconds. */
export const FRESH_SECONDS = 3 * DAY_SECONDS

export const isFresh = ({ observed_at }: Offer, as_of: string): boolean =>
  Date.parse(as_of) / 1000 - observed_at <= FRESH_SECONDS

/** The median of ascending prices, at least one. */
const median = (prices: readonly number[]): number =>
  (prices[(prices.length - 1) >> 1]! + prices[prices.length >> 1]!) / 2

export const summaryOf = (offers: readonly Offer[], money: ToMoney) => {
  const prices = offers.map(({ price }) => price).sort((a, b) => a - b)
  const [min, max] = [prices[0]!, prices.at(-1)!]
  return {
    min: money(min),
    max: money(max),
    avg: money(prices.reduce((sum, price) => sum + price) / prices.length),
    median: money(median(prices)),
    spread_pct: percent((100 * (max - min)) / min),
  }
}

/** How many products offers are of; if wanted, likely matches are one product. */
export const countProducts = (offers: readonly Offer[], isLikely: boolean): number =>
  new Set(offers.map((offer) => productOf(offer, isLikely))).size

/** A listing that was left out, and its kind of product. */
export type LeftOut = { listing_id: number; kind: string }

const MAX_ALTERNATIVES = 5

/** The cheapest offer of the first product of each kind, in order of relevance. */
export const alternativesOf = (
  offers: readonly Offer[],
  left_out: readonly LeftOut[],
  platforms: ReadonlyMap<number, string>,
  money: ToMoney,
): z.output<typeof alternative>[] => {
  const byListing = new Map(offers.map((offer) => [offer.listing_id, offer]))
  const firsts = new Map<string, Offer>()
  const products = new Set<string>()
  for (const { listing_id, kind } of left_out) {
    const offer = byListing.get(listing_id)
    if (!offer || firsts.has(kind) || products.has(productOf(offer, false))) continue
    firsts.set(kind, offer)
    products.add(productOf(offer, false))
  }
  const unmeant = left_out.flatMap(({ listing_id }) => byListing.get(listing_id) ?? [])
  return [...firsts.values()].slice(0, MAX_ALTERNATIVES).map((first) => {
    const ofProduct = unmeant.filter((offer) => productOf(offer, false) === productOf(first, false))
    const { product_uid, product_name, brand, price, retailer_id } = ofProduct.toSorted(cheapestFirst)[0]!
    return { product_uid, product_name, brand, price: money(price), retailer: platforms.get(retailer_id)! }
  })
}
