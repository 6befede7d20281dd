import {
  type Ask,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  mean,
  observedBetween,
  pct,
  quantile7,
} from './oracle.ts'
import { daysWithin } from './oracle-series.ts'

type Episode = { days: number | null; before: number | null; after: number | null }

/** The episodes of one listing, given its days in order, by walking along them. */
export const episodesOf = (own: readonly Pick<ListingDay, 'day' | 'price' | 'in_stock'>[]): Episode[] => {
  const episodes: Episode[] = []
  let [before, first]: [number | null, string | null] = [null, null]
  for (const { day, price, in_stock } of own) {
    if (in_stock === false) first ??= day
    if (in_stock !== true) continue
    if (first !== null)
      episodes.push({ days: (Date.parse(day) - Date.parse(first)) / 86_400_000, before, after: price })
    first = null
    before = price
  }
  return first === null ? episodes : [...episodes, { days: null, before, after: null }]
}

const figures = (days: readonly ListingDay[]) => {
  const known = days.filter(({ in_stock }) => in_stock !== undefined)
  const out = known.filter(({ in_stock }) => in_stock === false)
  const episodes = [...groupBy(days, ({ listing }) => listingKey(listing)).values()].flatMap((own) =>
    episodesOf(own.toSorted((a, b) => (a.day < b.day ? -1 : 1))),
  )
  const lengths = episodes.flatMap((episode) => episode.days ?? [])
  const both = episodes.flatMap(({ before, after }) =>
    before === null || after === null ? [] : [[before, after] as const],
  )
  const logs = both
    .filter(([a, b]) => b <= 3 * a && a <= 3 * b)
    .map(([a, b]) => Math.round(Math.log(b / a) * 1e12) / 1e12)
  return {
    stated_days: known.length,
    out_of_stock_days: out.length,
    out_of_stock_pct: known.length === 0 ? null : pct((100 * out.length) / known.length),
    episode_count: episodes.length,
    start_seen_count: episodes.filter(({ before }) => before !== null).length,
    back_count: lengths.length,
    median_days_to_restock: lengths.length === 0 ? null : quantile7(lengths, 0.5),
    higher_price_count: both.filter(([a, b]) => b > a).length,
    lower_price_count: both.filter(([a, b]) => b < a).length,
    restock_change_pct: logs.length < 10 ? null : pct(100 * Math.expm1(mean(logs))),
  }
}

/** The figures of analyst/availability; null where nothing was observed. */
export const availability = (days: readonly ListingDay[], ask: Ask & { as_of: string; from: string; to: string }) => {
  const seen = daysWithin(days, ask).filter(({ listing }) => inScope(listing, ask))
  if (seen.length === 0) return null
  const stated = seen.filter(({ in_stock }) => in_stock !== undefined)
  return {
    meta: observedBetween(seen),
    ...figures(seen),
    retailers: [...groupBy(stated, ({ listing }) => listing.platform)]
      .map(([retailer, own]) => ({ retailer, ...figures(own) }))
      .sort((a, b) => b.out_of_stock_pct! - a.out_of_stock_pct! || (a.retailer < b.retailer ? -1 : 1)),
  }
}
