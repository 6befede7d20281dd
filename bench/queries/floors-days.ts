import { percent, ratio, round, share } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { isPlausible, log } from './floors-series.ts'
import { isInWindow, metaOf, ON_PROMOTION, type Platform, platforms, rowsOf, shelfTimes, type Values } from './sql.ts'

type Stock = { retailer_id: number | null; stated: number; out: number }
type Spells = {
  retailer_id: number | null
  n: number
  seen: number
  back: number
  median: number | null
  compared: number
  logs: number | null
  higher: number
  lower: number
}

/** Days by retailer; episodes by the days on which the availability of a listing is another than on the day before. */
export const availability: Floor = {
  statements: (files, values) => [
    `SELECT retailer_id, count(*)::INTEGER AS stated, count(*) FILTER (NOT in_stock)::INTEGER AS out
     FROM ${files.months('observations')} WHERE ${isInWindow(values)} AND in_stock IS NOT NULL
     GROUP BY GROUPING SETS ((), (retailer_id))`,
    `WITH stated AS (
       SELECT listing_id, retailer_id, day, price, in_stock, lag(in_stock) OVER own AS was, lag(price) OVER own AS before
       FROM ${files.months('observations')} WHERE ${isInWindow(values)} AND in_stock IS NOT NULL
       WINDOW own AS (PARTITION BY listing_id ORDER BY day)
     ), spell AS (
       SELECT *, lead(day) OVER own AS back_day, lead(price) OVER own AS after
       FROM stated WHERE was IS NULL OR was <> in_stock WINDOW own AS (PARTITION BY listing_id ORDER BY day)
     ), compared AS (
       SELECT *, CASE WHEN ${isPlausible('before', 'after')} THEN ${log('before', 'after')} END AS log FROM spell WHERE NOT in_stock
     )
     SELECT retailer_id, count(*)::INTEGER AS n, count(was)::INTEGER AS seen, count(back_day)::INTEGER AS back,
       quantile_cont(back_day - day, 0.5)::DOUBLE AS median, count(log)::INTEGER AS compared, sum(log)::DOUBLE AS logs,
       count(*) FILTER (after > before)::INTEGER AS higher, count(*) FILTER (after < before)::INTEGER AS lower
     FROM compared GROUP BY GROUPING SETS ((), (retailer_id))`,
    shelfTimes(files, values),
    platforms(files),
  ],
  figures: ([days, spells, times, names]) => {
    const named = new Map(rowsOf<Platform>(names!).map(({ retailer_id, platform }) => [retailer_id, platform]))
    const byRetailer = new Map(rowsOf<Spells>(spells!).map((row) => [row.retailer_id, row]))
    const figuresOf = ({ retailer_id, stated, out }: Stock) => {
      const {
        n = 0,
        seen = 0,
        back = 0,
        median = null,
        compared = 0,
        logs = 0,
        higher = 0,
        lower = 0,
      } = byRetailer.get(retailer_id) ?? {}
      return {
        stated_days: stated,
        out_of_stock_days: out,
        out_of_stock_pct: share(out, stated),
        episode_count: n,
        start_seen_count: seen,
        back_count: back,
        median_days_to_restock: median === null ? null : round(median, 2),
        higher_price_count: higher,
        lower_price_count: lower,
        restock_change_pct: compared < 10 ? null : percent(100 * Math.expm1(logs! / compared / 1e12)),
      }
    }
    const stock = rowsOf<Stock>(days!)
    return {
      ...figuresOf(stock.find(({ retailer_id }) => retailer_id === null)!),
      retailers: stock
        .filter(({ retailer_id }) => retailer_id !== null)
        .map((row) => ({ retailer: named.get(row.retailer_id!)!, ...figuresOf(row) }))
        .sort((a, b) => b.out_of_stock_pct! - a.out_of_stock_pct! || (a.retailer < b.retailer ? -1 : 1)),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}

type PromoDay = { retailer_id: number; year: number; week: number; days: number; promo: number }
type Depth = { week: number; depth: number }

/** Days by retailer before their weeks, which are expensive to name. */
export const promoCalendar: Floor = {
  statements: (files, values) => [
    `WITH days AS (
       SELECT retailer_id, day, count(*) AS n, count(*) FILTER (${ON_PROMOTION}) AS promo
       FROM ${files.months('observations')} WHERE ${isInWindow(values)} GROUP BY retailer_id, day
     )
     SELECT retailer_id, isoyear(day)::INTEGER AS year, week(day)::INTEGER AS week, sum(n)::DOUBLE AS days, sum(promo)::DOUBLE AS promo
     FROM days GROUP BY ALL ORDER BY ALL`,
    `SELECT week(day)::INTEGER AS week, quantile_cont(round(round(1e9 * (list_price - price) / list_price) / 1e5), 0.5)::DOUBLE AS depth
     FROM ${files.months('observations')}
     WHERE ${isInWindow(values)} AND ${ON_PROMOTION} AND list_price > price AND 10 * (list_price - price) <= 7 * list_price
     GROUP BY week`,
    shelfTimes(files, values),
  ],
  figures: ([days, depths, times]) => {
    const rows = rowsOf<PromoDay>(days!)
    const medians = new Map(rowsOf<Depth>(depths!).map(({ week, depth }) => [week, percent(depth / 100)]))
    const sumOf = (some: readonly PromoDay[], of: 'days' | 'promo') => some.reduce((total, row) => total + row[of], 0)
    const frequencyOf = (some: readonly PromoDay[]) => share(sumOf(some, 'promo'), sumOf(some, 'days'))
    const [all, promoted] = [sumOf(rows, 'days'), sumOf(rows, 'promo')]
    const weeks = [...new Set(rows.map(({ week }) => week))].sort((a, b) => a - b)
    const retailers = [...new Set(rows.map(({ retailer_id }) => retailer_id))].map((id) =>
      rows.filter(({ retailer_id }) => retailer_id === id),
    )
    return {
      listing_days: all,
      promo_frequency_pct: share(promoted, all),
      weeks: weeks.map((week) => {
        const own = rows.filter((row) => row.week === week)
        const [listing_days, promo_days] = [sumOf(own, 'days'), sumOf(own, 'promo')]
        return {
          week,
          listing_days,
          promo_days,
          promo_frequency_pct: share(promo_days, listing_days),
          lift: promoted === 0 ? null : ratio((promo_days * all) / (listing_days * promoted)),
          median_depth_pct: medians.get(week) ?? null,
          years: new Set(own.map(({ year }) => year)).size,
        }
      }),
      retailers: retailers
        .map((own) => ({ listing_days: sumOf(own, 'days'), promo_frequency_pct: frequencyOf(own) }))
        .sort((a, b) => b.listing_days - a.listing_days)
        .slice(0, 15),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}

type Step = { product_uid: string; day: string; price: number; previous_price: number; is_flapping: boolean }
type StepCounts = { n: number; rises: number; flapping: number; page: Step[] | null }

/** Counts and the first page of changes in one statement. */
export const changes: Floor = {
  statements: (files, values: Values) => [
    `WITH posted AS (
       SELECT listing_id, day, price, lag(price) OVER own AS before, lag(day) OVER own AS before_day
       FROM ${files.months('observations')} WHERE ${isInWindow(values)} WINDOW own AS (PARTITION BY listing_id ORDER BY day)
     ), changed AS (
       SELECT *, lag(day) OVER own AS last_day, lag(before) OVER own AS last_before, lead(day) OVER own AS next_day, lead(price) OVER own AS next_price
       FROM posted WHERE price <> before AND day - before_day <= ${values.max_gap_days} WINDOW own AS (PARTITION BY listing_id ORDER BY day)
     ), step AS MATERIALIZED (
       SELECT listing_id, day, price, before, coalesce(next_price = before AND next_day - day <= ${values.flapping_days}, false)
         OR coalesce(last_before = price AND day - last_day <= ${values.flapping_days}, false) AS is_flapping
       FROM changed WHERE day >= DATE '${values.changed_from}'
     ), page AS (
       SELECT product_uid, strftime(day, '%Y-%m-%d') AS day, step.price, before AS previous_price, is_flapping
       FROM step JOIN ${files.listings} AS listing USING (listing_id) ORDER BY day, product_uid LIMIT ${values.limit}
     )
     SELECT count(*)::INTEGER AS n, count(*) FILTER (price > before)::INTEGER AS rises, count(*) FILTER (is_flapping)::INTEGER AS flapping,
       (SELECT list(page ORDER BY day, product_uid) FROM page) AS page
     FROM step`,
  ],
  figures: ([columns]) => {
    const { n, rises, flapping, page } = rowsOf<StepCounts>(columns!)[0]!
    return {
      change_count: n,
      rise_count: rises,
      fall_count: n - rises,
      flapping_count: flapping,
      price_changes: (page ?? []).map(({ product_uid, day, price, previous_price, is_flapping }) => ({
        product_uid,
        date: day,
        change_pct: percent((100 * (price - previous_price)) / previous_price),
        is_flapping,
      })),
    }
  },
}
