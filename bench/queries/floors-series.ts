import { orNull, percent, ratio } from '../../engine/contract/round.ts'
import { DAY_MS } from '../../engine/contract/time.ts'
import type { Floor } from './floor.ts'
import { money } from './money.ts'
import { type Files, isInWindow, metaOf, ON_PROMOTION, rowsOf, shelfTimes, type Values } from './sql.ts'

const LOG_UNIT = 1e12
/** Fewer fenced pairs than this make no link. */
const MIN_PAIRS = 10

const change = (log: number): number => 100 * Math.expm1(log / LOG_UNIT)

/** The log of a price relative in units of 1e-12. */
export const log = (base: string, price: string): string =>
  `CASE WHEN ${price} = ${base} THEN 0 ELSE round(ln(${price}::DOUBLE / ${base}) * 1e12)::BIGINT END`
export const isPlausible = (base: string, price: string): string =>
  `${price} <= 3 * ${base}::BIGINT AND ${base} <= 3 * ${price}::BIGINT`

/** The points of a series of `priced` (listing_id, period, price, in_stock, promo), a price a listing and day. */
const dailyPoints = `
  day AS MATERIALIZED (
    SELECT period, row_number() OVER (ORDER BY period) AS place FROM (SELECT DISTINCT period FROM priced)
  ), placed AS MATERIALIZED (
    SELECT priced.*, place FROM priced JOIN day USING (period)
  ), listing AS (
    SELECT listing_id, count(*) = (SELECT count(*) FROM day) AS is_stable FROM priced GROUP BY listing_id
  ), linked AS (
    SELECT this.*, is_stable, base.price AS base
    FROM placed AS this JOIN listing USING (listing_id)
      LEFT JOIN placed AS base ON base.listing_id = this.listing_id AND base.place = this.place - 1
  )
  SELECT strftime(period, '%Y-%m-%d') AS date, count(*)::INTEGER AS n, count(*)::INTEGER AS observation_count,
    sum(price)::DOUBLE AS price_sum, min(price) AS min_price, max(price) AS max_price,
    quantile_cont(price, 0.5) AS median_price, count(*) FILTER (in_stock)::INTEGER AS in_stock_count,
    count(in_stock)::INTEGER AS stock_known_count, count(*) FILTER (promo)::INTEGER AS promo_count,
    count(base)::INTEGER AS pair_count, count(*) FILTER (${isPlausible('base', 'price')})::INTEGER AS link_count,
    sum(${log('base', 'price')}) FILTER (${isPlausible('base', 'price')})::DOUBLE AS log_sum,
    count(*) FILTER (is_stable)::INTEGER AS stable_count, sum(price) FILTER (is_stable)::DOUBLE AS stable_sum
  FROM linked GROUP BY period ORDER BY period`

export type PeriodRow = {
  date: string
  n: number
  observation_count: number
  price_sum: number
  min_price: number
  max_price: number
  median_price: number
  in_stock_count: number
  stock_known_count: number
  promo_count: number
  pair_count: number
  link_count: number
  log_sum: number | null
  stable_count: number
  stable_sum: number | null
}

const linkOf = (base: PeriodRow | undefined, { pair_count, link_count, log_sum, price_sum, n }: PeriodRow) => {
  if (!base) return null
  if (link_count >= MIN_PAIRS && log_sum !== null) return change(log_sum / link_count)
  if (pair_count > 0 && link_count === 0) return null
  return 100 * (price_sum / n / (base.price_sum / base.n) - 1)
}

/** What an answer says of each period. */
export const seriesOf = (points: readonly PeriodRow[]) =>
  points.map((point, i) => ({
    date: point.date,
    avg_price: money(point.price_sum / point.n),
    min_price: money(point.min_price),
    max_price: money(point.max_price),
    median_price: money(point.median_price),
    product_count: point.n,
    observation_count: point.observation_count,
    change_pct: orNull(percent, linkOf(points[i - 1], point)),
    matched_basket_size: i === 0 ? 0 : point.link_count,
    in_stock_count: point.stock_known_count === 0 ? null : point.in_stock_count,
    stock_known_count: point.stock_known_count,
    promo_count: point.promo_count,
    stable_avg_price:
      points.length > 1 && point.stable_count > 0 ? money(point.stable_sum! / point.stable_count) : null,
  }))

const observed = (files: Files, values: Values, where = ''): string => `
  SELECT listing_id, day AS period, price, in_stock, ${ON_PROMOTION} AS promo
  FROM ${files.months('observations')} WHERE ${isInWindow(values)} ${where}`

export const brandTracker: Floor = {
  statements: (files, values) => [
    `WITH priced AS MATERIALIZED (${observed(files, values, `AND brand_id = ${values.brand_id}`)}), ${dailyPoints}`,
  ],
  // The first and the last observation were made on the first and the last day: the others' times are left unread.
  second: (files, values) => [
    `SELECT min(epoch(day) + observed_second) AS observed_min, max(epoch(day) + observed_second) AS observed_max
     FROM ${files.months('observation_times')}
     WHERE (day = DATE '1970-01-01' + $first::INTEGER OR day = DATE '1970-01-01' + $last::INTEGER)
       AND listing_id IN (SELECT listing_id FROM ${files.listings} WHERE brand_id = ${values.brand_id})`,
  ],
  figures: async ([columns], _, second) => {
    const points = rowsOf<PeriodRow>(columns!)
    const dayOf = (point: PeriodRow | undefined): number => Date.parse(point!.date) / DAY_MS
    const [times] = await second({ first: dayOf(points[0]), last: dayOf(points.at(-1)) })
    return { time_series: seriesOf(points), meta: metaOf(times!.observed_min!, times!.observed_max!) }
  },
}

