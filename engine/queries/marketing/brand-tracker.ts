import { z } from 'zod'
import { metaBlock, nothingObserved, withNewestObserved } from '../../answer.ts'
import { meta, point, sampleFields, scopeEcho, window } from '../../blocks.ts'
import { resolveBrand } from '../../catalog/brand-scope.ts'
import { resolveOptionalScope, sourceOf } from '../../catalog/scope.ts'
import { resolveWindow } from '../../catalog/window.ts'
import { brand, country, granularity, retailer, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { periodSums, sampleOf, seriesPoints } from '../../statistics/series.ts'

/**
 * A brand's prices, products, stock and promotions, period by period. Population: every listing of the brand, whatever
 * its spelling, one price a listing and period. Trends are read off stable_avg_price, the average over the listings
 * priced in every period. NO_RESULTS for an unknown brand or an empty window.
 */
export const brandTracker = defineQuery(import.meta, {
  group: 'marketing',
  name: 'brand-tracker',
  summary: "A brand's prices, products, stock and promotions over time",
  params: z.object({
    brand,
    country,
    retailer: retailer.optional(),
    ...windowParams,
    granularity: granularity.default('daily'),
  }),
  row: periodSums.extend({ observed_min: z.number(), observed_max: z.number() }),
  answer: z
    .object({
      brand: z.string(),
      country: scopeEcho.country,
      currency: scopeEcho.currency,
      retailer: scopeEcho.retailer,
      window,
      ...sampleFields,
      time_series: z.array(point),
      meta,
    })
    .meta({ id: 'BrandTracker' }),

  resolve(params, catalog) {
    const { window, periods, judged_before } = resolveWindow(params, params.granularity, catalog.as_of)
    const { echo, bindings, resolved } = resolveOptionalScope(
      { country: params.country, retailer: params.retailer },
      catalog,
      judged_before,
    )
    const { country, retailer_id } = bindings
    const { brand_id, brand } = resolveBrand(params.brand, { country, retailer_id }, catalog)
    const scope = { country, retailer_id, brand_id }
    const context = { brand, echo, resolved, window, periods, ...sourceOf(catalog) }
    return { bindings: { ...scope, ...periods }, context: withNewestObserved(context, scope, catalog) }
  },

  shape(rows, context) {
    const { brand, echo, window, periods } = context
    const [first] = rows
    if (!first) throw nothingObserved(context)
    const time_series = seriesPoints(rows, window.granularity, periods, 'products')
    return {
      brand,
      country: echo.country,
      currency: echo.currency,
      retailer: echo.retailer,
      window,
      ...sampleOf(time_series, rows),
      time_series,
      meta: metaBlock(context, { min: first.observed_min, max: first.observed_max }),
    }
  },
})
