import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../answer.ts'
import { meta, point, resolved, sampleFields, scopeEcho, window } from '../../blocks.ts'
import { resolveOptionalScope } from '../../catalog/scope.ts'
import { resolveWindow } from '../../catalog/window.ts'
import { EMPTY_SCOPE, LISTING_PERIOD, sources } from '../../definition.ts'
import { count, field, headline } from '../../field.ts'
import { category, country, department, granularity, retailer, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, ratio } from '../../round.ts'
import { jevonsChange } from '../../statistics/price-relative.ts'
import { periodSums, sampleOf, seriesPoints } from '../../statistics/series.ts'

import { retailerIndexOnShards } from './retailer-index.clickhouse.ts'

const row = periodSums.extend({
  category_count: count,
  category_sum: z.number(),
  matched_entities: count.nullable(),
  gap_sum: z.bigint().nullable(),
  observed_min: z.number(),
  observed_max: z.number(),
})

const indexPoint = point
  .extend({
    matched_price_index: headline(
      field.index("The retailer's prices against those of others for the same products; null without such products."),
    ).nullable(),
    matched_entities: field.count('Products sold at the retailer and elsewhere that matched_price_index rests on.'),
  })
  .meta({ id: 'IndexPoint', description: "A retailer's price level in one period." })

/** The index fields of a point: the retailer's average over that of the category, and the matched index. */
const indexOf = (sums: z.output<typeof row>) => {
  const own = sums.price_sum / sums.product_count
  const all = sums.category_sum / sums.category_count
  const { gap_sum, matched_entities } = sums
  return {
    retailer_avg_price: money(own),
    category_avg_price: money(all),
    price_index: ratio(own / all),
    matched_price_index:
      gap_sum === null || !matched_entities ? null : ratio(1 + jevonsChange(gap_sum, matched_entities) / 100),
    matched_entities: matched_entities ?? 0,
  }
}

/**
 * A retailer's price level, period by period.
 *
 * @example
 * const params = { retailer: 'kettlecart', category: 'laptops', granularity: 'monthly', days: 180 } as const
 * const { time_series } = await engine.ask(retailerIndex, params)
 * for (const { period, price_index } of time_series) console.log(period, price_index)
 */
export const retailerIndex = defineQuery(import.meta, {
  group: 'analyst',
  name: 'retailer-index',
  summary: "A retailer's price level against its category over time",
  definition: {
    population: `${LISTING_PERIOD} The category includes the retailer; without a category it is the whole country.`,
    formula:
      "price_index divides the retailer's average price by that of the category, so it moves with assortment. " +
      'matched_price_index compares the same products: for each product sold there and elsewhere, the mean logarithm of ' +
      "its prices there minus the mean of the other retailers' means; the exponential of the average over these products " +
      '(a spatial Jevons index).',
    null_rule: `matched_price_index is null in a period without products that others sell, too. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({
    retailer,
    country,
    category: category.optional(),
    department: department.optional(),
    ...windowParams,
    granularity: granularity.default('daily'),
  }),
  row,
  answer: z
    .object({
      retailer: field.text('Platform key of the retailer.'),
      category: scopeEcho.category,
      department: scopeEcho.department,
      country: scopeEcho.country,
      currency: scopeEcho.currency,
      window,
      ...sampleFields,
      time_series: field.list(indexPoint, 'The periods in which the retailer was observed, oldest first.'),
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'RetailerIndex', description: "A retailer's price level over time." }),

  async resolve(params, catalog) {
    const { window, periods, judged_before } = resolveWindow(params, params.granularity, catalog.as_of)
    const { echo, resolved, bindings } = await resolveOptionalScope(params, catalog, judged_before)
    const context = { echo: { ...echo, retailer: params.retailer }, resolved, window, periods }
    return {
      bindings: { ...bindings, brand_id: null, ...periods },
      context: await withNewestObserved(context, bindings, catalog),
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  onShards: retailerIndexOnShards,

  shape(rows, context) {
    const { echo, resolved, window, periods } = context
    const [first] = rows
    if (!first) throw nothingObserved(context)
    const points = seriesPoints(rows, window.granularity, periods, 'products')
    return {
      ...echo,
      window,
      ...sampleOf(points, rows),
      time_series: points.map((point, i) => ({ ...point, ...indexOf(rows[i]!) })),
      resolved,
      meta: metaBlock(context, { min: first.observed_min, max: first.observed_max }),
    }
  },
})