export const retailerIndex: Floor = {
  statements: (files, values) => {
    const known = `${files.listings} WHERE category_id BETWEEN ${values.first} AND ${values.last} AND entity_uid IS NOT NULL`
    return [
      `WITH priced AS MATERIALIZED (${observed(files, values, `AND retailer_id = ${values.retailer_id}`)}), ${dailyPoints}`,
      `SELECT strftime(day, '%Y-%m-%d') AS date, count(*)::INTEGER AS n, sum(price)::DOUBLE AS price_sum
       FROM ${files.months('observations')} WHERE ${isInWindow(values)} GROUP BY day ORDER BY day`,
      // Weekly crawls: most prices of others fall on days on which the retailer has none, and need no mean.
      `WITH known AS MATERIALIZED (SELECT listing_id, retailer_id, entity_uid FROM ${known}), shared AS (
         SELECT entity_uid, min(listing_id) AS entity_id FROM known GROUP BY entity_uid
         HAVING bool_or(retailer_id = ${values.retailer_id}) AND bool_or(retailer_id <> ${values.retailer_id})
       ), member AS (
         SELECT listing_id, retailer_id, entity_id FROM known JOIN shared USING (entity_uid)
       ), priced AS MATERIALIZED (
         SELECT (entity_id::BIGINT << 16) + (day - DATE '1970-01-01') AS entity_day, retailer_id, price
         FROM (SELECT day, listing_id, price FROM ${files.months('observations')} WHERE ${isInWindow(values)})
           JOIN member USING (listing_id)
       ), own AS (
         SELECT entity_day, round(sum(${log('1', 'price')}) / count(*))::BIGINT AS own_log
         FROM priced WHERE retailer_id = ${values.retailer_id} GROUP BY entity_day
       ), mean AS (
         SELECT entity_day, any_value(own_log) AS own_log, round(sum(${log('1', 'price')}) / count(*))::BIGINT AS mean_log
         FROM (SELECT * FROM priced WHERE retailer_id <> ${values.retailer_id}) JOIN own USING (entity_day)
         GROUP BY entity_day, retailer_id
       ), gap AS (
         SELECT DATE '1970-01-01' + (entity_day & 65535)::INTEGER AS day, any_value(own_log) - round(avg(mean_log))::BIGINT AS gap
         FROM mean GROUP BY entity_day
       )
       SELECT strftime(day, '%Y-%m-%d') AS date, count(*)::INTEGER AS matched, sum(gap)::DOUBLE AS gap_sum
       FROM gap GROUP BY day`,
      shelfTimes(files, values),
    ]
  },
  figures: ([points, category, matched, times]) => {
    const all = new Map(rowsOf<PeriodRow>(category!).map((row) => [row.date, row]))
    const gaps = new Map(
      rowsOf<{ date: string; matched: number; gap_sum: number }>(matched!).map((row) => [row.date, row]),
    )
    const periods = rowsOf<PeriodRow>(points!)
    return {
      time_series: seriesOf(periods).map((point, i) => {
        const { n, price_sum } = all.get(point.date)!
        const gap = gaps.get(point.date)
        const average = periods[i]!.price_sum / periods[i]!.n
        return {
          ...point,
          retailer_avg_price: point.avg_price,
          category_avg_price: money(price_sum / n),
          price_index: ratio(average / (price_sum / n)),
          matched_entities: gap?.matched ?? 0,
          matched_price_index: gap ? ratio(1 + change(gap.gap_sum / gap.matched) / 100) : null,
        }
      }),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}

type Promotions = {
  label: string
  key: string
  n: number
  promoted: number
  depths: number
  depth: number | null
  max: number | null
}

export const promoIntelligence: Floor = {
  statements: (files, values) => [
    `WITH ranked AS (
       SELECT brand_id, count(*)::INTEGER AS n, count(*) FILTER (promo)::INTEGER AS promoted,
         count(depth) FILTER (promo)::INTEGER AS depths, sum(depth) FILTER (promo)::DOUBLE AS depth,
         max(depth) FILTER (promo)::DOUBLE AS max
       FROM (SELECT brand_id, ${ON_PROMOTION} AS promo, CASE WHEN list_price > price AND 10 * (list_price - price) <= 7 * list_price
               THEN round(1e9 * (list_price - price) / list_price)::BIGINT END AS depth
             FROM ${files.months('observations')} WHERE ${isInWindow(values)} AND brand_id IS NOT NULL)
       GROUP BY brand_id
     )
     SELECT brand AS label, brand_norm AS key, ranked.* EXCLUDE (brand_id) FROM ranked JOIN ${files.brands} USING (brand_id)`,
    shelfTimes(files, values),
  ],
  figures: ([ranked, times]) => ({
    brands: rowsOf<Promotions>(ranked!)
      .map((row) => ({ ...row, share: row.promoted / row.n, mean: row.depth === null ? -1 : row.depth / row.depths }))
      .sort((a, b) => b.share - a.share || b.mean - a.mean || b.n - a.n || (a.key < b.key ? -1 : 1))
      .map(({ label, n, promoted, share, mean, depth, max }) => ({
        brand: label,
        total_observations: n,
        promo_observations: promoted,
        promo_frequency_pct: percent(100 * share),
        avg_promo_depth_pct: depth === null ? null : percent((100 * mean) / 1e9),
        max_promo_depth_pct: max === null ? null : percent((100 * max) / 1e9),
      })),
    meta: metaOf(times!.observed_min!, times!.observed_max!),
  }),
}
