import { ratio } from '../../engine/contract/round.ts'
import { bucket, distributionOf } from './changes.ts'
import type { Floor } from './floor.ts'
import { isPlausible, log } from './floors-series.ts'
import { type Files, rowsOf, type SqlColumns, type Values } from './sql.ts'

type Month = { n: number; stayed: number; log: number }
type MonthBucket = { period: number; bucket: number | null; n: number; log: number | null }

/** The monthly prices of listings that are not set aside, each with that of the month before. */
const indexMonths = (files: Files, values: Values): string =>
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
   SELECT (period - DATE '1970-01-01')::INTEGER AS period, CASE WHEN base_period = period - INTERVAL 1 MONTH THEN ${bucket('base', 'price')} END AS bucket,
     count(*)::INTEGER AS n, sum(${log('base', 'price')})::DOUBLE AS log
   FROM kept GROUP BY ALL`

/** The months, oldest first. */
const monthsOf = (columns: SqlColumns): Month[] => {
  const months = new Map<number, Month>()
  for (const { period, bucket, n, log } of rowsOf<MonthBucket>(columns).toSorted((a, b) => a.period - b.period)) {
    const month = months.get(period) ?? { n: 0, stayed: 0, log: 0 }
    const linked = bucket === null ? { n: 0, log: 0 } : { n, log: log! }
    months.set(period, { n: month.n + n, stayed: month.stayed + linked.n, log: month.log + linked.log })
  }
  return [...months.values()]
}

/** The chained index with its matched listings: the months of a listing are linked to the ones before by one window. */
export const priceIndex: Floor = {
  statements: (files, values) => [indexMonths(files, values)],
  figures: ([columns]) => {
    let index = 0
    const linked = rowsOf<MonthBucket>(columns!).flatMap(({ bucket, n }) => (bucket === null ? [] : [{ bucket, n }]))
    return {
      change_distribution: distributionOf(linked).distribution,
      time_series: monthsOf(columns!).map(({ n, stayed, log }, i) => {
        index += i === 0 ? 0 : log / stayed / 1e12
        return { listing_count: n, stayed_count: stayed, chained_index: ratio(Math.exp(index)) }
      }),
    }
  },
}

type Official = { value: number; released_on: string; n: number }

/** The same months beside the official figures that were released last. */
export const officialComparison: Floor = {
  statements: (files, values) => [
    indexMonths(files, values),
    `SELECT arg_max(value, released_on)::DOUBLE AS value, max(released_on)::VARCHAR AS released_on, count(*)::INTEGER AS n
     FROM ${files.officialFigures}
     WHERE source = '${values.source}' AND series = '${values.series}' AND country = '${values.country}'
       AND released_on < DATE '${values.released_before}' AND period >= DATE '${values.from}' AND period < DATE '${values.to}'
     GROUP BY period ORDER BY period`,
  ],
  figures: ([months, figures]) => {
    const official = rowsOf<Official>(figures!)
    return {
      common_months: official.length,
      time_series: monthsOf(months!).map(({ n }, i) => ({
        listing_count: n,
        official_value: ratio(official[i]!.value),
        official_index: ratio(official[i]!.value / official[0]!.value),
        released_on: official[i]!.released_on,
        vintage_count: official[i]!.n,
      })),
    }
  },
}
