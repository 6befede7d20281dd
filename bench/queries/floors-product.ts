import type { Member } from '../../engine/catalog/product-scope.ts'
import { percent } from '../../engine/contract/round.ts'
import { countsOf } from './counts.ts'
import type { Floor } from './floor.ts'
import { money } from './money.ts'
import { type Files, metaOf, ON_PROMOTION, rowsOf, type SqlColumns, type Values } from './sql.ts'

const membersOf = (values: Values): readonly Member[] => values.members as unknown as Member[]

const ofMembers = (values: Values): string => `listing_id IN (${membersOf(values)
  .map(({ listing_id }) => listing_id)
  .join(', ')})
  AND (day >= DATE '${values.seen_from}' AND day < DATE '${values.to}' OR day >= DATE '${values.since}' AND day < DATE '${values.before}')`

/** The last day before as_of. */
const today = ({ before }: Values): string => `DATE '${before}' - 1`

const window = (values: Values): { from: string; to: string } =>
  values.periods as unknown as { from: string; to: string }

/** A row for each listing and day on which one of its prices stands; few rows, the rest is done by hand. */
const statements = (files: Files, values: Values): string[] => {
  const { from, to } = window(values)
  return [
    `WITH seen AS (
       SELECT listing_id, day, price, in_stock, ${ON_PROMOTION} AS promo,
         least(lead(day) OVER (PARTITION BY listing_id ORDER BY day), day + 35) AS until
       FROM ${files.listingDays()} WHERE ${ofMembers(values)}
     ), stood AS (
       SELECT listing_id, unnest(range(day, until::DATE, INTERVAL 1 DAY))::DATE AS on_day, day, price, in_stock, promo FROM seen
     )
     SELECT listing_id, strftime(on_day, '%Y-%m-%d') AS day, on_day = day AS seen, price, in_stock, promo,
       on_day >= DATE '${from}' AND on_day < DATE '${to}' AS in_window
     FROM stood WHERE on_day >= DATE '${from}' AND on_day < DATE '${to}' OR on_day = ${today(values)}
     ORDER BY on_day, listing_id`,
    `WITH timed AS (
       SELECT day, epoch(day) + observed_second AS second,
         least(lead(day) OVER (PARTITION BY listing_id ORDER BY day), day + 35) AS until
       FROM ${files.listingDays()} WHERE ${ofMembers(values)}
     )
     SELECT min(second) AS observed_min, max(second) AS observed_max FROM timed
     WHERE day < DATE '${to}' AND until > DATE '${from}' OR until > ${today(values)}`,
  ]
}

type Day = {
  listing_id: number
  day: string
  seen: boolean
  price: number
  in_stock: boolean | null
  promo: boolean
  in_window: boolean
}

const isBuyable = ({ in_stock }: Day): boolean => in_stock !== false

const read = (columns: SqlColumns, values: Values) => {
  const rows = rowsOf<Day>(columns)
  const inWindow = rows.filter(({ in_window }) => in_window)
  const buyable = inWindow.filter(isBuyable)
  const last = new Date(Date.parse(String(values.before)) - 86_400_000).toISOString().slice(0, 10)
  return {
    inWindow,
    counting: buyable.length > 0 ? buyable : inWindow,
    now: rows.filter(({ day }) => day === last),
    isAnyBuyable: buyable.length > 0,
  }
}

const extremes = (counting: readonly Day[]) => {
  const prices = counting.map(({ price }) => price)
  return { lowest_seen: money(Math.min(...prices)), highest_seen: money(Math.max(...prices)) }
}

export const priceHistory: Floor = {
  statements,
  figures: ([columns, times], values) => {
    const { inWindow, counting, now, isAnyBuyable } = read(columns!, values)
    const platforms = new Map(membersOf(values).map(({ listing_id, platform }) => [listing_id, platform]))
    const current = now.toSorted((a, b) => Number(isBuyable(b)) - Number(isBuyable(a)) || a.price - b.price)
    const days = new Map<string, Day[]>()
    for (const row of inWindow) days.set(row.day, [...(days.get(row.day) ?? []), row])
    return {
      member_count: new Set(inWindow.map(({ listing_id }) => listing_id)).size,
      current_price: current.length === 0 ? null : money(current[0]!.price),
      ...extremes(counting),
      observation_count: inWindow.filter(({ seen }) => seen).length,
      time_series: [...days].map(([day, offers]) => {
        const counted = isAnyBuyable ? offers.filter(isBuyable) : offers
        const counts = countsOf(
          counted.map(({ price }) => price),
          counted.map(() => 1),
        )
        const figures = counted.length > 0
        return {
          date: day,
          avg_price: figures ? money(counts.sum() / counts.n) : null,
          min_price: figures ? money(counts.values[0]!) : null,
          max_price: figures ? money(counts.values.at(-1)!) : null,
          median_price: figures ? money(counts.quantile(0.5)) : null,
          retailer_count: new Set(offers.map(({ listing_id }) => platforms.get(listing_id))).size,
          observation_count: offers.filter(({ seen }) => seen).length,
          promo_count: offers.filter(({ promo }) => promo).length,
        }
      }),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}

export const priceDropAlert: Floor = {
  statements,
  figures: ([columns, times], values) => {
    const { inWindow, counting, now } = read(columns!, values)
    const uids = new Map(membersOf(values).map((member) => [member.listing_id, member]))
    const compared = now
      .map((row) => {
        const ofListing = counting.filter(({ listing_id }) => listing_id === row.listing_id)
        return { row, average: ofListing.reduce((sum, { price }) => sum + price, 0) / ofListing.length }
      })
      .sort(
        (a, b) =>
          Number(isBuyable(b.row)) - Number(isBuyable(a.row)) ||
          a.row.price / a.average - b.row.price / b.average ||
          a.row.price - b.row.price ||
          (uids.get(a.row.listing_id)!.product_uid < uids.get(b.row.listing_id)!.product_uid ? -1 : 1),
      )
    const [{ row, average }] = compared as [(typeof compared)[number]]
    return {
      retailer: uids.get(row.listing_id)!.platform,
      current_price: money(row.price),
      avg_price_last_30d: money(average),
      price_vs_avg_pct: percent(100 * (row.price / average - 1)),
      ...extremes(counting),
      observation_count: inWindow.filter(({ seen }) => seen).length,
      member_count: new Set(inWindow.map(({ listing_id }) => listing_id)).size,
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
