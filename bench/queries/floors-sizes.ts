import { percent } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { isPlausible, log } from './floors-series.ts'
import { isInWindow, metaOf, rowsOf, shelfTimes } from './sql.ts'

type CountedKinds = { n: number; shrunk: number; unpriced: number; shrinkflation: number; sharkflation: number }
type MatchedPairs = { n: number; resized: number; prices: number | null; sizes: number | null }

/** Changes of size of the few listings that have any, then prices of these alone; months from the roll-up. */
export const shrinkflation: Floor = {
  statements: (files, values) => {
    const { first, last, whole_from, whole_to, changed_from, counted_from, to, max_gap_days } = values
    const step = `sized AS (
         SELECT listing_id, last_day AS observed_to FROM ${files.listings}
         WHERE category_id BETWEEN ${first} AND ${last} AND condition = 'new' AND size_milli IS NOT NULL
       ), held AS (
         SELECT size.*, coalesce(lead(first_day) OVER (PARTITION BY listing_id ORDER BY first_day), observed_to + 1) AS until
         FROM ${files.sizes} AS size JOIN sized USING (listing_id)
       ), counted AS (
         SELECT *, min(first_day) OVER same AS born, max(last_day) OVER same AS died FROM held
         WHERE last_day > first_day OR until - first_day >= 14 WINDOW same AS (PARTITION BY listing_id, dimension, size)
       ), linked AS (
         SELECT listing_id, first_day, until, size, dimension, born, lag(first_day) OVER own AS start, lag(last_day) OVER own AS seen,
           lag(size) OVER own AS before, lag(dimension) OVER own AS was, lag(died) OVER own AS died
         FROM counted WINDOW own AS (PARTITION BY listing_id ORDER BY first_day)
       ), step AS MATERIALIZED (
         FROM linked WHERE dimension = was AND born = first_day AND died = seen AND 50 * abs(size - before) > greatest(size, before)
           AND size <= 2 * before AND before <= 2 * size AND first_day >= DATE '${changed_from}' AND first_day < DATE '${to}'
       )`
    return [
      `WITH ${step}, priced AS (
         SELECT listing_id, first_day,
           quantile_disc(price, 0.5) FILTER (day BETWEEN greatest(start, seen - ${Number(max_gap_days) - 1}) AND seen AND seen >= DATE '${counted_from}') AS p0,
           quantile_disc(price, 0.5) FILTER (day >= first_day AND day < least(until, first_day + ${max_gap_days})) AS p1
         FROM ${files.months('observations')} JOIN step USING (listing_id) WHERE ${isInWindow(values)} GROUP BY ALL
       )
       SELECT count(*)::INTEGER AS n, count(*) FILTER (size < before)::INTEGER AS shrunk, count(*) FILTER (p0 IS NULL OR p1 IS NULL)::INTEGER AS unpriced,
         count(*) FILTER (size < before AND p1 <= p0 AND p1 * before > p0 * size)::INTEGER AS shrinkflation,
         count(*) FILTER (size < before AND p1 > p0)::INTEGER AS sharkflation
       FROM step LEFT JOIN priced USING (listing_id, first_day)`,
      `WITH ${step}, resized AS (SELECT listing_id, sum(${log('size', 'before')}) AS log FROM step GROUP BY listing_id), ends AS (
         SELECT listing_id, min(price) FILTER (period = DATE '${whole_from}-01') AS base, min(price) FILTER (period = DATE '${whole_to}-01') AS price
         FROM ${files.listingMonths(String(whole_from), String(whole_to))}
         WHERE category_id BETWEEN ${first} AND ${last} AND (period = DATE '${whole_from}-01' OR period = DATE '${whole_to}-01') GROUP BY listing_id
       )
       SELECT count(*)::INTEGER AS n, count(log)::INTEGER AS resized, sum(${log('base', 'price')})::DOUBLE AS prices, coalesce(sum(log), 0)::DOUBLE AS sizes
       FROM ends SEMI JOIN sized USING (listing_id) LEFT JOIN resized USING (listing_id) WHERE ${isPlausible('base', 'price')}`,
      shelfTimes(files, values),
    ]
  },
  figures: ([changes, pairs, times]) => {
    const { n, shrunk, unpriced, shrinkflation, sharkflation } = rowsOf<CountedKinds>(changes!)[0]!
    const { n: matched, resized, prices, sizes } = rowsOf<MatchedPairs>(pairs!)[0]!
    const change = (logs: number) => (matched < 10 ? null : percent(100 * Math.expm1(logs / matched / 1e12)))
    const kinds = [
      ['shrinkflation', shrinkflation],
      ['sharkflation', sharkflation],
    ] as const
    return {
      matched_count: matched,
      resized_count: resized,
      size_effect_pct: change(sizes!),
      price_change_pct: change(prices!),
      unit_price_change_pct: change(prices! + sizes!),
      shrunk_count: shrunk,
      grown_count: n - shrunk,
      unpriced_count: unpriced,
      kinds: Object.fromEntries(
        kinds.filter(([, count]) => count > 0).map(([kind, change_count], i) => [i, { kind, change_count }]),
      ),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}
