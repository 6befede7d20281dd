import { DuckDBInstance } from '@duckdb/node-api'
import { median } from './quantile.ts'

/** Connects to a DuckDB of its own, as one would for a query written by hand. */
export const openFloor = async () => (await DuckDBInstance.create(':memory:')).connect()
export type Floor = Awaited<ReturnType<typeof openFloor>>

export type Scope = { first: number; last: number; country: 'us' | 'ca' }

/**
 * The best hand-written SQL known for a statistic's headline figures: literal values, the very files it needs, no
 * optional filter, nothing checked. The window is whole months; their roll-up has a Hive folder a year.
 */
export const floors: Record<string, (snapshot: string, scope: Scope, months: readonly string[]) => string> = {
  'analyst/inflation': (snapshot, { first, last, country }, months) => `
    WITH priced AS MATERIALIZED (
      SELECT listing_id, period, price FROM read_parquet([${[...new Set(months.map((month) => month.slice(0, 4)))]
        .map((year) => `'${snapshot}/listing_months/country=${country}/year=${year}/part-0.parquet'`)
        .join(', ')}]) WHERE category_id BETWEEN ${first} AND ${last}
        AND period BETWEEN DATE '${months[0]}-01' AND DATE '${months.at(-1)}-01'
    ), link AS (
      SELECT this.period, count(*) AS pairs, sum(ln(this.price / base.price)) AS log_sum
      FROM priced AS this JOIN priced AS base
        ON base.listing_id = this.listing_id AND base.period = this.period - INTERVAL 1 MONTH
      GROUP BY this.period
    ), point AS (
      SELECT period, count(*) AS products, avg(price) AS average, min(price) AS low, max(price) AS high,
             quantile_cont(price, 0.5) AS median FROM priced GROUP BY period
    ), pair AS (
      SELECT ln(any_value(price) FILTER (period = DATE '${months.at(-1)}-01')
                / any_value(price) FILTER (period = DATE '${months[0]}-01')) AS log FROM priced GROUP BY listing_id
    ), logs AS (SELECT list_sort(list(log)) AS logs FROM pair WHERE log IS NOT NULL)
    SELECT point.*, pairs, log_sum,
           (SELECT list_avg(logs[len(logs) // 20 + 1 : len(logs) - len(logs) // 20]) FROM logs) AS trimmed
    FROM point LEFT JOIN link USING (period) ORDER BY period`,

  'analyst/price-dispersion': (snapshot, { first, last, country }) => `
    WITH current AS MATERIALIZED (
      SELECT price FROM read_parquet('${snapshot}/listings/country=${country}/part-0.parquet')
      WHERE category_id BETWEEN ${first} AND ${last} AND condition = 'new' AND price IS NOT NULL
    ), fence AS (SELECT quantile_cont(ln(price), [0.25, 0.75]) AS q FROM current),
    kept AS MATERIALIZED (
      SELECT price FROM current, fence
      WHERE ln(price) BETWEEN q[1] - 1.5 * (q[2] - q[1]) AND q[2] + 1.5 * (q[2] - q[1])
    ), summary AS (
      SELECT count(*) AS n, avg(price) AS average, min(price) AS low, max(price) AS high, stddev_samp(price) AS deviation,
             quantile_cont(price, [0.1, 0.25, 0.5, 0.75, 0.9]) AS percentiles FROM kept
    )
    SELECT *, (SELECT histogram(least(7, 8 * (price - low) // greatest(1, high - low))) FROM kept, summary) FROM summary`,

  'analyst/category-summary': (snapshot, { first, last, country }) => `
    WITH current AS MATERIALIZED (
      SELECT price, brand_id, retailer_id, star_rating, promo_flag, in_stock
      FROM read_parquet('${snapshot}/listings/country=${country}/part-0.parquet')
      WHERE category_id BETWEEN ${first} AND ${last} AND condition = 'new' AND price IS NOT NULL
    ), fence AS (SELECT quantile_cont(ln(price), [0.25, 0.75]) AS q FROM current),
    kept AS MATERIALIZED (
      SELECT current.* FROM current, fence
      WHERE ln(price) BETWEEN q[1] - 1.5 * (q[2] - q[1]) AND q[2] + 1.5 * (q[2] - q[1])
    ), top AS (SELECT brand_id, count(*) AS n FROM kept GROUP BY brand_id ORDER BY n DESC LIMIT 10)
    SELECT count(*), count(DISTINCT brand_id), count(DISTINCT retailer_id), avg(price), min(price), max(price),
           quantile_cont(price, 0.5), avg(star_rating), avg(promo_flag::INTEGER), avg(in_stock::INTEGER),
           (SELECT list(top) FROM top) FROM kept`,
}

/** Median milliseconds of a prepared statement. */
export const timeFloor = async (floor: Floor, sql: string, runs: number): Promise<number> => {
  const statement = await floor.prepare(sql)
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await statement.runAndReadAll()
    times.push(performance.now() - start)
  }
  return median(times)
}
