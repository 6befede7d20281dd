import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { lowestFloor, moneyIn } from '../../catalog/countries.ts'
import { type CurrentScope, resolveRepresentativeScope } from '../../catalog/scope.ts'
import { excluded, meta, resolved, scopeEcho } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, REPRESENTATIVE, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../../contract/params.ts'
import { orNull, ratio, round } from '../../contract/round.ts'
import { BUCKETS, histogramOf, meanOf, sampleDeviation } from '../../statistics/dispersion.ts'
import { defineQuery } from '../query.ts'
import { nothingRepresentative, observedInScope, pricesByReason, representativeOf } from '../representative.ts'

const SINGLE_LISTING = 'A single listing has no spread.'

const percentileField = (share: string) => field.money(`${share} of the listings are cheaper.`).nullable()

/** `a-b` in currency units; three more decimals if a bucket is narrower than the smallest unit. */
const label = (low: number, high: number, bucket: number, decimals: number): string => {
  const digits = high - low < BUCKETS && high > low ? decimals + 3 : decimals
  const edge = (i: number) => round((low + (i * (high - low)) / BUCKETS) / 10 ** decimals, digits).toFixed(digits)
  return high === low ? `${edge(0)}-${edge(0)}` : `${edge(bucket)}-${edge(bucket + 1)}`
}

/**
 * Spread of current prices.
 *
 * @example
 * const { percentiles, price_histogram } = await engine.ask(priceDispersion, { category: 'coffee', country: 'ca' })
 * console.log(percentiles.p50, price_histogram)
 */
export const priceDispersion = defineQuery({
  group: 'analyst',
  name: 'price-dispersion',
  summary: 'Spread of current prices in a category, with histogram',
  definition: {
    population: `${REPRESENTATIVE} Every figure, the histogram too, describes the same listings.`,
    formula:
      'Percentiles interpolate linearly between prices (type 7, as numpy, R and Excel do). std_dev is the sample standard ' +
      'deviation, coeff_of_variation is std_dev / avg_price. The histogram has 8 buckets of equal width from the lowest to ' +
      'the highest price; each begins at its lower bound, and only the last includes its upper bound.',
    null_rule: `Figures are null where every listing is left out; std_dev also for a single listing, and with it coeff_of_variation, whose note says why. ${EMPTY_SCOPE}`,
    sources: [sources.prices, 'Hyndman and Fan, Sample quantiles in statistical packages (1996).'],
  },
  params: z.object({ ...categoryScope, days: maximumAge() }).superRefine(categoryOrDepartment),
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
      coeff_of_variation_note: field.text('Why coeff_of_variation is null; null where it is not.').nullable(),
      percentiles: z
        .object({
          p10: percentileField('10 %'),
          p25: percentileField('25 %'),
          p50: percentileField('Half'),
          p75: percentileField('75 %'),
          p90: percentileField('90 %'),
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

  reads: { prices: pricesByReason },

  toAnswer({ prices }, context: CurrentScope, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const observed = observedInScope(prices)
    if (!observed) throw nothingObserved(context)
    const { decimals } = catalog.countries.get(context.echo.country)!
    const representative = representativeOf(prices, lowestFloor(context.echo.country, catalog))
    const { kept, floor, excluded } = representative
    const [low = 0, high = 0] = [kept.values.at(0), kept.values.at(-1)]
    const average = meanOf(kept)
    const deviation = sampleDeviation(kept)
    const price = (value: number): number | null => (kept.n === 0 ? null : money(value))
    const percentile = (share: number): number | null => (kept.n === 0 ? null : money(kept.quantile(share)))
    return {
      ...context.echo,
      avg_price: orNull(money, average),
      min_price: price(low),
      max_price: price(high),
      std_dev: orNull(money, deviation),
      coeff_of_variation: deviation === null || average === null ? null : ratio(deviation / average),
      coeff_of_variation_note: kept.n === 1 ? SINGLE_LISTING : nothingRepresentative(representative),
      percentiles: {
        p10: percentile(0.1),
        p25: percentile(0.25),
        p50: percentile(0.5),
        p75: percentile(0.75),
        p90: percentile(0.9),
      },
      product_count: kept.n,
      price_histogram: histogramOf(kept).map((count, bucket) => ({ bin: label(low, high, bucket, decimals), count })),
      outliers_excluded: excluded.price_outliers,
      representative_floor: money(floor),
      excluded,
      resolved: context.resolved,
      meta: metaBlock(context, observed),
    }
  },
})
