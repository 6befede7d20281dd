import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../catalog/answer.ts'
import { resolveScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, ON_PROMOTION, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope } from '../../contract/params.ts'
import { orNull, percent, ratio, share } from '../../contract/round.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import { resolveWindow } from '../../contract/window.ts'
import { type Counted, count, groupsOf, observedSpan, spanOf, valuesOf } from '../../counts/count.ts'
import { lastMonths } from '../last-months.ts'
import { defineQuery } from '../query.ts'

const MAX_YEARS = 4
/** From so many days between the first and the last observation on, weeks are compared over years. */
const SEASONAL_DAYS = 2 * 365
const MAX_RETAILERS = 15

const weeks = count({
  from: 'promo_day',
  where: [['is', 'retailer_id', '$retailer_id']],
  by: { retailer: 'retailer_id', year: 'iso_year', week: 'iso_week' },
  sums: { promoted: 'is_promoted' },
})
const depths = count({
  from: 'promo_day',
  where: [['is', 'retailer_id', '$retailer_id'], 'is_promoted', ['known', 'depth']],
  by: { week: 'iso_week' },
  value: 'depth',
})

const weekFields = {
  week: field.count('ISO week, 1 to 53; 53 exists only in some years.'),
  listing_days: field.count('Listing-days observed in it, in all years.'),
  promo_days: field.count('Those of them on promotion.'),
  promo_frequency_pct: field.share('Share of them on promotion.'),
  lift: field
    .ratio('That share over the share of all weeks: 2 is twice as often; null where nothing is promoted.')
    .nullable(),
}

const calendarWeek = z.object({
  ...weekFields,
  median_depth_pct: field.share('Median discount off the list price while on promotion; null without any.').nullable(),
  years: field.count('Years in which the week was observed.'),
})

const retailerCalendar = z.object({
  retailer: field.text('Platform key of the retailer.'),
  listing_days: field.count('Its listing-days observed.'),
  promo_frequency_pct: field.share('Share of them on promotion.'),
  peak_week: field.count('The ISO week with its highest share.'),
  peak_pct: field.share('The share of that week.'),
  weeks: field.list(
    z.object(weekFields),
    'The weeks in which it was observed, in order; lift is against its own share.',
  ),
})

/** The weeks of some groups in order, with their listing-days. */
const weeksOf = ({ key, n, sum, ...counted }: Counted<typeof weeks>, isWanted: (retailer: number) => boolean) => {
  const byWeek = new Map<number, { listing_days: number; promo_days: number; years: Set<number> }>()
  for (const group of groupsOf(counted, (group) => isWanted(key.retailer[group]!))) {
    const week = byWeek.get(key.week[group]!) ?? { listing_days: 0, promo_days: 0, years: new Set() }
    week.listing_days += n[group]!
    week.promo_days += sum.promoted[group]!
    week.years.add(key.year[group]!)
    byWeek.set(key.week[group]!, week)
  }
  const inOrder = [...byWeek].sort(([a], [b]) => a - b)
  const total = (of: 'listing_days' | 'promo_days') => inOrder.reduce((all, [, week]) => all + week[of], 0)
  const [listing_days, promo_days] = [total('listing_days'), total('promo_days')]
  const rows = inOrder.map(([week, { years, ...days }]) => ({
    years: years.size,
    row: {
      week,
      ...days,
      promo_frequency_pct: share(days.promo_days, days.listing_days)!,
      lift: promo_days === 0 ? null : ratio((days.promo_days * listing_days) / (days.listing_days * promo_days)),
    },
  }))
  const isHigher = (a: (typeof rows)[number], b: (typeof rows)[number]): boolean =>
    a.row.promo_days * b.row.listing_days > b.row.promo_days * a.row.listing_days
  const peak = rows.reduce((a, b) => (isHigher(b, a) ? b : a)).row
  return { listing_days, promo_frequency_pct: share(promo_days, listing_days)!, peak, rows }
}

/**
 * In which weeks of the year a category is promoted.
 *
 * @example
 * const { kind, peak_week, weeks } = await engine.ask(promoCalendar, { department: 'grocery' })
 * console.log(kind, peak_week)
 * for (const { week, lift } of weeks) console.log(week, lift)
 */
