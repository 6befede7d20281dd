import { percent } from '../../engine/contract/round.ts'
import { sizeBucket, sizesOf } from './changes.ts'
import type { Floor } from './floor.ts'
import { isPlausible } from './floors-series.ts'
import { isInWindow, rowsOf } from './sql.ts'

type SettingKind = { is_regular: boolean; size: number; n: number; rises: number; falls: number }

/** Observations as `own`, and the price without sales of those on sale as `usual`: a sale by a fall and its return within 42 days. */
export const withoutSales = (observations: string, condition: string): string => `own AS MATERIALIZED (
       SELECT listing_id, day, price, lag(price) OVER w AS before, lag(day) OVER w AS seen
       FROM ${observations} WHERE ${condition} WINDOW w AS (PARTITION BY listing_id ORDER BY day)
     ), sale AS (
       SELECT fall.listing_id, fall.day AS start, fall.before AS usual, min(own.day) AS until
       FROM own AS fall JOIN own ON own.listing_id = fall.listing_id AND own.day > fall.day AND own.day <= fall.day + 42
       WHERE fall.price < fall.before AND fall.day - fall.seen <= 42 AND own.price >= fall.before
       GROUP BY fall.listing_id, fall.day, fall.before HAVING arg_min(own.price, own.day) = fall.before
     ), usual AS (
       SELECT own.listing_id, day, max(usual) AS usual FROM own JOIN sale ON sale.listing_id = own.listing_id AND day >= start AND day < until
       GROUP BY own.listing_id, day
     )`

/** Months and their links, with and without sales, all in one statement. */
export const priceSetting: Floor = {
  statements: (files, values) => [
    `WITH ${withoutSales(files.months('observations'), isInWindow(values))}, months AS (
       SELECT listing_id, date_trunc('month', day)::DATE AS period, quantile_disc(price, 0.5) AS posted,
         quantile_disc(coalesce(usual, price), 0.5) AS regular
       FROM own LEFT JOIN usual USING (listing_id, day)
       WHERE day >= DATE '${values.counted_from}' AND day < DATE '${values.counted_to}' GROUP BY listing_id, period
     ), linked AS (
       SELECT posted, regular, lag(posted) OVER w AS posted_before, lag(regular) OVER w AS regular_before,
         lag(period) OVER w = period - INTERVAL 1 MONTH AS follows
       FROM months WINDOW w AS (PARTITION BY listing_id ORDER BY period)
     ), pairs AS (
       SELECT false AS is_regular, posted_before AS base, posted AS price FROM linked WHERE follows
       UNION ALL
       SELECT true, regular_before, regular FROM linked WHERE follows
     )
     SELECT is_regular, ${sizeBucket('base', 'price')} AS size, count(*)::INTEGER AS n,
       count(*) FILTER (price > base)::INTEGER AS rises, count(*) FILTER (price < base)::INTEGER AS falls
     FROM pairs WHERE ${isPlausible('base', 'price')} GROUP BY ALL`,
  ],
  figures: ([columns]) => {
    const figuresOf = (rows: readonly SettingKind[]) => {
      const [pairs, rises, falls] = (['n', 'rises', 'falls'] as const).map((name) =>
        rows.reduce((sum, row) => sum + row[name], 0),
      ) as [number, number, number]
      return {
        pair_count: pairs,
        increase_count: rises,
        decrease_count: falls,
        frequency_pct: percent((100 * (rises + falls)) / pairs),
      }
    }
    const kinds = rowsOf<SettingKind>(columns!)
    return {
      posted: figuresOf(kinds.filter((kind) => !kind.is_regular)),
      regular: figuresOf(kinds.filter((kind) => kind.is_regular)),
      sizes: sizesOf(kinds),
    }
  },
}
