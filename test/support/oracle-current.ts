import {
  type Ask,
  addDays,
  ascending,
  groupBy,
  inScope,
  isPromo,
  type ListingDay,
  listingKey,
  mean,
  money,
  observedBetween,
  onShelf,
  pct,
  quantile7,
  ratio,
  rounded,
  sum,
  unseenDay,
} from './oracle.ts'
import { isAccessoryShelf } from './rows.ts'

export type CurrentAsk = Ask & { days?: number | undefined; as_of: string }

/** Every listing's latest observation before as_of and at most `days` days older than it. */
export const currentPrices = (days: readonly ListingDay[], { as_of, days: age = 90 }: CurrentAsk): ListingDay[] => {
  const since = addDays(as_of, -age)
  const before = unseenDay(as_of)
  const latest = new Map<string, ListingDay>()
  for (const day of days) {
    if (day.day < since || day.day >= before) continue
    const previous = latest.get(listingKey(day.listing))
    if (!previous || day.day > previous.day) latest.set(listingKey(day.listing), day)
  }
  return [...latest.values()]
}

const LEAST_FLOOR = 50

const fence = (prices: readonly number[]): ((price: number) => boolean) => {
  if (prices.length < 10) return () => true
  const logs = prices.map(Math.log)
  const low = quantile7(logs, 0.25)
  const high = quantile7(logs, 0.75)
  const reach = 1.5 * Math.max(high - low, 0.1)
  return (price) => Math.log(price) >= low - reach - 1e-11 && Math.log(price) <= high + reach + 1e-11
}

/** The population of the headline statistics, and what the filters leave out, each row under the first that applies. */
const population = (days: readonly ListingDay[], ask: CurrentAsk) => {
  const shelf = currentPrices(days, ask).filter(({ listing }) => onShelf(listing, ask))
  const rows = shelf.filter(({ listing }) => inScope(listing, ask))
  if (rows.length === 0) return null
  const isRefused = ({ listing }: ListingDay) => !listing.is_new
  // On an accessory shelf, or beneath one, nothing is left out for being there.
  const onAccessories = ask.shelf.some(isAccessoryShelf)
  const isAccessory = ({ listing }: ListingDay) =>
    !onAccessories && listing.shelf.slice(ask.shelf.length).some(isAccessoryShelf)
  const whole = shelf.filter((row) => !isRefused(row) && !isAccessory(row)).map(({ price }) => price)
  const floor = whole.length < 30 ? LEAST_FLOOR : Math.max(LEAST_FLOOR, rounded(quantile7(whole, 0.5) / 10, 0))
  const fresh = rows.filter((row) => !isRefused(row))
  const products = fresh.filter((row) => !isAccessory(row))
  const aboveFloor = products.filter(({ price }) => price >= floor)
  const isRegular = fence(aboveFloor.map(({ price }) => price))
  const kept = aboveFloor.filter(({ price }) => isRegular(price))
  return {
    kept,
    meta: observedBetween(rows),
    representative_floor: money(floor),
    excluded: {
      refurbished_or_used: rows.length - fresh.length,
      accessory_or_parts: fresh.length - products.length,
      below_floor: products.length - aboveFloor.length,
      price_outliers: aboveFloor.length - kept.length,
    },
  }
}

const histogram = (prices: readonly number[]) => {
  const [min = 0] = ascending(prices)
  const range = Math.max(...prices) - min
  if (prices.length === 0) return []
  const decimals = range === 0 || range >= 8 ? 2 : 5
  const edge = (i: number) => rounded((min + (i * range) / 8) / 100, decimals).toFixed(decimals)
  if (range === 0) return [{ bin: `${edge(0)}-${edge(0)}`, count: prices.length }]
  return Array.from({ length: 8 }, (_, i) => ({
    bin: `${edge(i)}-${edge(i + 1)}`,
    count: prices.filter((price) => Math.min(7, Math.floor((8 * (price - min)) / range)) === i).length,
  }))
}

const deviation = (prices: readonly number[]): number | null => {
  const centre = mean(prices)
  return prices.length < 2 ? null : Math.sqrt(sum(prices.map((p) => (p - centre) ** 2)) / (prices.length - 1))
}

/** The statistics of analyst/price-dispersion; null where nothing is current. */
export const priceDispersion = (days: readonly ListingDay[], ask: CurrentAsk) => {
  const scope = population(days, ask)
  if (!scope) return null
  const { kept, meta, representative_floor, excluded } = scope
  const prices = kept.map(({ price }) => price)
  const some = <T>(value: () => T): T | null => (prices.length === 0 ? null : value())
  const std = deviation(prices)
  const percentile = (p: number) => some(() => money(quantile7(prices, p)))
  return {
    avg_price: some(() => money(mean(prices))),
    min_price: some(() => money(Math.min(...prices))),
    max_price: some(() => money(Math.max(...prices))),
    std_dev: money(std),
    coeff_of_variation: ratio(std === null ? null : std / mean(prices)),
    percentiles: {
      p10: percentile(0.1),
      p25: percentile(0.25),
      p50: percentile(0.5),
      p75: percentile(0.75),
      p90: percentile(0.9),
    },
    product_count: prices.length,
    price_histogram: histogram(prices),
    outliers_excluded: excluded.price_outliers,
    representative_floor,
    excluded,
    meta,
  }
}

/** The share of yes among the answers that there are. */
const rate = (answers: readonly (boolean | undefined)[]): number | null => {
  const given = answers.filter((answer) => answer !== undefined)
  return given.length === 0 ? null : pct((100 * given.filter(Boolean).length) / given.length)
}

/** The statistics of analyst/category-summary, brands by their keys; null where nothing is current. */
export const categorySummary = (days: readonly ListingDay[], ask: CurrentAsk) => {
  const scope = population(days, ask)
  if (!scope) return null
  const { kept, meta, representative_floor, excluded } = scope
  const prices = kept.map(({ price }) => price)
  const some = (value: () => number | null) => (prices.length === 0 ? null : value())
  const ratings = kept.flatMap(({ listing }) => listing.star_rating ?? [])
  const branded = kept.filter(({ listing }) => listing.brand !== null)
  const brands = [...groupBy(branded, ({ listing }) => listing.brand!)]
  return {
    product_count: kept.length,
    brand_count: brands.length,
    retailer_count: new Set(kept.map(({ listing }) => listing.platform)).size,
    pricing: {
      avg: some(() => money(mean(prices))),
      min: some(() => money(Math.min(...prices))),
      max: some(() => money(Math.max(...prices))),
      median: some(() => money(quantile7(prices, 0.5))),
    },
    avg_rating: ratings.length === 0 ? null : rounded(mean(ratings), 2),
    promo_rate_pct: rate(kept.map(isPromo)),
    in_stock_rate_pct: rate(kept.map(({ in_stock }) => in_stock)),
    stock_known_count: kept.filter(({ in_stock }) => typeof in_stock === 'boolean').length,
    representative_floor,
    excluded,
    meta,
    brands: Object.fromEntries(
      brands.map(([brand, own]) => [
        brand,
        { product_count: own.length, share_pct: pct((100 * own.length) / branded.length) },
      ]),
    ),
  }
}
