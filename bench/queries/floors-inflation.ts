import { addDays } from '../../engine/contract/days.ts'
import { percent } from '../../engine/contract/round.ts'
import { studentT975 } from '../../engine/statistics/student-t.ts'
import { tailOf } from '../trim.ts'
import { bucket, distributionOf } from './changes.ts'
import { type Counts, countsOf } from './counts.ts'
import type { Floor } from './floor.ts'
import { contributions, namesOf, type PartNames, type Parts, scopeOf } from './floors-contributions.ts'
import { isPlausible, log, type PeriodRow, seriesOf } from './floors-series.ts'
import { withoutSales } from './floors-setting.ts'
import { type Files, isInWindow, metaOf, numbers, ON_PROMOTION, rowsOf, shelfTimes, type Values } from './sql.ts'

const LOG_UNIT = 1e12
const change = (value: number): number => percent(100 * Math.expm1(value / LOG_UNIT))

/** The first days of the weeks or months of a window, as the series has them. */
const periodsOf = ({ unit, from, to }: Values): string[] => {
  const day = new Date(`${from}T00:00:00Z`)
  if (unit === 'month') day.setUTCDate(1)
  else day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  const periods: string[] = []
  while (day.toISOString().slice(0, 10) < String(to)) {
    periods.push(day.toISOString().slice(0, 10))
    if (unit === 'month') day.setUTCMonth(day.getUTCMonth() + 1)
    else day.setUTCDate(day.getUTCDate() + 7)
  }
  return periods
}

const isWhole = ({ whole_from, whole_to }: Values): boolean => String(whole_from) <= String(whole_to)

/** The prices of listings by period: whole months from their roll-up, others from their days. */
const priced = (files: Files, values: Values): string =>
  isWhole(values)
    ? `SELECT listing_id, retailer_id, category_id, brand_id, period, price, observation_count, in_stock, promo
       FROM ${files.listingMonths(String(values.whole_from), String(values.whole_to))}
       WHERE category_id BETWEEN ${values.first} AND ${values.last}
         AND period BETWEEN DATE '${values.whole_from}-01' AND DATE '${values.whole_to}-01'`
    : `SELECT listing_id, any_value(retailer_id) AS retailer_id, any_value(category_id) AS category_id, any_value(brand_id) AS brand_id, date_trunc('${values.unit}', day)::DATE AS period,
         quantile_disc(price, 0.5) AS price, count(*)::INTEGER AS observation_count,
         arg_max_null(in_stock, day) AS in_stock, arg_max(${ON_PROMOTION}, day) AS promo
       FROM ${files.months('observations')} WHERE ${isInWindow(values)} GROUP BY listing_id, period`

const POINTS = `SELECT strftime(period, '%Y-%m-%d') AS date, count(*)::INTEGER AS n,
    sum(observation_count)::INTEGER AS observation_count, sum(price)::DOUBLE AS price_sum, min(price) AS min_price,
    max(price) AS max_price, quantile_cont(price, 0.5) AS median_price,
    count(*) FILTER (in_stock)::INTEGER AS in_stock_count, count(in_stock)::INTEGER AS stock_known_count, count(*) FILTER (promo)::INTEGER AS promo_count
  FROM priced GROUP BY period ORDER BY period`

