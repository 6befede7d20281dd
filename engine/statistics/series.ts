import { type Point, SAMPLE_THRESHOLD } from '../contract/blocks.ts'
import { dayOf } from '../contract/days.ts'
import { orNull, percent, type ToMoney } from '../contract/round.ts'
import { DAY_MS } from '../contract/time.ts'
import type { Granularity, PeriodBindings } from '../contract/window.ts'
import { jevonsChange } from './price-relative.ts'

/** Below this many pairs within the fence a link is naive: the change of the averages. */
const MIN_PAIRS = 10

/** A period with its counts and sums, in cents and log units. */
export type PeriodSums = {
  /** In days since 1970. */
  period: number
  date: string
  product_count: number
  observation_count: number
  price_sum: number
  min_price: number
  max_price: number
  median_price: number
  in_stock_count: number
  /** Listings whose availability the retailer states. */
  stock_known_count: number
  promo_count: number
  /** Listings that the previous period has, too; `matched_basket_size` of them are within the fence. */
  pair_count: number
  matched_basket_size: number
  log_sum: bigint
  stable_count: number
  stable_sum: number
}

/**
 * The change from one non-empty period to the next: Jevons of the pairs within the fence, or that of the averages if there
 * are too few pairs. Null if all pairs are outside the fence: then the averages are no better.
 */
type Link = { change: number; method: 'matched' | 'naive' } | { change: null; method: null }

const average = ({ price_sum, product_count }: PeriodSums): number => price_sum / product_count

const linkOf = (base: PeriodSums, period: PeriodSums): Link => {
  const { pair_count, matched_basket_size, log_sum } = period
  if (matched_basket_size >= MIN_PAIRS) return { change: jevonsChange(log_sum, matched_basket_size), method: 'matched' }
  if (pair_count > 0 && matched_basket_size === 0) return { change: null, method: null }
  return { change: 100 * (average(period) / average(base) - 1), method: 'naive' }
}

/** The links of a series; the first period has none. */
export const linksOf = (periods: readonly PeriodSums[]): readonly (Link | null)[] =>
  periods.map((period, i) => (i === 0 ? null : linkOf(periods[i - 1]!, period)))

/** The product of the links, in per cent, and their method; null if a link is null, null and naive without links. */
export const chained = (links: readonly (Link | null)[]) => {
  const changes = links.filter((link) => link !== null)
  if (changes.length === 0) return { overall_change_pct: null, method: 'naive' as const }
  const growth = changes.reduce<number | null>(
    (product, { change }) => (product === null || change === null ? null : product * (1 + change / 100)),
    1,
  )
  const methods = new Set(changes.flatMap(({ method }) => method ?? []))
  const [only = 'naive'] = methods
  return {
    overall_change_pct: growth === null ? null : percent(100 * (growth - 1)),
    method: methods.size < 2 ? only : ('mixed' as const),
  }
}

const isoWeek = (time: number): string => {
  const thursday = new Date(time + 3 * DAY_MS)
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY_MS))
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

const names: Record<Granularity, (date: string) => string> = {
  daily: (date) => date,
  weekly: (date) => isoWeek(Date.parse(date)),
  monthly: (date) => date.slice(0, 7),
}

const endOf: Record<Granularity, (start: Date) => number> = {
  daily: (start) => start.getTime() + DAY_MS,
  weekly: (start) => start.getTime() + 7 * DAY_MS,
  monthly: (start) => Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1),
}

/** The days [from, to) of a period that are in its window. */
export const daysOfPeriod = (date: string, granularity: Granularity, window: Pick<PeriodBindings, 'from' | 'to'>) => {
  const end = dayOf(endOf[granularity](new Date(date)))
  return { from: date < window.from ? window.from : date, to: end > window.to ? window.to : end }
}

const isCut = (date: string, granularity: Granularity, { from, to }: PeriodBindings): boolean =>
  date < from || endOf[granularity](new Date(date)) > Date.parse(to)

/** The fields by which a point names its period; `partial` if the window cuts it. */
export const periodEcho = (date: string, granularity: Granularity, window: PeriodBindings) => ({
  date,
  period: names[granularity](date),
  partial: isCut(date, granularity, window),
})

/**
 * The points of a series, money in currency units. `basket` is the count that the sample flag refers to: matched pairs
 * (product_count at the first point), or products. stable_avg_price averages the listings priced in every period; null for
 * a single period or an empty stable basket.
 */
export const seriesPoints = (
  periods: readonly PeriodSums[],
  granularity: Granularity,
  window: PeriodBindings,
  basket: 'matched' | 'products',
  money: ToMoney,
): Point[] => {
  const links = linksOf(periods)
  return periods.map((period, i) => {
    const link = links[i]
    const size = basket === 'matched' && link ? period.matched_basket_size : period.product_count
    const echo = periodEcho(period.date, granularity, window)
    return {
      // Not `...echo`: V8 adds each property that follows a spread slowly, which took most of the time of long series.
      date: echo.date,
      period: echo.period,
      partial: echo.partial,
      avg_price: money(average(period)),
      min_price: money(period.min_price),
      max_price: money(period.max_price),
      median_price: money(period.median_price),
      product_count: period.product_count,
      observation_count: period.observation_count,
      change_pct: orNull(percent, link?.change ?? null),
      matched_basket_size: link ? period.matched_basket_size : 0,
      method: link?.method ?? null,
      in_stock_count: period.stock_known_count === 0 ? null : period.in_stock_count,
      stock_known_count: period.stock_known_count,
      promo_count: period.promo_count,
      retailer_avg_price: null,
      category_avg_price: null,
      price_index: null,
      stable_avg_price:
        periods.length > 1 && period.stable_count > 0 ? money(period.stable_sum / period.stable_count) : null,
      insufficient_sample: size < SAMPLE_THRESHOLD,
      sample_threshold: SAMPLE_THRESHOLD,
    }
  })
}

/** The sample fields of a series: its number of flagged points, and the size of its stable basket. */
export const sampleOf = (points: readonly Point[], [first]: readonly PeriodSums[]) => {
  const insufficient_sample_points = points.filter((point) => point.insufficient_sample).length
  return {
    sample_threshold: SAMPLE_THRESHOLD,
    insufficient_sample_points,
    insufficient_sample: insufficient_sample_points > 0,
    stable_basket_size: points.length > 1 ? (first?.stable_count ?? 0) : null,
  }
}
