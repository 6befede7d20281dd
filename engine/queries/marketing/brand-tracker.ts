import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../catalog/answer.ts'
import { resolveBrand } from '../../catalog/brand-scope.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { resolveOptionalScope } from '../../catalog/scope.ts'
import { meta, point, sampleFields, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, LISTING_PERIOD, sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { brand, country, granularity, retailer, windowParams } from '../../contract/params.ts'
import { resolveWindow } from '../../contract/window.ts'
import { observedSpan, spanOf } from '../../counts/count.ts'
import { sampleOf, seriesPoints } from '../../statistics/series.ts'
import { defineQuery } from '../query.ts'
import { periodsOf, seriesPrices } from '../series-counts.ts'

/**
 * A brand's prices, products, stock and promotions, period by period.
 *
 * @example
 * const { time_series } = await engine.ask(brandTracker, { brand: 'oakverly', granularity: 'weekly', days: 90 })
 * for (const { period, stable_avg_price } of time_series) console.log(period, stable_avg_price)
 */
export const brandTracker = defineQuery({
  group: 'marketing',
  name: 'brand-tracker',
  summary: "A brand's prices, products, stock and promotions over time",
  definition: {
    population: `${LISTING_PERIOD} The scope is the brand, whatever its spelling.`,
    formula:
      'Averages over the prices of the period. To see a trend read stable_avg_price, the mean over the listings that are ' +
      'priced in every period: avg_price also moves when listings come and go. change_pct compares the same listings from ' +
      'one period to the next.',
    null_rule: `stable_avg_price is null for a single period and where no listing is in all. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({
    brand,
    country,
    retailer: retailer.optional(),
    ...windowParams,
    granularity: granularity.default('daily'),
  }),
  answer: z
    .object({
      brand: field.text('Name of the brand, in its most common spelling.'),
      country: scopeEcho.country,
      currency: scopeEcho.currency,
      retailer: scopeEcho.retailer,
      window,
      ...sampleFields,
      time_series: field.list(point, 'The periods with observations, oldest first.'),
      meta,
    })
    .meta({ id: 'BrandTracker', description: "A brand's prices over time." }),

  async resolve(params, catalog) {
    const { window, periods, judged_before } = resolveWindow(params, params.granularity, catalog.as_of)
    const { echo, bindings, resolved } = await resolveOptionalScope(
      { country: params.country, retailer: params.retailer },
      catalog,
      judged_before,
    )
    const { country, retailer_id } = bindings
    const { brand_id, brand } = await resolveBrand(params.brand, { country, retailer_id }, catalog)
    const scope = { country, retailer_id, brand_id }
    const context = { brand, echo, resolved, window, periods }
    return {
      bindings: { ...bindings, brand_id, ...periods },
      context: await withNewestObserved(context, scope, catalog),
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, series: seriesPrices },

  toAnswer({ observed, series }, context, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const { brand, echo, window, periods } = context
    const span = spanOf(observed)
    if (!span) throw nothingObserved(context)
    const rows = periodsOf(series)
    const time_series = seriesPoints(rows, window.granularity, periods, 'products', money)
    return {
      brand,
      country: echo.country,
      currency: echo.currency,
      retailer: echo.retailer,
      window,
      ...sampleOf(time_series, rows),
      time_series,
      meta: metaBlock(context, span),
    }
  },
})
