import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { resolveWindowScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, sources, WINDOW } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope, windowParams } from '../../contract/params.ts'
import { share } from '../../contract/round.ts'
import { STANDS_DAYS } from '../../contract/window.ts'
import { count, groupsOf, observedSpan, spanOf, total } from '../../counts/count.ts'
import { FENCE } from '../../statistics/price-relative.ts'
import { joinedFields, MAX_PAIRS } from '../product-pairs.ts'
import { defineQuery } from '../query.ts'

/** A retailer follows a change if it moves the same way within so many days. */
const FOLLOW_DAYS = 14
/** Fewer events say nothing of who leads. */
const MIN_EVENTS = 30

const listings = count({ from: 'sold_listing', sums: { identified: 'is_identified', joined: 'is_joined' } })
const leads = count({
  from: 'price_lead',
  where: [['or', ['is', 'leader_id', '$retailer_id'], ['is', 'follower_id', '$retailer_id']]],
  by: { leader: 'leader_id', follower: 'follower_id' },
  sums: {
    followed: 'is_followed',
    followed_rise: ['and', 'is_followed', 'is_rise'],
    opposed: 'is_opposed',
  },
})

const figures = {
  change_count: field.count('Price changes of the leader after which the follower was watched.'),
  led_count: field.count('Those that the follower followed.'),
  led_rise_count: field.count('Those of the followed ones that are rises.'),
  opposed_count: field.count('Those after which the follower first moved the other way, in as many days.'),
}

const retailerLead = z.object({
  retailer: field.text('Platform key of the retailer.'),
  lead_share_pct: field.share(`Share of these events in which it led; null below ${MIN_EVENTS} of them.`).nullable(),
  led_count: field.count('Times that another retailer followed a change of its.'),
  following_count: field.count('Times that it followed a change of another retailer.'),
  change_count: field.count('Its changes after which another retailer was watched, once for each of these.'),
})

const pairLead = z.object({
  leader: field.text('Platform key of the retailer that changed its price first.'),
  follower: field.text('Platform key of the retailer that may have followed.'),
  ...figures,
  led_pct: field.share(`Share of the changes that were followed; null below ${MIN_EVENTS} changes.`).nullable(),
  opposed_pct: field.share('Share of them that were opposed; null likewise.').nullable(),
})

const figuresOf = (n: number, followed: number, rises: number, opposed: number) => ({
  change_count: n,
  led_count: followed,
  led_rise_count: rises,
  opposed_count: opposed,
})

const shareIfEnough = (part: number, whole: number): number | null => (whole < MIN_EVENTS ? null : share(part, whole))

/**
 * Which retailers change the prices of shared products first, and which follow.
 *
 * @example
 * const { retailers, pairs } = await engine.ask(priceLeadership, { department: 'grocery', days: 365 })
 * for (const { retailer, lead_share_pct } of retailers) console.log(retailer, lead_share_pct)
 * for (const { leader, follower, led_pct, opposed_pct } of pairs) console.log(leader, follower, led_pct, opposed_pct)
 */
