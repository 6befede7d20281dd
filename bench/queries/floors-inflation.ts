import { percent } from '../../engine/round.ts'
import { studentT975 } from '../../engine/statistics/student-t.ts'
import { countsOf } from './counts.ts'
import type { Floor } from './floor.ts'
import { rowsOf } from './floors-current.ts'
import { isPlausible, log, type Point, seriesOf } from './floors-series.ts'
import { metaOf } from './representative.ts'
import { type Columns, type Files, isInWindow, numbers, ON_PROMOTION, shelfTimes, type Values } from './sql.ts'

const LOG_UNIT = 1e12
const change = (value: number): number => percent(100 * Math.expm1(value / LOG_UNIT))

/** The first days of the months of a window, as the series has them. */
const periodsOf = ({ month_from, month_to }: Values): string[] => {
  const periods: string[] = []
  for (const day = new Date(`${month_from}-01`); ; day.setUTCMonth(day.getUTCMonth() + 1)) {
    const period = day.toISOString().slice(0, 10)
    if (period.slice(0, 7) > String(month_to)) return periods
    periods.push(period)
  }
}

/** A row a listing with a price of each month: whole months from their roll-up, cut ones from their days. */
const wide = (files: Files, values: Values): string => {
  const isWhole = String(values.whole_from) <= String(values.whole_to)
  const columns = periodsOf(values).map((period, i) => {
    const ofMonth = isWhole
      ? `period = DATE '${period}'`
      : `day >= DATE '${period}' AND day < DATE '${period}' + INTERVAL 1 MONTH`
    const price = isWhole ? `max(price)` : `quantile_disc(price, 0.5)`
    return `${price} FILTER (${ofMonth}) AS p${i}`
  })
  const source = isWhole
    ? `${files.listingMonths(String(values.whole_from), String(values.whole_to))}
       WHERE category_id BETWEEN ${values.first} AND ${values.last}
         AND period BETWEEN DATE '${values.whole_from}-01' AND DATE '${values.whole_to}-01'`
    : `${files.months('observations')} WHERE ${isInWindow(values)}`
  return `SELECT listing_id, any_value(retailer_id) AS retailer_id, ${columns.join(', ')} FROM ${source} GROUP BY listing_id`
}

/** Counts of each period: of whole months from the roll-up, of cut ones after their days were reduced. */
const points = (files: Files, values: Values): string => {
  const isWhole = String(values.whole_from) <= String(values.whole_to)
  const priced = isWhole
    ? `SELECT period, price, observation_count, in_stock, promo
       FROM ${files.listingMonths(String(values.whole_from), String(values.whole_to))}
       WHERE category_id BETWEEN ${values.first} AND ${values.last}
         AND period BETWEEN DATE '${values.whole_from}-01' AND DATE '${values.whole_to}-01'`
    : `SELECT date_trunc('month', day)::DATE AS period, quantile_disc(price, 0.5) AS price, count(*) AS observation_count,
         arg_max_null(in_stock, day) AS in_stock, arg_max(${ON_PROMOTION}, day) AS promo
       FROM ${files.months('observations')} WHERE ${isInWindow(values)} GROUP BY listing_id, period`
  return `SELECT strftime(period, '%Y-%m-%d') AS date, count(*)::INTEGER AS n,
      sum(observation_count)::INTEGER AS observation_count, sum(price)::DOUBLE AS price_sum, min(price) AS min_price,
      max(price) AS max_price, quantile_cont(price, 0.5) AS median_price,
      count(*) FILTER (in_stock)::INTEGER AS in_stock_count, count(*) FILTER (promo)::INTEGER AS promo_count
    FROM (${priced}) GROUP BY period ORDER BY period`
}

