import { ratio } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { isPlausible, log } from './floors-series.ts'
import { rowsOf } from './sql.ts'

type Month = { n: number; stayed: number; log: number | null }

/** The chained index with its matched listings: the months of a listing are linked to the ones before by one window. */
export const priceIndex: Floor = {
  statements: (files, values) => [
    `WITH priced AS (
       SELECT listing_id, period, price FROM ${files.listingMonths(String(values.month_from), String(values.month_to))}
       WHERE category_id BETWEEN ${values.first} AND ${values.last}
         AND period >= DATE '${values.from}' AND period < DATE '${values.to}'
     ), middle AS (
       SELECT listing_id, quantile_disc(price, 0.5) AS median FROM priced GROUP BY listing_id
     ), kept AS (
       SELECT listing_id, period, price, lag(price) OVER own AS base, lag(period) OVER own AS base_period
       FROM priced JOIN middle USING (listing_id) WHERE ${isPlausible('median', 'price')}
       WINDOW own AS (PARTITION BY listing_id ORDER BY period)
     )
     SELECT period, count(*)::INTEGER AS n,
       count(*) FILTER (base_period = period - INTERVAL 1 MONTH)::INTEGER AS stayed,
       sum(${log('base', 'price')}) FILTER (base_period = period - INTERVAL 1 MONTH)::DOUBLE AS log
     FROM kept GROUP BY period ORDER BY period`,
  ],
  figures: ([columns]) => {
    let index = 0
    return {
      time_series: rowsOf<Month>(columns!).map(({ n, stayed, log }, i) => {
        index += i === 0 ? 0 : log! / stayed / 1e12
        return { listing_count: n, stayed_count: stayed, chained_index: ratio(Math.exp(index)) }
      }),
    }
  },
}