export const priceLeadership = defineQuery({
  group: 'analyst',
  name: 'price-leadership',
  summary: 'Which retailers change the prices of the same products first, and which follow',
  definition: {
    population:
      'The new listings in scope that were observed in the window. Of these the ones of products (entity_uid) that two or more retailers sell; ' +
      'of several of one product at a retailer the one that was observed on most days, of equals the one with the first product_uid. The other listings have no part; joined_pct says ' +
      `how many have one. ${WINDOW}`,
    formula:
      `A change is an observation of a listing at another price than its one before, if that was at most ${STANDS_DAYS} days earlier, without relatives ` +
      `above ${FENCE} or below 1/${FENCE}. It counts for each other retailer of the product that was seen at least twice in the ${FOLLOW_DAYS} days from it ` +
      'on, where these are in the window. The answer of that retailer is its first change whose price before was still seen on the day of the ' +
      `leader's new price or later: a change that is only found later, as the retailer is read less often, is no answer. It follows if it came within the ${FOLLOW_DAYS} days ` +
      'and in the same direction, and opposes in the other. Retailers that move by chance oppose about as often as they follow. ' +
      'lead_share_pct is led_count / (led_count + following_count).',
    null_rule: `lead_share_pct is null below ${MIN_EVENTS} followed changes of both kinds, led_pct and opposed_pct below ${MIN_EVENTS} changes. ${EMPTY_SCOPE}`,
    sources: [sources.prices, 'After Seaton and Waterson, Identifying and characterising price leadership (2013).'],
  },
  params: z.object({ ...categoryScope, ...windowParams }).superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      window,
      listing_count: field.count('New listings in scope that were observed in the window.'),
      identified_pct: joinedFields.identified_pct,
      joined_pct: joinedFields.joined_pct,
      ...figures,
      retailers: headline(
        field.list(retailerLead, 'Retailers of shared products, those that lead the largest share of events first.'),
      ),
      pairs: field.list(pairLead, `Leaders with followers, most followed changes first; at most ${MAX_PAIRS}.`),
      resolved,
      meta,
    })
    .meta({ id: 'PriceLeadership', description: 'Which retailers change prices first, and which follow.' }),

  async resolve(params, catalog) {
    const { bindings, periods, context } = await resolveWindowScope(params, 'daily', catalog)
    const { from, to, month_from, month_to } = periods
    const days = { max_gap_days: STANDS_DAYS, follow_days: FOLLOW_DAYS }
    return { bindings: { ...bindings, ...days, from, to, month_from, month_to }, context }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, listings, leads },

  toAnswer({ observed, listings, leads }, context, { platforms }) {
    const span = spanOf(observed)
    if (!span) throw nothingObserved(context)
    const { key, n, sum } = leads
    const sumOf = (column: Float64Array, isWanted?: (group: number) => boolean): number =>
      groupsOf(leads, isWanted).reduce((all, group) => all + column[group]!, 0)
    const retailers = [...new Set([...key.leader, ...key.follower])].map((id) => {
      const isLeader = (group: number): boolean => key.leader[group] === id
      const led_count = sumOf(sum.followed, isLeader)
      const following_count = sumOf(sum.followed, (group) => key.follower[group] === id)
      return {
        retailer: platforms.get(id)!,
        lead_share_pct: shareIfEnough(led_count, led_count + following_count),
        led_count,
        following_count,
        change_count: total(leads, isLeader),
      }
    })
    const pairs = groupsOf(leads).map((group) => {
      const counted = figuresOf(n[group]!, sum.followed[group]!, sum.followed_rise[group]!, sum.opposed[group]!)
      return {
        leader: platforms.get(key.leader[group]!)!,
        follower: platforms.get(key.follower[group]!)!,
        ...counted,
        led_pct: shareIfEnough(counted.led_count, counted.change_count),
        opposed_pct: shareIfEnough(counted.opposed_count, counted.change_count),
      }
    })
    const listing_count = total(listings)
    return {
      ...context.echo,
      window: context.window,
      listing_count,
      identified_pct: share(listings.sum.identified[0]!, listing_count) ?? 0,
      joined_pct: share(listings.sum.joined[0]!, listing_count) ?? 0,
      ...figuresOf(total(leads), sumOf(sum.followed), sumOf(sum.followed_rise), sumOf(sum.opposed)),
      retailers: retailers.sort(
        (a, b) =>
          (b.lead_share_pct ?? -1) - (a.lead_share_pct ?? -1) ||
          b.led_count - a.led_count ||
          (a.retailer < b.retailer ? -1 : 1),
      ),
      pairs: pairs
        .sort(
          (a, b) =>
            b.led_count - a.led_count ||
            b.change_count - a.change_count ||
            (`${a.leader} ${a.follower}` < `${b.leader} ${b.follower}` ? -1 : 1),
        )
        .slice(0, MAX_PAIRS),
      resolved: context.resolved,
      meta: metaBlock(context, span),
    }
  },
})