export const promoCalendar = defineQuery({
  group: 'marketing',
  name: 'promo-calendar',
  summary: 'In which weeks of the year a category is promoted, and by whom',
  definition: {
    population:
      'Every listing and day in scope on which a price was observed (listing-days) in complete calendar months, used articles and accessories too.',
    formula:
      `A listing-day is ${ON_PROMOTION}. Days are grouped by ISO week, whose year is not that of the day at the turn of a year. ` +
      'lift is the share of the listing-days of a week on promotion over that of all listing-days. median_depth_pct is of depths in hundredths of a percent. ' +
      `kind is seasonal where first and last observation are at least ${SEASONAL_DAYS} days apart; below, a week is of one year, and ` +
      'kind is calendar: what returns every year is not known. Of equal weeks the first is peak_week.',
    null_rule: `lift is null where nothing is promoted, median_depth_pct where no promotion has a list price. ${EMPTY_SCOPE}`,
    sources: [sources.prices, 'ISO 8601, which numbers the weeks of a year.'],
  },
  params: z
    .object({
      ...categoryScope,
      years: z
        .int()
        .min(1)
        .max(MAX_YEARS)
        .default(3)
        .meta({ description: 'The last so many years of complete calendar months.', unit: 'count' }),
    })
    .superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      window,
      kind: field.choice(['seasonal', 'calendar'], 'Whether weeks are compared over two years or more.'),
      listing_days: field.count('Listing-days observed.'),
      promo_frequency_pct: headline(field.share('Share of them on promotion.')),
      peak_week: field.count('The ISO week with the highest share.'),
      peak_pct: field.share('The share of that week.'),
      weeks: field.list(calendarWeek, 'The weeks in which something was observed, in order.'),
      retailers: field.list(retailerCalendar, `Retailers, most listing-days first; at most ${MAX_RETAILERS}.`),
      resolved,
      meta,
    })
    .meta({ id: 'PromoCalendar', description: 'In which weeks of the year a category is promoted.' }),

  async resolve({ years, ...params }, catalog) {
    const span = lastMonths(12 * years, catalog.as_of)
    const { window, periods, judged_before } = resolveWindow(span, 'weekly', catalog.as_of)
    const { echo, resolved, bindings } = await resolveScope(params, catalog, judged_before)
    const { from, to, month_from, month_to } = periods
    return {
      bindings: { ...bindings, brand_id: null, from, to, month_from, month_to },
      context: await withNewestObserved({ echo, resolved, window }, bindings, catalog),
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, weeks, depths },

  toAnswer({ observed, weeks, depths }, context, { platforms }) {
    const span = spanOf(observed)
    if (!span) throw nothingObserved(context)
    const all = weeksOf(weeks, () => true)
    const medianOf = (week: number): number | null => {
      const values = valuesOf(depths, (group) => depths.key.week[group] === week)
      return values.n === 0 ? null : values.quantile(0.5) / 100
    }
    return {
      ...context.echo,
      window: context.window,
      kind: span.max - span.min >= SEASONAL_DAYS * DAY_SECONDS ? ('seasonal' as const) : ('calendar' as const),
      listing_days: all.listing_days,
      promo_frequency_pct: all.promo_frequency_pct,
      peak_week: all.peak.week,
      peak_pct: all.peak.promo_frequency_pct,
      weeks: all.rows.map(({ row, years }) => ({
        ...row,
        median_depth_pct: orNull(percent, medianOf(row.week)),
        years,
      })),
      retailers: [...new Set(weeks.key.retailer)]
        .map((id) => {
          const { rows, peak, ...own } = weeksOf(weeks, (retailer) => retailer === id)
          return {
            retailer: platforms.get(id)!,
            ...own,
            peak_week: peak.week,
            peak_pct: peak.promo_frequency_pct,
            weeks: rows.map(({ row }) => row),
          }
        })
        .sort((a, b) => b.listing_days - a.listing_days || (a.retailer < b.retailer ? -1 : 1))
        .slice(0, MAX_RETAILERS),
      resolved: context.resolved,
      meta: metaBlock(context, span),
    }
  },
})
