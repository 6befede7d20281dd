import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { resolveWindowScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, sources, WINDOW } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope, windowParams } from '../../contract/params.ts'
import { orNull, percent, round, share } from '../../contract/round.ts'
import { type Counted, count, groupsOf, observedSpan, spanOf, valuesOf } from '../../counts/count.ts'
import { MIN_MATCHED } from '../../statistics/like-for-like.ts'
import { FENCE, jevonsChange } from '../../statistics/price-relative.ts'
import { defineQuery } from '../query.ts'

const days = count({
  from: 'stock_day',
  where: [['is', 'retailer_id', '$retailer_id']],
  by: { retailer: 'retailer_id' },
  sums: { out: 'is_out' },
})
const episodes = count({
  from: 'stock_episode',
  where: [['is', 'retailer_id', '$retailer_id']],
  by: { retailer: 'retailer_id' },
  sums: {
    back: ['known', 'days'],
    start_seen: 'is_start_seen',
    compared: ['known', 'log'],
    log: 'log',
    higher: 'is_higher',
    lower: 'is_lower',
  },
})
const lengths = count({
  from: 'stock_episode',
  where: [
    ['is', 'retailer_id', '$retailer_id'],
    ['known', 'days'],
  ],
  by: { retailer: 'retailer_id' },
  value: 'days',
})

type Read = { days: Counted<typeof days>; episodes: Counted<typeof episodes>; lengths: Counted<typeof lengths> }

const figures = {
  stated_days: field.count('Listing-days of which the retailer states the availability.'),
  out_of_stock_days: field.count('Those of them that are out of stock.'),
  out_of_stock_pct: field.share('Share of the stated listing-days that are out of stock; null without any.').nullable(),
  episode_count: field.count('Episodes out of stock: sequences of stated days of a listing without one in stock.'),
  start_seen_count: field.count('Those before which the listing was seen in stock.'),
  back_count: field.count('Those after which it was seen in stock again.'),
  median_days_to_restock: field
    .amount('Median days from the first day out of stock to the day on which it is back; null where none is.')
    .nullable(),
  higher_price_count: field.count('Episodes after which it was back at a higher price than before.'),
  lower_price_count: field.count('Episodes after which it was back at a lower price.'),
  restock_change_pct: field
    .change(
      'Mean change of the price from before to after an episode, as a geometric mean; null below 10 of them with both prices.',
    )
    .nullable(),
}

/** The figures of the retailers for which a condition holds. */
const figuresOf = ({ days, episodes, lengths }: Read, isWanted: (retailer: number) => boolean) => {
  const groupsIn = ({ length, key }: { length: number; key: { retailer: Float64Array } }) =>
    groupsOf({ length }, (group) => isWanted(key.retailer[group]!))
  const sumOf = (column: Float64Array, groups: readonly number[]): number =>
    groups.reduce((sum, group) => sum + column[group]!, 0)
  const [stated, spells] = [groupsIn(days), groupsIn(episodes)]
  const [stated_days, out_of_stock_days] = [sumOf(days.n, stated), sumOf(days.sum.out, stated)]
  const compared = sumOf(episodes.sum.compared, spells)
  const log = spells.reduce((sum, group) => sum + episodes.long('log', group), 0n)
  const length = valuesOf(lengths, (group) => isWanted(lengths.key.retailer[group]!))
  return {
    stated_days,
    out_of_stock_days,
    out_of_stock_pct: share(out_of_stock_days, stated_days),
    episode_count: sumOf(episodes.n, spells),
    start_seen_count: sumOf(episodes.sum.start_seen, spells),
    back_count: sumOf(episodes.sum.back, spells),
    median_days_to_restock: orNull((value) => round(value, 2), length.n === 0 ? null : length.quantile(0.5)),
    higher_price_count: sumOf(episodes.sum.higher, spells),
    lower_price_count: sumOf(episodes.sum.lower, spells),
    restock_change_pct: compared < MIN_MATCHED ? null : percent(jevonsChange(log, compared)),
  }
}

/**
 * How often and how long listings of a category are out of stock.
 *
 * @example
 * const { out_of_stock_pct, median_days_to_restock } = await engine.ask(availability, { category: 'coffee', days: 90 })
 * console.log(out_of_stock_pct, median_days_to_restock)
 */
export const availability = defineQuery({
  group: 'analyst',
  name: 'availability',
  summary: 'How often and how long listings of a category are out of stock, by retailer',
  definition: {
    population:
      'Every listing and day of the window in scope of which the retailer states whether it can be bought (stated listing-days), used ' +
      `articles and accessories too. Days without a statement are left out, never taken for out of stock. ${WINDOW}`,
    formula:
      'out_of_stock_pct is the share of the stated listing-days that are out of stock. An episode is a longest sequence of stated days of a listing ' +
      'in the window on which it is out of stock. It lasts from the first of them to the next stated day in stock; without one ' +
      'it is open and has no length. restock_change_pct is the exponential of the mean log of the price on that day over the price on the last day in ' +
      `stock before, minus 1, without relatives above ${FENCE} or below 1/${FENCE}. Ranked by the share, then the platform key.`,
    null_rule:
      'Shares are null where no availability is stated, median_days_to_restock where no episode ends, restock_change_pct below ' +
      `${MIN_MATCHED} episodes with both prices. ${EMPTY_SCOPE}`,
    sources: [sources.prices, 'Cavallo and Kryvtsov, What can stockouts tell us about inflation? (2021).'],
  },
  params: z.object({ ...categoryScope, ...windowParams }).superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      window,
      ...figures,
      out_of_stock_pct: headline(figures.out_of_stock_pct),
      retailers: field.list(
        z.object({ retailer: field.text('Platform key of the retailer.'), ...figures }),
        'Retailers that state availability, most often out of stock first.',
      ),
      resolved,
      meta,
    })
    .meta({ id: 'Availability', description: 'How often and how long listings are out of stock.' }),

  async resolve(params, catalog) {
    const { bindings, periods, context } = await resolveWindowScope(params, 'daily', catalog)
    const { from, to, month_from, month_to } = periods
    return { bindings: { ...bindings, from, to, month_from, month_to }, context }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, days, episodes, lengths },

  toAnswer({ observed, ...read }, context, { platforms }) {
    const span = spanOf(observed)
    if (!span) throw nothingObserved(context)
    return {
      ...context.echo,
      window: context.window,
      ...figuresOf(read, () => true),
      retailers: [...read.days.key.retailer]
        .map((id) => ({ retailer: platforms.get(id)!, ...figuresOf(read, (retailer) => retailer === id) }))
        .sort((a, b) => b.out_of_stock_pct! - a.out_of_stock_pct! || (a.retailer < b.retailer ? -1 : 1)),
      resolved: context.resolved,
      meta: metaBlock(context, span),
    }
  },
})
