import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import {
  cursorText,
  FLAPPING_DAYS,
  MAX_SINCE_DAYS,
  MAX_UIDS,
  resolveWatched,
  USUAL_SINCE_DAYS,
} from '../../catalog/watched.ts'
import { meta, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { dayOf, dayText } from '../../contract/days.ts'
import { EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { beside, field, headline } from '../../contract/field.ts'
import { category, country, department, retailer } from '../../contract/params.ts'
import { percent } from '../../contract/round.ts'
import { STANDS_DAYS } from '../../contract/window.ts'
import { count, groupsOf, list, spanOf, total } from '../../counts/count.ts'
import { defineQuery } from '../query.ts'

const OF_RETAILER = [['is', 'retailer_id', '$retailer_id']] as const

const span = count({ from: 'step_span', min: { observed: 'first_second' }, max: { observed: 'last_second' } })
const steps = count({
  from: 'price_step',
  where: OF_RETAILER,
  by: { day: 'day', is_rise: 'is_rise' },
  sums: { flapping: 'is_flapping' },
})
const page = list({
  from: 'price_step',
  where: OF_RETAILER,
  columns: [
    'product_uid',
    'entity_uid',
    'product_name',
    'brand',
    'retailer_id',
    'day',
    'price',
    'previous_day',
    'previous_price',
    'is_flapping',
  ],
  order: ['day', 'product_uid'],
  limit: '$limit',
  offset: '$offset',
})

const change = z.object({
  product_name: field.text('Title of the listing; null where the feed has none.').nullable(),
  date: field.titled('Seen first', field.date('The day on which the price was first seen.')),
  brand: field.text('Brand of the listing; null where it is unknown.').nullable(),
  retailer: field.text('Platform key of the retailer.'),
  previous_price: field.money('The price before.'),
  price: field.money('The price from that day on.'),
  change_pct: field.change('(price - previous_price) / previous_price: a rise is above zero, a fall below.'),
  previous_date: field.date('The day on which the price before was last seen; the price changed after it.'),
  is_flapping: field.flag(
    `Whether the next change takes it back within ${FLAPPING_DAYS} days, or it so takes back the one before.`,
  ),
  product_uid: field.key('Id of the listing.'),
  entity_uid: field.key('Id of the physical product across retailers; null where it is not known.').nullable(),
})

const daySteps = z.object({
  date: field.titled('Day', field.date('A day with changes.')),
  rise_count: field.count('Prices that rose.'),
  fall_count: field.count('Prices that fell.'),
})

/**
 * The prices that changed since a day or since the last request, up as well as down.
 *
 * @example
 * const { price_changes, next_since } = await engine.ask(changes, { category: 'coffee' })
 * for (const { product_name, previous_price, price } of price_changes) console.log(product_name, previous_price, price)
 * console.log(`next time: since=${next_since}`)
 */
export const changes = defineQuery({
  group: 'shopper',
  name: 'changes',
  summary: 'The prices that changed since the last look, up as well as down',
  definition: {
    population:
      'The listings that uids names, those of an entity_uid at all retailers, or the listings of a category, department or country, used articles and accessories too.',
    formula:
      'A change is an observation of a listing at another price than its one before, if that was at most ' +
      `${STANDS_DAYS} days earlier; after a longer gap nothing says when the price changed. It is flapping if the next change of the listing, at most ` +
      `${FLAPPING_DAYS} days later, goes back to the price before it; that next change is flapping as well. Changes are listed from the day ` +
      'of since on, oldest first, those of a day by product_uid. next_since is the published snapshot with the day to go on from: the newest observed day, whose ' +
      'changes are listed again, as the next snapshot may add some. Where has_more, it also counts the changes that were listed; ' +
      'under another snapshot such a page starts anew, so that a change may repeat and none is lost. product_uid and date identify a change. ' +
      'What a feed delivers later of days before that is not listed: send an earlier day to see it.',
    null_rule: `price_changes is empty where no price changed. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z
    .object({
      uids: z
        .string()
        .min(1)
        .max(10_000)
        .optional()
        .describe(`Up to ${MAX_UIDS} of product_uid and entity_uid, separated by commas, instead of a category.`),
      category: category.optional(),
      department: department.optional(),
      country,
      retailer: retailer.optional(),
      since: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe(
          `next_since of the last answer, or a UTC day of the last ${MAX_SINCE_DAYS}. Default ${USUAL_SINCE_DAYS} days ago.`,
        ),
      limit: z
        .int()
        .min(1)
        .max(200)
        .default(200)
        .meta({ description: 'Maximum number of changes to list.', unit: 'count' }),
    })
    .superRefine(({ uids, category, department }, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['uids'], message })
      const isShelf = category !== undefined || department !== undefined
      if (uids === undefined && !isShelf) refuse('required; send uids, category or department')
      if (uids !== undefined && isShelf) refuse('excludes category and department; send either')
    }),
  answer: z
    .object({
      ...scopeEcho,
      window,
      change_count: headline(field.count('Changes from the day of since on.')),
      rise_count: beside(field.count('Those of them that are rises.')),
      fall_count: beside(field.count('Those of them that are falls.')),
      flapping_count: field.count('Those of them that are flapping.'),
      price_changes: field.titled('Changes', field.list(change, 'The changes of this page, oldest first.')),
      by_day: field.list(daySteps, 'The days with changes, oldest first, whatever the page.'),
      has_more: field.page(field.flag('Whether next_since lists more of these changes.')),
      next_since: field.page(field.text('What to send as since next time.')),
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'Changes', description: 'The prices that changed since a day.' }),

  async resolve({ limit, ...params }, catalog) {
    const { bindings, context } = await resolveWatched(params, catalog)
    return { bindings: { ...bindings, limit, offset: context.offset }, context: { ...context, limit } }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { span, steps, page },

  toAnswer({ span, steps, page }, context, catalog) {
    const observed = spanOf(span)
    if (!observed) throw nothingObserved(context)
    const money = moneyIn(context.echo.country, catalog)
    const isRise = (group: number): boolean => steps.key.is_rise[group] === 1
    const countOn = (day: number, rising: boolean): number =>
      total(steps, (group) => steps.key.day[group] === day && isRise(group) === rising)
    const change_count = total(steps)
    const listed = context.offset + page.length
    const has_more = listed < change_count && page.length > 0
    const { snapshot_id, since_day } = context
    const next = has_more
      ? { snapshot_id, since: since_day, offset: listed }
      : { snapshot_id, since: dayOf(observed.max * 1000), offset: 0 }
    return {
      ...context.echo,
      window: context.window,
      change_count,
      rise_count: total(steps, isRise),
      fall_count: total(steps, (group) => !isRise(group)),
      flapping_count: groupsOf(steps).reduce((sum, group) => sum + steps.sum.flapping[group]!, 0),
      price_changes: page.map(({ retailer_id, day, price, previous_day, previous_price, ...listing }) => ({
        product_name: listing.product_name,
        date: dayText(day),
        brand: listing.brand,
        retailer: catalog.platforms.get(retailer_id)!,
        previous_price: money(previous_price),
        price: money(price),
        change_pct: percent((100 * (price - previous_price)) / previous_price),
        previous_date: dayText(previous_day),
        is_flapping: listing.is_flapping,
        product_uid: listing.product_uid,
        entity_uid: listing.entity_uid,
      })),
      by_day: [...new Set(steps.key.day)]
        .sort((a, b) => a - b)
        .map((day) => ({ date: dayText(day), rise_count: countOn(day, true), fall_count: countOn(day, false) })),
      has_more,
      next_since: cursorText(next),
      resolved: context.resolved,
      meta: metaBlock(context, observed),
    }
  },
})
