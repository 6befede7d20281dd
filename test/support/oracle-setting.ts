import { type Ask, discreteMedian, groupBy, inScope, type ListingDay, listingKey, pct, quantile7 } from './oracle.ts'
import { sizes as countedSizes } from './oracle-distribution.ts'
import { daysWithin } from './oracle-series.ts'

const LIMIT = 42
const daysFrom = (a: string, b: string): number => (Date.parse(b) - Date.parse(a)) / 86_400_000

/** The regular price of each observation of a listing in its order, greedily from the first. */
export const regularPrices = (own: readonly { day: string; price: number }[]): number[] => {
  const regular: number[] = []
  for (let i = 0; i < own.length; ) {
    const { day, price } = own[i]!
    const before = own[i - 1]
    const usual = regular[i - 1]
    const back = usual === undefined ? -1 : own.findIndex((later, k) => k > i && later.price >= usual)
    const isSale =
      usual !== undefined &&
      price < usual &&
      daysFrom(before!.day, day) <= LIMIT &&
      back > 0 &&
      own[back]!.price === usual &&
      daysFrom(day, own[back]!.day) <= LIMIT
    if (isSale) for (; i < back; i += 1) regular.push(usual)
    else {
      regular.push(price)
      i += 1
    }
  }
  return regular
}

type Pair = { month: string; shelf: string; base: number; price: number }

const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

const figures = (pairs: readonly Pair[]) => {
  const changed = pairs.filter(({ base, price }) => base !== price)
  const rising = changed.filter(({ base, price }) => price > base)
  const frequency = changed.length / pairs.length
  const sizes = changed.map(({ base, price }) => Math.max(1, Math.round(Math.abs(Math.log(price / base)) * 1e4)) / 100)
  const isEnough = pairs.length >= 30
  const hasChange = isEnough && changed.length > 0
  const shelves = [...groupBy(pairs, ({ shelf }) => shelf).values()]
    .filter((own) => own.length >= 30)
    .map((own) => (100 * own.filter(({ base, price }) => base !== price).length) / own.length)
  return {
    pair_count: pairs.length,
    increase_count: rising.length,
    decrease_count: changed.length - rising.length,
    frequency_pct: isEnough ? pct(100 * frequency) : null,
    share_of_increases_pct: hasChange ? pct((100 * rising.length) / changed.length) : null,
    median_size_pct: hasChange ? pct(quantile7(sizes, 0.5)) : null,
    implied_duration_months: hasChange ? (frequency === 1 ? 0 : pct(-1 / Math.log(1 - frequency))) : null,
    median_shelf_frequency_pct: shelves.length === 0 ? null : pct(quantile7(shelves, 0.5)),
  }
}

export type SettingAsk = Ask & { as_of: string; from: string; to: string }

/** The figures of analyst/price-setting of the months from the day `from` to that before `to`; null where nothing was observed. */
export const priceSetting = (days: readonly ListingDay[], ask: SettingAsk) => {
  const first = new Date(Date.parse(ask.from) - 2 * LIMIT * 86_400_000).toISOString().slice(0, 10)
  const seen = daysWithin(days, { from: first, to: '9999', as_of: ask.as_of }).filter(({ listing }) =>
    inScope(listing, ask),
  )
  if (!seen.some(({ day }) => day >= ask.from)) return null
  const listings = [...groupBy(seen, ({ listing }) => listingKey(listing)).values()].map((own) =>
    own.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  )
  const pairsOf = (pricesOf: (own: readonly ListingDay[]) => number[]): Pair[] =>
    listings.flatMap((own) => {
      const priced = own
        .map(({ day, listing }, i) => ({ day, shelf: listing.shelf.join(), price: pricesOf(own)[i]! }))
        .filter(({ day }) => day >= ask.from && day < ask.to)
      const months = groupBy(priced, ({ day }) => day.slice(0, 7))
      return [...months].flatMap(([month, rows]) => {
        const next = months.get(monthAfter(month))
        if (!next) return []
        const [base, price] = [rows, next].map((some) => discreteMedian(some.map((row) => row.price))) as [
          number,
          number,
        ]
        if (price > 3 * base || base > 3 * price) return []
        return [{ month: monthAfter(month), shelf: rows[0]!.shelf, base, price }]
      })
    })
  const posted = pairsOf((own) => own.map(({ price }) => price))
  const regular = pairsOf(regularPrices)
  return {
    posted: figures(posted),
    regular: figures(regular),
    sizes: countedSizes(posted, regular),
    frequency_pct: figures(posted).frequency_pct,
  }
}
