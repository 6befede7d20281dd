import { z } from 'zod'
import { metaBlock, nothingObserved } from '../../answer.ts'
import { excluded, meta, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveRepresentativeScope } from '../../catalog/scope.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, ratio, round } from '../../round.ts'

const count = z.int().min(0)
const price = z.number().nullable()

const row = z.object({
  scope_count: count,
  representative_floor: z.int().nullable(),
  excluded,
  observed_min: price,
  observed_max: price,
  product_count: count,
  price_sum: price,
  min_price: price,
  max_price: price,
  std_dev: price,
  percentiles: z.array(z.number()).nullable(),
  buckets: z.array(z.object({ bucket: z.int().min(0).max(7), count })).nullable(),
})
type Row = z.output<typeof row>

const BUCKETS = 8

/** `a-b` in currency units; five decimals where a bucket is narrower than a cent. */
const label = (low: number, high: number, bucket: number): string => {
  const digits = high - low < BUCKETS && high > low ? 5 : 2
  const edge = (i: number) => round((low + (i * (high - low)) / BUCKETS) / 100, digits).toFixed(digits)
  return high === low ? `${edge(0)}-${edge(0)}` : `${edge(bucket)}-${edge(bucket + 1)}`
}

const histogram = ({ min_price: low, max_price: high, buckets }: Row) => {
  if (low === null || high === null || buckets === null) return []
  const counts = new Map(buckets.map(({ bucket, count }) => [bucket, count]))
  return Array.from({ length: high === low ? 1 : BUCKETS }, (_, bucket) => ({
    bin: label(low, high, bucket),
    count: counts.get(bucket) ?? 0,
  }))
}

const percentilesOf = ([p10, p25, p50, p75, p90]: readonly (number | undefined)[]) => ({
  p10: orNull(money, p10),
  p25: orNull(money, p25),
  p50: orNull(money, p50),
  p75: orNull(money, p75),
  p90: orNull(money, p90),
})

/**
 * Spread of current prices. Population: representative listings (sql/scope.sql) within the outlier fence; every figure,
 * the histogram too, describes the same listings. Percentiles are type 7 (Hyndman and Fan), std_dev the sample
 * deviation (null for one listing), coeff_of_variation std_dev / avg_price. Where every listing in scope is left out,
 * the figures are null. NO_RESULTS where nothing is in scope.
 */
export const priceDispersion = defineQuery(import.meta, {
  group: 'analyst',
  name: 'price-dispersion',
  summary: 'Spread of current prices in a category, with histogram',
  params: z.object({ ...categoryScope, days: maximumAge }).superRefine(categoryOrDepartment),
  row,
  answer: z
    .object({
      ...scopeEcho,
      avg_price: price,
      min_price: price,
      max_price: price,
      std_dev: price,
      coeff_of_variation: price,
      percentiles: z.object({ p10: price, p25: price, p50: price, p75: price, p90: price }),
      product_count: count,
      price_histogram: z.array(z.object({ bin: z.string(), count })),
      outliers_excluded: count,
      representative_floor: z.number(),
      excluded,
      resolved,
      meta,
    })
    .meta({ id: 'PriceDispersion' }),

  resolve: resolveRepresentativeScope,

  shape(rows, context: CurrentScope) {
    const figures = one(rows)
    const { product_count, price_sum, std_dev, excluded, observed_min, observed_max } = figures
    if (figures.scope_count === 0 || observed_min === null || observed_max === null) throw nothingObserved(context)
    const average = price_sum === null ? null : price_sum / product_count
    return {
      ...context.echo,
      avg_price: orNull(money, average),
      min_price: orNull(money, figures.min_price),
      max_price: orNull(money, figures.max_price),
      std_dev: orNull(money, std_dev),
      coeff_of_variation: std_dev === null || average === null ? null : ratio(std_dev / average),
      percentiles: percentilesOf(figures.percentiles ?? []),
      product_count,
      price_histogram: histogram(figures),
      outliers_excluded: excluded.price_outliers,
      representative_floor: money(figures.representative_floor ?? 0),
      excluded,
      resolved: context.resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
