import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../answer.ts'
import { excluded, meta, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveRepresentativeScope } from '../../catalog/scope.ts'
import { EMPTY_SCOPE, REPRESENTATIVE, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, ratio, round } from '../../round.ts'

const row = z.object({
  scope_count: count,
  representative_floor: z.int().nullable(),
  excluded,
  observed_min: figure,
  observed_max: figure,
  product_count: count,
  price_sum: figure,
  min_price: figure,
  max_price: figure,
  std_dev: figure,
  percentiles: z.array(z.number()).nullable(),
  buckets: z.array(z.object({ bucket: z.int().min(0).max(7), count })).nullable(),
})
type Row = z.output<typeof row>

const BUCKETS = 8

const percentile = (share: string) => field.money(`${share} of the listings are cheaper.`).nullable()

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
 * Spread of current prices.
 *
 * @example
 * const { percentiles, price_histogram } = await engine.ask(priceDispersion, { category: 'coffee', country: 'ca' })
 * console.log(percentiles.p50, price_histogram)
 */
export const priceDispersion = defineQuery(import.meta, {
  group: 'analyst',
  name: 'price-dispersion',
  summary: 'Spread of current prices in a category, with histogram',
  definition: {
    population: `${REPRESENTATIVE} Every figure, the histogram too, describes the same listings.`,
    formula:
      'Percentiles interpolate linearly between prices (type 7, as numpy, R and Excel do). std_dev is the sample standard ' +
      'deviation, coeff_of_variation is std_dev / avg_price. The histogram has 8 buckets of equal width from the lowest to ' +
      'the highest price; each begins at its lower bound, and only the last includes its upper bound.',
    null_rule: `Figures are null where every listing is left out; std_dev also for a single listing. ${EMPTY_SCOPE}`,
    sources: [sources.prices, 'Hyndman and Fan, Sample quantiles in statistical packages (1996).'],
  },
  params: z.object({ ...categoryScope, days: maximumAge() }).superRefine(categoryOrDepartment),
  row,
  answer: z
    .object({
      ...scopeEcho,
      avg_price: field.money('Mean price.').nullable(),
      min_price: field.money('Lowest price.').nullable(),
      max_price: field.money('Highest price.').nullable(),
      std_dev: field.money('Sample standard deviation of the prices; null for a single listing.').nullable(),
      coeff_of_variation: headline(
        field.ratio('std_dev / avg_price: how far prices lie apart, comparable between categories.'),
      ).nullable(),
      percentiles: z
        .object({
          p10: percentile('10 %'),
          p25: percentile('25 %'),
          p50: percentile('Half'),
          p75: percentile('75 %'),
          p90: percentile('90 %'),
        })
        .describe('Prices below which a share of the listings lies.'),
      product_count: field.count('Listings that the figures are about.'),
      price_histogram: field.list(
        z.object({
          bin: field.text('Lower and upper bound of the bucket in the currency of the answer, as 10.00-12.50.'),
          count: field.count('Listings in the bucket.'),
        }),
        'Listings by price in 8 buckets of equal width; a single one where all prices are equal.',
      ),
      outliers_excluded: field.count('The same as excluded.price_outliers.'),
      representative_floor: field.money('Price below which listings are left out as not representative.'),
      excluded,
      resolved,
      meta,
    })
    .meta({ id: 'PriceDispersion', description: 'Spread of the current prices of a category.' }),

  resolve: resolveRepresentativeScope,

  mayBeEmpty: (context) => !isObserved(context),

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