/** Links and the stable basket in one row, pairs by retailer and log: from a row a listing with a column a month, nothing is joined. */
const matched = (values: Values): string => {
  const periods = periodsOf(values)
  const prices = periods.map((_, i) => `p${i}`)
  const [first, last] = [prices[0]!, prices.at(-1)!]
  const columns = periods.map((period, i) => `max(price) FILTER (period = DATE '${period}') AS p${i}`)
  const logs = prices
    .slice(1)
    .map((price, i) => `CASE WHEN ${isPlausible(`p${i}`, price)} THEN ${log(`p${i}`, price)} END AS log${i + 1}`)
  const middle = prices.slice(1, -1)
  const sinceFirst = middle.map((price) => `CASE WHEN ${isPlausible(first, price)} THEN ${log(first, price)} END`)
  const links = logs.map(
    (_, i) => `count(p${i} + p${i + 1})::INTEGER AS pairs${i + 1}, count(log${i + 1})::INTEGER AS links${i + 1},
      sum(log${i + 1})::DOUBLE AS logs${i + 1}`,
  )
  const stable = prices.map((price, i) => `sum(${price}) FILTER (is_stable)::DOUBLE AS stable${i}`)
  // The median of a list is expensive, and cannot matter where even the highest price is near.
  const clearance = `CASE WHEN 5 * ${last} <= 4 * greatest(${prices.join(', ')})
    THEN 5 * ${last} <= 4 * list_aggregate([${prices.join(', ')}], 'quantile_disc', 0.5) ELSE false END`
  return `wide AS MATERIALIZED (
      SELECT listing_id, any_value(retailer_id) AS retailer_id, any_value(category_id) AS category_id, any_value(brand_id) AS brand_id,
        ${columns.join(', ')} FROM priced GROUP BY listing_id
    ), linked AS (
      SELECT *, ${prices.map((price) => `${price} IS NOT NULL`).join(' AND ')} AS is_stable, ${logs.join(', ')} FROM wide
    ), pair AS MATERIALIZED (
      SELECT retailer_id, category_id, brand_id, ${log(first, last)} AS log, ${first} AS base, ${last} AS price, ${clearance} AS clearance
      FROM wide WHERE ${isPlausible(first, last)}
    ), counted AS (
      SELECT retailer_id, clearance, log, count(*)::INTEGER AS n,
        ${bucket('base', 'price')} AS bucket
      FROM pair GROUP BY ALL
    ), since AS (
      SELECT place, log, count(*)::INTEGER AS n
      FROM (SELECT unnest([${middle.map((_, i) => i + 1).join(', ')}]::INTEGER[]) AS place, unnest([${sinceFirst.join(', ')}]::BIGINT[]) AS log
            FROM wide WHERE ${first} IS NOT NULL)
      WHERE log IS NOT NULL GROUP BY place, log
    ), part AS (
      SELECT category_id, coalesce(brand_id, -1) AS brand_id, log, count(*)::INTEGER AS n FROM pair GROUP BY ALL
    ), parts AS (
      SELECT list(category_id) AS category_id, list(brand_id) AS brand_id, list(log::DOUBLE) AS log, list(n) AS n FROM part
    ), listed_since AS (
      SELECT list(place) AS place, list(log::DOUBLE) AS log, list(n) AS n FROM since
    ), listed AS (
      SELECT list(retailer_id) AS retailer_id, list(clearance) AS clearance, list(log::DOUBLE) AS log, list(n) AS n,
        list(bucket) AS bucket FROM counted
    )
    SELECT (SELECT listed FROM listed) AS pairs, (SELECT parts FROM parts) AS parts, (SELECT listed_since FROM listed_since) AS since, count(*) FILTER (is_stable)::INTEGER AS stable_count,
      count(${first})::INTEGER AS base_count, sum(${first})::DOUBLE AS base_sum,
      count(${last})::INTEGER AS price_count, sum(${last})::DOUBLE AS price_sum,
      count(${first} + ${last})::INTEGER AS matched_count,
      sum(${first}) FILTER (${last} IS NOT NULL)::DOUBLE AS matched_base_sum,
      sum(${last}) FILTER (${first} IS NOT NULL)::DOUBLE AS matched_price_sum, ${[...links, ...stable].join(', ')}
    FROM linked`
}

