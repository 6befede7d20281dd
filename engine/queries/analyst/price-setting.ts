import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../catalog/answer.ts'
import { resolveScope } from '../../catalog/scope.ts'
import { meta, periodFields, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { dayNumber, dayText } from '../../contract/days.ts'
import { EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { beside, field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope } from '../../contract/params.ts'
import { orNull, percent, round, share } from '../../contract/round.ts'
import { currentDays, resolveWindow } from '../../contract/window.ts'
import { type Counted, count, groupsOf, observedSpan, spanOf } from '../../counts/count.ts'
import { FENCE } from '../../statistics/price-relative.ts'
import {
  changesIn,
  MAX_SALE_DAYS,
  MIN_PAIRS,
  type PriceChanges,
  priceSettingOf,
  SALE,
  SALE_HISTORY_DAYS,
  sizesOf,
} from '../../statistics/price-setting.ts'
import { periodEcho } from '../../statistics/series.ts'
import { lastMonths } from '../last-months.ts'
import { defineQuery } from '../query.ts'

const MAX_MONTHS = 37

const pairs = count({ from: 'price_change', by: { period: 'period', is_regular: 'is_regular' } })
const changes = count({
  from: 'price_change',
  where: ['is_changed'],
  by: { period: 'period', is_regular: 'is_regular', is_rise: 'is_rise' },
  value: 'size',
})
const shelves = count({
  from: 'price_change',
  by: { category: 'category_id', is_regular: 'is_regular' },
  sums: { changed: 'is_changed' },
})
type CountedChanges = { pairs: Counted<typeof pairs>; changes: Counted<typeof changes> }
type ShelfChanges = Counted<typeof shelves>

/** The changes of posted or regular prices, of all months or to one. */
const changesOf = ({ pairs, changes }: CountedChanges, isRegular: boolean, period?: number): PriceChanges => {
  const groupsIn = ({ length, key }: { length: number; key: { period: Float64Array; is_regular: Float64Array } }) =>
    groupsOf(
      { length },
      (group) => (key.is_regular[group] === 1) === isRegular && (period === undefined || key.period[group] === period),
    )
  const [rises, falls] = [new Map<number, number>(), new Map<number, number>()]
  for (const group of groupsIn(changes)) {
    const sizes = changes.key.is_rise[group] === 1 ? rises : falls
    const { values, counts } = changes.tally(group)
    for (const [i, size] of values.entries()) sizes.set(size, (sizes.get(size) ?? 0) + counts[i]!)
  }
  return { pairs: groupsIn(pairs).reduce((sum, group) => sum + pairs.n[group]!, 0), rises, falls }
}

/** The median over the shelves with enough pairs of the share of their pairs that change, in percent. */
const shelfFrequency = ({ length, key, n, sum }: ShelfChanges, isRegular: boolean) => {
  const frequencies = groupsOf(
    { length },
    (group) => (key.is_regular[group] === 1) === isRegular && n[group]! >= MIN_PAIRS,
  )
    .map((group) => (100 * sum.changed[group]!) / n[group]!)
    .sort((a, b) => a - b)
  const middle = (frequencies.length - 1) / 2
  return frequencies.length === 0
    ? null
    : percent((frequencies[Math.floor(middle)]! + frequencies[Math.ceil(middle)]!) / 2)
}

const setting = z.object({
  pair_count: field.count('Listings priced in a month and the one before, within the fence, added up over the months.'),
  increase_count: field.count('Those whose price rose.'),
  decrease_count: field.count('Those whose price fell.'),
  frequency_pct: field.share(`Share of the pairs whose price changed; null below ${MIN_PAIRS} pairs.`).nullable(),
  share_of_increases_pct: field
    .share('Share of the changes that are rises; null without any, or below as many pairs.')
    .nullable(),
  median_size_pct: field
    .percent('Median absolute size of a change, as 100 times the log of the relative; null likewise.')
    .nullable(),
  implied_duration_months: field
    .amount(
      'Mean duration of a price that changes so often, in months; null where none changed, or below as many pairs.',
    )
    .nullable(),
  median_shelf_frequency_pct: field
    .share(`Median of the frequencies of the shelves with ${MIN_PAIRS} pairs or more; null without any.`)
    .nullable(),
})

const settingOf = (all: PriceChanges, median_shelf_frequency_pct: number | null) => {
  const { pairs } = all
  const { frequency_pct, share_of_increases_pct, median_size_pct, implied_duration_months } = priceSettingOf(all)
  const figure = (value: number | null): number | null => (pairs < MIN_PAIRS ? null : orNull(percent, value))
  return {
    pair_count: pairs,
    increase_count: changesIn(all.rises),
    decrease_count: changesIn(all.falls),
    frequency_pct: figure(frequency_pct),
    share_of_increases_pct: figure(share_of_increases_pct),
    median_size_pct: figure(median_size_pct),
    implied_duration_months: pairs < MIN_PAIRS ? null : orNull((value) => round(value, 2), implied_duration_months),
    median_shelf_frequency_pct,
  }
}

/**
 * How often and by how much prices change, with and without sales.
 *
 * @example
 * const { posted, regular } = await engine.ask(priceSetting, { category: 'coffee' })
 * console.log(posted.frequency_pct, regular.frequency_pct, regular.implied_duration_months)
 */
export const priceSetting = defineQuery({
  group: 'analyst',
  name: 'price-setting',
  summary: 'How often and by how much prices of a category change, with and without sales',
  definition: {
    population:
      'Every listing in scope with a price in two calendar months that follow each other, of complete months. Its price of a month is the ' +
      'median of its daily prices, which is always a price that was posted. Nothing is carried forward: a pair needs observations in both ' +
      `months. Pairs above ${FENCE} times or below 1/${FENCE} are left out as implausible.`,
    formula:
      'A pair is a change if the prices differ at all. frequency_pct is the share of the pairs that change, and ' +
      'implied_duration_months = -1 / ln(1 - frequency). The size of a change is |ln(price / price before)| in basis points, at least ' +
      'one, and its median lies between the two middle ones; sizes counts rises and falls by it. posted has the prices as they are; regular has daily prices without sales ' +
      `(symmetric V filter): ${SALE}. ` +
      `Regular prices of the last ${MAX_SALE_DAYS} days are provisional: a sale that has not ended is no sale yet.`,
    null_rule: `Figures are null below ${MIN_PAIRS} pairs. ${EMPTY_SCOPE}`,
    sources: [
      sources.prices,
      'Nakamura and Steinsson, Five facts about prices (2008), with its sales filter.',
      'Bils and Klenow, Some evidence on the importance of sticky prices (2004); Klenow and Malin, Microeconomic evidence on price-setting (2010).',
    ],
  },
  params: z
    .object({
      ...categoryScope,
      months: z
        .int()
        .min(2)
        .max(MAX_MONTHS)
        .default(13)
        .meta({ description: 'The last so many complete calendar months, which have one link fewer.', unit: 'count' }),
    })
    .superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      window,
      frequency_pct: headline(setting.shape.frequency_pct),
      posted: setting.describe('Prices as posted.'),
      regular: setting.extend({ frequency_pct: beside(setting.shape.frequency_pct) }).describe('Prices without sales.'),
      time_series: field.list(
        z.object({
          ...periodFields,
          pair_count: setting.shape.pair_count,
          increase_pct: field.share('Share of the pairs whose posted price rose; null without any.').nullable(),
          decrease_pct: field.share('Share of the pairs whose posted price fell; null without any.').nullable(),
          regular_increase_pct: field
            .share('Share of the pairs whose regular price rose; null without any.')
            .nullable(),
          regular_decrease_pct: field
            .share('Share of the pairs whose regular price fell; null without any.')
            .nullable(),
        }),
        'The months with pairs, oldest first.',
      ),
      sizes: field.list(
        z.object({
          from_pct: field.percent('Size above which changes are counted, as 100 times the log of the relative.'),
          to_pct: field.percent('Size up to which they are; null for the largest.').nullable(),
          increase_count: field.count('Rises of posted prices of such a size.'),
          decrease_count: field.count('Falls of posted prices.'),
          regular_increase_count: field.count('Rises of regular prices.'),
          regular_decrease_count: field.count('Falls of regular prices.'),
        }),
        'The changes by their size.',
      ),
      resolved,
      meta,
    })
    .meta({ id: 'PriceSetting', description: 'How often and by how much prices change.' }),

  async resolve({ months, ...params }, catalog) {
    const { window, periods, judged_before } = resolveWindow(
      lastMonths(months, catalog.as_of),
      'monthly',
      catalog.as_of,
    )
    const { echo, resolved, bindings } = await resolveScope(params, catalog, judged_before)
    const from = dayText(dayNumber(window.from) - SALE_HISTORY_DAYS)
    const { before } = currentDays(catalog.as_of, 0)
    const context = { echo, resolved, window, periods }
    return {
      bindings: {
        ...bindings,
        brand_id: null,
        counted_from: window.from,
        counted_to: window.to,
        from,
        to: before,
        month_from: from.slice(0, 7),
        month_to: before.slice(0, 7),
      },
      context: await withNewestObserved(context, bindings, catalog),
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, pairs, changes, shelves },

  toAnswer({ observed, shelves, ...read }, context) {
    const { echo, resolved, window, periods } = context
    const span = spanOf(observed)
    if (!span || span.max < Date.parse(window.from) / 1000) throw nothingObserved(context)
    const [posted, regular] = [changesOf(read, false), changesOf(read, true)]
    const ofPosted = settingOf(posted, shelfFrequency(shelves, false))
    return {
      ...echo,
      window,
      frequency_pct: ofPosted.frequency_pct,
      posted: ofPosted,
      regular: settingOf(regular, shelfFrequency(shelves, true)),
      time_series: [...new Set(read.pairs.key.period)]
        .sort((a, b) => a - b)
        .map((period) => {
          const [as_posted, without_sales] = [changesOf(read, false, period), changesOf(read, true, period)]
          return {
            ...periodEcho(dayText(period), 'monthly', periods),
            pair_count: as_posted.pairs,
            increase_pct: share(changesIn(as_posted.rises), as_posted.pairs),
            decrease_pct: share(changesIn(as_posted.falls), as_posted.pairs),
            regular_increase_pct: share(changesIn(without_sales.rises), without_sales.pairs),
            regular_decrease_pct: share(changesIn(without_sales.falls), without_sales.pairs),
          }
        }),
      sizes: sizesOf({
        increase_count: posted.rises,
        decrease_count: posted.falls,
        regular_increase_count: regular.rises,
        regular_decrease_count: regular.falls,
      }),
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
