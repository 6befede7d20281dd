import { type Ask, groupBy, inScope, type ListingDay, mean, money, observedBetween, ratio } from './oracle.ts'
import {
  daysWithin,
  type FilledPeriod,
  filledPeriods,
  type ListingPeriod,
  pointsOf,
  pricesOf,
  type SeriesAsk,
  stableBasket,
} from './oracle-series.ts'

type Point = ReturnType<typeof pointsOf>[number]

const sampleOf = (periods: readonly FilledPeriod[], points: readonly Point[]) => {
  const insufficient_sample_points = points.filter((point) => point.insufficient_sample).length
  return {
    sample_threshold: 30,
    insufficient_sample_points,
    insufficient_sample: insufficient_sample_points > 0,
    stable_basket_size: periods.length < 2 ? null : stableBasket(periods).length,
  }
}

export type TrackerAsk = SeriesAsk & Omit<Ask, 'shelf'> & { brand: string }

/** The statistics of marketing/brand-tracker, the brand by its key; null where nothing was observed. */
export const brandTracker = (days: readonly ListingDay[], ask: TrackerAsk) => {
  const seen = daysWithin(days, ask).filter(
    ({ listing }) => listing.brand === ask.brand && inScope(listing, { ...ask, shelf: [] }),
  )
  if (seen.length === 0) return null
  const periods = filledPeriods(seen, ask.granularity)
  const points = pointsOf(periods, ask, 'products')
  return { ...sampleOf(periods, points), time_series: points, meta: observedBetween(seen) }
}

/** The product of a listing by its key; null for one without. */
export type ProductOf = (key: string) => string | null
/** Certain products are entities, likely ones clusters of likely matches or else entities. */
export type Products = Record<'certain' | 'likely', ProductOf>
const NONE: Products = { certain: () => null, likely: () => null }

/** How far a retailer's mean log price of an entity lies above the mean of the other retailers' mean log prices. */
const gapOf = (own: string, listings: readonly ListingPeriod[]): number | null => {
  const means = [...groupBy(listings, ({ platform }) => platform)].map(([platform, sold]) => ({
    platform,
    log: mean(sold.map(({ price }) => Math.log(price))),
  }))
  const ours = means.find(({ platform }) => platform === own)
  const others = means.filter(({ platform }) => platform !== own)
  return ours && others.length > 0 ? ours.log - mean(others.map(({ log }) => log)) : null
}

/** The index over the products that a retailer and others sell, and their number. */
const matchedIndex = (own: string, { listings }: FilledPeriod, productOf: ProductOf) => {
  const sold = [...listings.values()].filter(({ key }) => productOf(key) !== null)
  const gaps = [...groupBy(sold, ({ key }) => productOf(key)!).values()].flatMap((each) => gapOf(own, each) ?? [])
  return { index: gaps.length === 0 ? null : ratio(Math.exp(mean(gaps))), products: gaps.length }
}

export type IndexAsk = SeriesAsk & Ask & { retailer: string }

/** The statistics of analyst/retailer-index; null where the retailer was not observed. */
export const retailerIndex = (days: readonly ListingDay[], ask: IndexAsk, products = NONE) => {
  const shelf = daysWithin(days, ask).filter(({ listing }) => inScope(listing, { ...ask, retailer: undefined }))
  const seen = shelf.filter(({ listing }) => listing.platform === ask.retailer)
  if (seen.length === 0) return null
  const category = new Map(filledPeriods(shelf, ask.granularity).map((period) => [period.date, period]))
  const periods = filledPeriods(seen, ask.granularity)
  const points = pointsOf(periods, ask, 'products')
  return {
    ...sampleOf(periods, points),
    meta: observedBetween(seen),
    time_series: points.map((point, i) => {
      const all = category.get(point.date)!
      const own = mean(pricesOf(periods[i]!))
      const certain = matchedIndex(ask.retailer, all, products.certain)
      const likely = matchedIndex(ask.retailer, all, products.likely)
      return {
        ...point,
        retailer_avg_price: money(own),
        category_avg_price: money(mean(pricesOf(all))),
        price_index: ratio(own / mean(pricesOf(all))),
        matched_price_index: certain.index,
        matched_entities: certain.products,
        likely_price_index: likely.index,
        likely_pairs: likely.products,
      }
    }),
  }
}
