import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { resolveOptionalScope } from '../../catalog/scope.ts'
import { meta, point, resolved, sampleFields, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, LISTING_PERIOD, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, chosenGranularity, country, department, retailer, windowParams } from '../../contract/params.ts'
import { ratio, type ToMoney } from '../../contract/round.ts'
import { resolveWindow } from '../../contract/window.ts'
import { type Counted, count, groupsOf, observedSpan, spanOf } from '../../counts/count.ts'
import { jevonsChange } from '../../statistics/price-relative.ts'
import { type PeriodSums, sampleOf, seriesPoints } from '../../statistics/series.ts'
import { defineQuery } from '../query.ts'
import { periodsOf, seriesPrices } from '../series-counts.ts'

const categoryPrices = count({ from: 'period_price', by: { period: 'period' }, sums: { price: 'price' } })

const productGaps = count({
  from: 'product_gap',
  where: [['known', 'gap']],
  by: { period: 'period', is_certain: 'is_certain', is_likely: 'is_likely' },
  sums: { gap: 'gap' },
})

const indexPoint = point
  .extend({
    matched_price_index: headline(
      field.index("The retailer's prices against those of others for the same products; null without such products."),
    ).nullable(),
    matched_entities: field.count('Products sold at the retailer and elsewhere that matched_price_index rests on.'),
    likely_price_index: field
      .index('The same by likely products: what is likely the same counts as one. Null without such products.')
      .nullable(),
    likely_pairs: field.count('Products sold at the retailer and elsewhere that likely_price_index rests on.'),
  })
  .meta({ id: 'IndexPoint', description: "A retailer's price level in one period." })

/** The Jevons index over the products of a tier that the retailer and others sell in a period, and how many they are. */
const matchedIndex = (gaps: Counted<typeof productGaps>, period: number, tier: 'is_certain' | 'is_likely') => {
  const groups = groupsOf(gaps, (group) => gaps.key.period[group] === period && gaps.key[tier][group] === 1)
  const products = groups.reduce((sum, group) => sum + gaps.n[group]!, 0)
  const gap = groups.reduce((sum, group) => sum + gaps.long('gap', group), 0n)
  return { index: products === 0 ? null : ratio(1 + jevonsChange(gap, products) / 100), products }
}

/** The index fields of a point: the retailer's average over that of the category, and the matched indexes. */
const indexOf = (
  { period, price_sum, product_count }: PeriodSums,
  category: Counted<typeof categoryPrices>,
  gaps: Counted<typeof productGaps>,
  money: ToMoney,
) => {
  const [group] = groupsOf(category, (group) => category.key.period[group] === period)
  const average = price_sum / product_count
  const all = category.sum.price[group!]! / category.n[group!]!
  const certain = matchedIndex(gaps, period, 'is_certain')
  const likely = matchedIndex(gaps, period, 'is_likely')
  return {
    retailer_avg_price: money(average),
    category_avg_price: money(all),
    price_index: ratio(average / all),
    matched_price_index: certain.index,
    matched_entities: certain.products,
    likely_price_index: likely.index,
    likely_pairs: likely.products,
  }
}

/** Why some periods have no matched index; null where all have one. */
const unmatchedNote = (
  retailer: string,
  points: readonly Pick<z.output<typeof indexPoint>, 'matched_price_index'>[],
): string | null => {
  const unmatched = points.filter(({ matched_price_index }) => matched_price_index === null).length
  if (unmatched === 0) return null
  const where = unmatched === points.length ? 'every period' : `${unmatched} of ${points.length} periods`
  return `In ${where} none of the products of ${retailer} is known to be sold by other retailers, too.`
}

/**
 * A retailer's price level, period by period.
 *
 * @example
 * const params = { retailer: 'kettlecart', category: 'laptops', granularity: 'monthly', days: 180 } as const
 * const { time_series } = await engine.ask(retailerIndex, params)
 * for (const { period, price_index } of time_series) console.log(period, price_index)
 */
export const retailerIndex = defineQuery({
  group: 'analyst',
  name: 'retailer-index',
  summary: "A retailer's price level against its category over time",
  definition: {
    population: `${LISTING_PERIOD} The category includes the retailer; without a category it is the whole country.`,
    formula:
      "price_index divides the retailer's average price by that of the category (both of listings), so it moves with " +
      'assortment. ' +
      'matched_price_index compares the same products (entity_uid) in the period: for each product sold there and ' +
      "elsewhere, the mean logarithm of its listings' prices there minus the mean of the other retailers' means; the " +
      'exponential of the average over these products (a spatial Jevons index). likely_price_index is the same with ' +
      'the likely product of a listing where it has one, else its entity_uid; likely_pairs counts the products that it rests ' +
      'on. A refresh finds likely products by the titles, models, sizes, brands and prices of listings of different ' +
      'retailers, each with a probability. Without granularity periods are weeks in ' +
      'a window of up to 45 days, else months; without a window either, it is the whole weeks of the last 30 days.',
    null_rule: `matched_price_index is null in a period without products that others sell, too, which matched_price_index_note says; likely_price_index likewise. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({
    retailer,
    country,
    category: category.optional(),
    department: department.optional(),
    ...windowParams,
    granularity: chosenGranularity,
  }),
  answer: z
    .object({
      retailer: field.echo(field.text('Platform key of the retailer.')),
      category: scopeEcho.category,
      department: scopeEcho.department,
      country: scopeEcho.country,
      currency: scopeEcho.currency,
      window,
      ...sampleFields,
      matched_price_index_note: field
        .text('Why matched_price_index is null in some periods; null where it is in none.')
        .nullable(),
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

  reads: { observed: observedSpan, series: seriesPrices, category: categoryPrices, gaps: productGaps },

  toAnswer({ observed, series, category, gaps }, context, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const { echo, resolved, window, periods } = context
    const span = spanOf(observed)
    if (!span) throw nothingObserved(context)
    const rows = periodsOf(series)
    const points = seriesPoints(rows, window.granularity, periods, 'products', money)
    const time_series = points.map((point, i) => Object.assign(point, indexOf(rows[i]!, category, gaps, money)))
    return {
      ...echo,
      window,
      ...sampleOf(points, rows),
      matched_price_index_note: unmatchedNote(echo.retailer, time_series),
      time_series,
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