/** Links and the stable basket in one row, pairs by retailer and log: row by row of the wide rows, nothing is joined. */
const matched = (files: Files, values: Values): string => {
  const places = periodsOf(values).map((_, i) => i)
  const last = places.length - 1
  const links = places.slice(1).flatMap((i) => {
    const [base, price] = [`p${i - 1}`, `p${i}`]
    const isLink = `FILTER (${isPlausible(base, price)})`
    return [
      `count(${base} + ${price})::INTEGER AS pairs${i}`,
      `count(*) ${isLink}::INTEGER AS links${i}`,
      `sum(${log(base, price)}) ${isLink}::DOUBLE AS logs${i}`,
    ]
  })
  const isStable = places.map((i) => `p${i} IS NOT NULL`).join(' AND ')
  const stable = places.map((i) => `sum(p${i}) FILTER (${isStable})::DOUBLE AS stable${i}`)
  const median = `list_aggregate(list_filter([${places.map((i) => `p${i}`).join(', ')}], lambda p: p IS NOT NULL), 'quantile_disc', 0.5)`
  return `WITH wide AS MATERIALIZED (${wide(files, values)}), pair AS (
      SELECT retailer_id, p0 AS base, p${last} AS price, 5 * p${last} <= 4 * ${median} AS clearance
      FROM wide WHERE p0 IS NOT NULL AND p${last} IS NOT NULL AND ${isPlausible('p0', `p${last}`)}
    ), counted AS (
      SELECT retailer_id, clearance, ${log('base', 'price')} AS log, count(*)::INTEGER AS n,
        CASE WHEN abs(price - base) * 200 <= base THEN 0 WHEN price > base THEN 1 ELSE -1 END AS direction
      FROM pair GROUP BY ALL
    ), listed AS (
      SELECT list(retailer_id) AS retailer_id, list(clearance) AS clearance, list(log::DOUBLE) AS log, list(n) AS n,
        list(direction) AS direction FROM counted
    )
    SELECT (SELECT listed FROM listed) AS pairs, count(*) FILTER (${isStable})::INTEGER AS stable_count,
      count(p0)::INTEGER AS base_count, sum(p0)::DOUBLE AS base_sum,
      count(p${last})::INTEGER AS price_count, sum(p${last})::DOUBLE AS price_sum,
      count(p0 + p${last})::INTEGER AS matched_count, sum(p0) FILTER (p${last} IS NOT NULL)::DOUBLE AS matched_base_sum,
      sum(p${last}) FILTER (p0 IS NOT NULL)::DOUBLE AS matched_price_sum, ${[...links, ...stable].join(', ')}
    FROM wide`
}

type Pair = { retailer_id: number; clearance: boolean; log: number; n: number; direction: number }

/** The mean of sorted values without 5 % (at least one) of each tail, and the bounds that are left. */
const trimmed = (pairs: readonly Pair[]) => {
  const logs = countsOf(
    pairs.map(({ log }) => log),
    pairs.map(({ n }) => n),
  )
  const cut = Math.max(1, Math.floor(logs.n / 20))
  const [low, high] = [logs.at(cut), logs.at(logs.n - 1 - cut)]
  const clipped = (value: number): number => Math.max(low, Math.min(high, value))
  const kept = logs.n - 2 * cut
  const sum = logs.sum(clipped)
  return { logs, kept, clipped, sum, mean: (sum - cut * (low + high)) / kept }
}

const interval = (mean: number, error: number, df: number) => ({
  low: change(mean - studentT975(df) * error),
  high: change(mean + studentT975(df) * error),
})

const likeForLike = (pairs: readonly Pair[], matched_count: number) => {
  const { logs, kept, clipped, sum, mean } = trimmed(pairs)
  const { n } = logs
  const countWith = (direction: number): number =>
    pairs.reduce((count, pair) => count + (pair.direction === direction ? pair.n : 0), 0)
  const spread = logs.sum((value) => (clipped(value) - sum / n) ** 2)
  const clusters = new Map<number, number>()
  for (const pair of pairs) {
    const influence = pair.n * (clipped(pair.log) - sum / n)
    clusters.set(pair.retailer_id, (clusters.get(pair.retailer_id) ?? 0) + influence)
  }
  const between = [...clusters.values()].reduce((total, value) => total + value ** 2, 0)
  const groups = clusters.size
  return {
    lfl_change_pct: change(mean),
    lfl_matched: n,
    lfl_rising: countWith(1),
    lfl_stable: countWith(0),
    lfl_falling: countWith(-1),
    lfl_excluded_implausible: matched_count - n,
    lfl_ci: interval(mean, Math.sqrt(spread / (kept * (kept - 1))), kept - 1),
    lfl_ci_clustered: interval(mean, Math.sqrt((between * groups) / (groups - 1)) / kept, groups - 1),
    lfl_variants: {
      jevons: change(logs.sum() / n),
      winsorised: change(sum / n),
      median: change(logs.quantile(0.5)),
      excluding_clearance: change(trimmed(pairs.filter(({ clearance }) => !clearance)).mean),
    },
  }
}

export const inflation: Floor = {
  statements: (files, values) => [points(files, values), matched(files, values), shelfTimes(files, values)],
  figures: ([series, one, times]) => {
    const of = (name: string): number => numbers(one![name])[0]!
    const orNull = (name: string): number | null => (one![name]![0] === null ? null : of(name))
    const periods = rowsOf<Point>(series!).map((point, i) => ({
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
    const pairs = rowsOf<Pair>(one!.pairs![0] as Columns)
    return {
      ...likeForLike(pairs, of('matched_count')),
      naive_overall_change_pct: percent(100 * (price / base - 1)),
      decomposition: {
        naive_change_pct: share(price - base),
        matched: share(matchedPrice - matchedBase),
        entry: share(price - matchedPrice),
        exit: share(matchedBase - base),
      },
      time_series: seriesOf(periods),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}