/** Points and pairs: whole months are read for each, the prices of other periods are computed once and handed on as a list. */
const statements = (files: Files, values: Values): string[] => {
  const source = priced(files, values)
  const others = [shelfTimes(files, values), namesOf(files), ...regular(files, values)]
  if (isWhole(values))
    return [`WITH priced AS (${source}) ${POINTS}`, `WITH priced AS (${source}), ${matched(values)}`, ...others]
  const points = `(SELECT list(point ORDER BY date) FROM (${POINTS}) AS point) AS points`
  return [
    `WITH priced AS MATERIALIZED (${source}), ${matched(values).replace('SELECT (SELECT listed', `SELECT ${points}, (SELECT listed`)}`,
    ...others,
  ]
}

/** Logs from the first to the last period without sales, from the days around these, counted; none unless they are queried. */
const regular = (files: Files, values: Values): string[] => {
  if (!values.regular) return []
  const periods = periodsOf(values)
  const first = [String(values.from), periods[0]!].sort().at(-1)!
  const [from, to] = [addDays(first, -84), addDays(String(values.to), 42)]
  const until = to < String(values.regular_before) ? to : String(values.regular_before)
  const days = isInWindow({ ...values, from, to: until })
  const observations = files.months('observations', from.slice(0, 7), until.slice(0, 7))
  const price = 'quantile_disc(coalesce(usual, price), 0.5)'
  return [
    `WITH ${withoutSales(observations, days)}, ends AS (
       SELECT ${price} FILTER (day >= DATE '${first}' AND day < DATE '${periods[1]}') AS base,
         ${price} FILTER (day >= DATE '${periods.at(-1)}' AND day < DATE '${values.to}') AS price
       FROM own LEFT JOIN usual USING (listing_id, day) GROUP BY listing_id
     )
     SELECT ${log('base', 'price')}::DOUBLE AS log, count(*)::INTEGER AS n FROM ends WHERE ${isPlausible('base', 'price')} GROUP BY log`,
  ]
}

export type Pairs = { retailer_id: number[]; clearance: boolean[]; log: number[]; n: number[]; bucket: number[] }

/** The mean of sorted values without their tails, and the bounds that are left. */
const trimmed = (logs: Counts) => {
  const cut = tailOf(logs.n)
  const [low, high] = [logs.at(cut), logs.at(logs.n - 1 - cut)]
  const clipped = (value: number): number => Math.max(low, Math.min(high, value))
  const kept = logs.n - 2 * cut
  const sum = logs.sum(clipped)
  return { kept, clipped, sum, mean: (sum - cut * (low + high)) / kept }
}

const interval = (mean: number, error: number, df: number) => ({
  low: change(mean - studentT975(df) * error),
  high: change(mean + studentT975(df) * error),
})

const MIN_MATCHED = 10
const MIN_FOR_INTERVAL = 30

/** The change and its interval by the logs of pairs; null where there are few, bounds where prices move alike, too. */
const pointOf = (logs: Counts) => {
  const { n } = logs
  const none = { change_pct: null, low: null, high: null, matched: n }
  if (n < MIN_MATCHED) return none
  const { kept, clipped, sum, mean } = trimmed(logs)
  const spread = logs.sum((value) => (clipped(value) - sum / n) ** 2)
  const point = { ...none, change_pct: change(mean) }
  return n < MIN_FOR_INTERVAL || spread === 0
    ? point
    : { ...point, ...interval(mean, Math.sqrt(spread / (kept * (kept - 1))), kept - 1) }
}

type Since = { place: number[] | null; log: number[]; n: number[] }

/** The points between the first and the last, from the counts of all of them. */
const middleOf = ({ place, log, n }: Since, count: number) =>
  Array.from({ length: Math.max(0, count) }, (_, i) => {
    const positions = (place ?? []).flatMap((of, index) => (of === i + 1 ? [index] : []))
    return pointOf(
      countsOf(
        positions.map((position) => log[position]!),
        positions.map((position) => n[position]!),
      ),
    )
  })

const likeForLike = ({ retailer_id, clearance, log, n: counts, bucket: buckets }: Pairs, matched_count: number) => {
  const logs = countsOf(log, counts)
  const regular = counts.map((count, i) => (clearance[i] ? 0 : count))
  const { n } = logs
  const { kept, clipped, sum, mean } = trimmed(logs)
  const changes = distributionOf(counts.map((count, i) => ({ bucket: buckets[i]!, n: count })))
  const spread = logs.sum((value) => (clipped(value) - sum / n) ** 2)
  const clusters = new Map<number, number>()
  for (const [i, count] of counts.entries()) {
    const influence = count * (clipped(log[i]!) - sum / n)
    clusters.set(retailer_id[i]!, (clusters.get(retailer_id[i]!) ?? 0) + influence)
  }
  const between = [...clusters.values()].reduce((total, value) => total + value ** 2, 0)
  const groups = clusters.size
  return {
    lfl_change_pct: change(mean),
    lfl_matched: n,
    lfl_rising: changes.rising,
    lfl_stable: changes.stable,
    lfl_falling: changes.falling,
    lfl_distribution: changes.distribution,
    lfl_excluded_implausible: matched_count - n,
    lfl_ci: interval(mean, Math.sqrt(spread / (kept * (kept - 1))), kept - 1),
    lfl_ci_clustered: interval(mean, Math.sqrt((between * groups) / (groups - 1)) / kept, groups - 1),
    lfl_variants: {
      jevons: change(logs.sum() / n),
      winsorised: change(sum / n),
      median: change(logs.quantile(0.5)),
      excluding_clearance: change(trimmed(countsOf(log, regular)).mean),
    },
  }
}

export const inflation: Floor = {
  statements,
  figures: (results, values) => {
    const steady = values.regular ? results.at(-1)! : null
    const [one, times, names] = results.slice(steady ? -4 : -3)
    const of = (name: string): number => numbers(one![name])[0]!
    const orNull = (name: string): number | null => (one![name]![0] === null ? null : of(name))
    const series = one!.points ? (one!.points[0] as PeriodRow[]) : rowsOf<PeriodRow>(results[0]!)
    const periods = series.map((point, i) => ({
      ...point,
      pair_count: i === 0 ? 0 : of(`pairs${i}`),
      link_count: i === 0 ? 0 : of(`links${i}`),
      log_sum: i === 0 ? null : orNull(`logs${i}`),
      stable_count: of('stable_count'),
      stable_sum: orNull(`stable${i}`),
    }))
    const base = of('base_sum') / of('base_count')
    const price = of('price_sum') / of('price_count')
    const share = (cents: number): number => percent((100 * cents) / base)
    const matchedPrice = of('matched_price_sum') / of('matched_count')
    const matchedBase = of('matched_base_sum') / of('matched_count')
    const headline = likeForLike(one!.pairs![0] as Pairs, of('matched_count'))
    const { low, high } = headline.lfl_ci
    const lfl = [
      null,
      ...middleOf(one!.since![0] as Since, periods.length - 2),
      { change_pct: headline.lfl_change_pct, low, high, matched: headline.lfl_matched },
    ]
    const lfl_variants = {
      ...headline.lfl_variants,
      regular: steady && change(trimmed(countsOf(numbers(steady.log), numbers(steady.n))).mean),
    }
    return {
      ...headline,
      lfl_variants,
      ...contributions(
        one!.pairs![0] as Pairs,
        one!.parts![0] as Parts,
        rowsOf<PartNames>(names!)[0]!,
        scopeOf(values),
      ),
      naive_overall_change_pct: percent(100 * (price / base - 1)),
      decomposition: {
        naive_change_pct: share(price - base),
        matched: share(matchedPrice - matchedBase),
        entry: share(price - matchedPrice),
        exit: share(matchedBase - base),
      },
      time_series: seriesOf(periods).map((point, i) => ({ ...point, lfl: lfl[i] })),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}
