import type { Member } from '../../engine/catalog/product-scope.ts'
import { percent } from '../../engine/contract/round.ts'
import { countsOf } from './counts.ts'
import type { Floor } from './floor.ts'
import { money } from './money.ts'
import { type Files, metaOf, ON_PROMOTION, rowsOf, type SqlColumns, type Values } from './sql.ts'

const membersOf = (values: Values): readonly Member[] => values.members as unknown as Member[]

const ofMembers = (values: Values): string => `category_id BETWEEN ${values.first} AND ${values.last}
  AND listing_id IN (${membersOf(values)
    .map(({ listing_id }) => listing_id)
    .join(', ')})
  AND (day >= DATE '${values.from}' AND day < DATE '${values.to}' OR day >= DATE '${values.since}' AND day < DATE '${values.before}')`

/** The days of a product's listings: few rows, the rest is done by hand. */
const statements = (files: Files, values: Values): string[] => [
  `SELECT listing_id, strftime(day, '%Y-%m-%d') AS day, price, in_stock, ${ON_PROMOTION} AS promo
   FROM ${files.months('observations')} WHERE ${ofMembers(values)}`,
  `SELECT min(epoch(day) + observed_second) FILTER (day >= DATE '${values.from}' AND day < DATE '${values.to}') AS observed_min,
     max(epoch(day) + observed_second) AS observed_max
   FROM ${files.months('observation_times')} WHERE ${ofMembers(values)}`,
]

type Day = { listing_id: number; day: string; price: number; in_stock: boolean | null; promo: boolean }

const byDay = (rows: readonly Day[]): Map<string, Day[]> => {
  const days = new Map<string, Day[]>()
  for (const row of rows) days.set(row.day, [...(days.get(row.day) ?? []), row])
  return new Map([...days].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The lowest price in stock, where none is in stock the lowest. */
const lowest = (rows: readonly Day[]): number => {
  const prices = (some: readonly Day[]): number[] => some.map(({ price }) => price)
  const inStock = rows.filter(({ in_stock }) => in_stock)
  return Math.min(...prices(inStock.length > 0 ? inStock : rows))
}

const read = (columns: SqlColumns, values: Values) => {
  const rows = rowsOf<Day>(columns)
  const isIn = (day: string): boolean => day >= String(values.from) && day < String(values.to)
  const window = rows.filter(({ day }) => isIn(day))
  const newest = rows.reduce((day, row) => (row.day > day && row.day >= String(values.since) ? row.day : day), '')
  const daily = [...byDay(window)].map(([day, found]) => ({ day, price: lowest(found), found }))
  return { window, newest, daily, current: rows.filter(({ day }) => day === newest) }
}

export const priceHistory: Floor = {
  statements,
  figures: ([columns, times], values) => {
    const { window, daily, current } = read(columns!, values)
    const platforms = new Map(membersOf(values).map(({ listing_id, platform }) => [listing_id, platform]))
    const prices = daily.map(({ price }) => price)
    const [low, high] = [Math.min(...prices), Math.max(...prices)]
    return {
      member_count: new Set(window.map(({ listing_id }) => listing_id)).size,
      current_price: current.length === 0 ? null : money(lowest(current)),
      lowest_seen: money(low),
      lowest_seen_date: daily.findLast(({ price }) => price === low)!.day,
      highest_seen: money(high),
      highest_seen_date: daily.findLast(({ price }) => price === high)!.day,
      observation_count: window.length,
      time_series: daily.map(({ day, found }) => {
        const counts = countsOf(
          found.map(({ price }) => price),
          found.map(() => 1),
        )
        return {
          date: day,
          avg_price: money(counts.sum() / counts.n),
          min_price: money(counts.values[0]!),
          max_price: money(counts.values.at(-1)!),
          median_price: money(counts.quantile(0.5)),
          retailer_count: new Set(found.map(({ listing_id }) => platforms.get(listing_id))).size,
          observation_count: counts.n,
          in_stock_count: found.filter(({ in_stock }) => in_stock).length,
          promo_count: found.filter(({ promo }) => promo).length,
        }
      }),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}

export const priceDropAlert: Floor = {
  statements,
  figures: ([columns, times], values) => {
    const { window, newest, daily, current } = read(columns!, values)
    const others = daily.filter(({ day }) => day !== newest)
    const average = others.reduce((sum, { price }) => sum + price, 0) / others.length
    const uids = new Map(membersOf(values).map((member) => [member.listing_id, member]))
    const [best] = current.sort(
      (a, b) =>
        Number(b.in_stock ?? false) - Number(a.in_stock ?? false) ||
        a.price - b.price ||
        (uids.get(a.listing_id)!.product_uid < uids.get(b.listing_id)!.product_uid ? -1 : 1),
    )
    const all = [...others, { day: newest, price: lowest(current) }]
    const low = Math.min(...all.map(({ price }) => price))
    return {
      retailer: uids.get(best!.listing_id)!.platform,
      current_price: money(best!.price),
      avg_price_last_30d: money(average),
      price_vs_avg_pct: percent(100 * (best!.price / average - 1)),
      lowest_seen: money(low),
      lowest_seen_date: all.findLast(({ price }) => price === low)!.day,
      observation_count: window.length,
      member_count: new Set(window.map(({ listing_id }) => listing_id)).size,
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}

type ListedOffer = {
  product_uid: string
  retailer: string
  price: number
  in_stock: boolean | null
  observed_at: number
}

export const bestPrice: Floor = {
  statements: (files, values) => [
    `SELECT product_uid, entity_uid, product_id, product_name, brand, platform AS retailer, price, list_price, in_stock,
       star_rating::DOUBLE AS star_rating, review_count, promo_flag, condition, url, gpc_id,
       epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
     FROM ${files.listings} AS listing JOIN ${files.retailers} USING (retailer_id)
     WHERE category_id BETWEEN ${values.first} AND ${values.last} AND listing_id IN (${values.listing_ids})
       AND last_day >= DATE '${values.since}' AND last_day < DATE '${values.before}'
     ORDER BY coalesce(in_stock, false) DESC, price, product_uid`,
  ],
  figures: ([columns]) => {
    const offers = rowsOf<ListedOffer>(columns!)
    const counts = countsOf(
      offers.map(({ price }) => price),
      offers.map(() => 1),
    )
    const [min, max] = [counts.values[0]!, counts.values.at(-1)!]
    const times = offers.map(({ observed_at }) => observed_at)
    return {
      prices: offers
        .slice(0, 10)
        .map(({ product_uid, retailer, price }) => ({ product_uid, retailer, price: money(price) })),
      retailer_count: new Set(offers.map(({ retailer }) => retailer)).size,
      price_summary: {
        min: money(min),
        max: money(max),
        avg: money(counts.sum() / counts.n),
        median: money(counts.quantile(0.5)),
        spread_pct: percent((100 * (max - min)) / min),
      },
      meta: metaOf(times, times),
    }
  },
}
