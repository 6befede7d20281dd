import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho } from '../../contract/blocks.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { ratio, share } from '../../contract/round.ts'
import { type Counted, count, groupsOf, spanOf } from '../../counts/count.ts'
import type { SellerCounts } from '../../statistics/price-levels.ts'
import { lastMonths } from '../last-months.ts'
import {
  comparedScope,
  joinedFields,
  joinedOf,
  MAX_PAIRS,
  newListings,
  productPairs,
  retailerPairsOf,
  sellersOf,
} from '../product-pairs.ts'
import { defineQuery } from '../query.ts'

/** The months in which a listing that is priced again counts as returned. */
const TURNOVER_MONTHS = 13
/** A larger share of shelves that come or go says more of what was read than of what is sold. */
const PANEL_BREAK = 1 / 3

const turnover = count({
  from: 'listing_turnover',
  by: { retailer: 'retailer_id', shelf: 'category_id' },
  sums: {
    priced: 'is_priced',
    before: 'was_priced',
    stayed: ['and', 'is_priced', 'was_priced'],
    returned: ['and', 'is_priced', ['not', 'was_priced'], 'was_earlier'],
  },
})

const range = z.object({
  retailer: field.text('Platform key of the retailer.'),
  product_count: field.count('Products (entity_uid) that it sells new.'),
  only_here_pct: field
    .share('Share of them that no other retailer is known to sell: at most so many are exclusive; null without any.')
    .nullable(),
  likely_only_here_pct: field.share('The same by likely products, of which more are shared.').nullable(),
  listing_count: field.count('Listings priced in the last complete month.'),
  new_count: field.count('Those that were not priced in the year before.'),
  returned_count: field.count('Those that were priced in the year before, but not in the month before.'),
  stayed_count: field.count('Those that were priced in the month before, too.'),
  left_count: field.count('Listings of the month before that were not priced: gone, or paused until later.'),
  new_pct: field.percent('New listings per 100 of the month before; null without any.').nullable(),
  left_pct: field.share('Share of the listings of the month before that left; null without any.').nullable(),
  panel_break: field.flag('Whether at least a third of its shelves are priced in only one of the two months.'),
})

const overlap = z.object({
  retailer: field.text('Platform key of the first retailer.'),
  other_retailer: field.text('Platform key of the second.'),
  shared_products: field.count('Products that both are known to sell: at least so many are shared.'),
  jaccard: field.ratio('Shared products over the products that either sells.'),
  share_of_retailer_pct: field.share('Share of the products of the first retailer that the second sells, too.'),
  share_of_other_pct: field.share('Share of the products of the second that the first sells, too.'),
  likely_shared_products: field.count('Shared products by likely products.'),
})

/** The products of each retailer, and those that it alone sells. */
const productsOf = (counts: readonly SellerCounts[]) => {
  const products = new Map<number, { all: number; alone: number }>()
  for (const { retailer, other, sellers, n } of counts) {
    if (retailer !== other) continue
    const { all, alone } = products.get(retailer) ?? { all: 0, alone: 0 }
    products.set(retailer, { all: all + n, alone: alone + (sellers === 1 ? n : 0) })
  }
  return products
}

const NO_PRODUCTS = { all: 0, alone: 0 }

/** What came to a retailer's shelves in the last complete month, and what left them. */
const turnoverOf = ({ key, sum, ...counted }: Counted<typeof turnover>, retailer: number) => {
  const shelves = groupsOf(counted, (group) => key.retailer[group] === retailer)
  const of = (column: Float64Array): number => shelves.reduce((all, group) => all + column[group]!, 0)
  const [listing_count, before, stayed_count, returned_count] = [
    of(sum.priced),
    of(sum.before),
    of(sum.stayed),
    of(sum.returned),
  ]
  const changed = shelves.filter((group) => sum.priced[group] === 0 || sum.before[group] === 0).length
  const new_count = listing_count - stayed_count - returned_count
  return {
    listing_count,
    new_count,
    returned_count,
    stayed_count,
    left_count: before - stayed_count,
    new_pct: share(new_count, before),
    left_pct: share(before - stayed_count, before),
    panel_break: shelves.length > 0 && changed >= PANEL_BREAK * shelves.length,
  }
}

/**
 * Which products retailers of a category share, which they alone sell, and what comes and goes.
 *
 * @example
 * const { retailers, pairs, joined_pct } = await engine.ask(assortment, { department: 'grocery' })
 * for (const { retailer, only_here_pct } of retailers) console.log(retailer, only_here_pct)
 * console.log(pairs[0], joined_pct)
 */
export const assortment = defineQuery({
  group: 'marketing',
  name: 'assortment',
  summary: 'Which products retailers share, which they alone sell, and what comes and goes',
  definition: {
    population:
      `${CURRENT}Of these the new ones; a product is an entity_uid, listings without one are only counted. What comes and goes are all ` +
      'listings in scope of the last complete calendar month before the answer and of the month before that.',
    formula:
      'Products that are one, but not known to be, count as different: overlap is a lower bound and what only one retailer sells an upper ' +
      'bound; likely products (entity_uid where a listing has none) are the less cautious reading. jaccard is shared over sold by either. ' +
      `new: not priced in the ${TURNOVER_MONTHS - 1} months before the last; returned: priced in these, not in the one before; left: priced in the month ` +
      'before alone, which cannot tell gone from paused. A retailer of which at least a third of the shelves are priced in one of the two months only ' +
      '(panel_break) was probably read differently.',
    null_rule: `Shares are null where their whole is 0. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: comparedScope,
  answer: z
    .object({
      ...scopeEcho,
      ...joinedFields,
      joined_pct: headline(joinedFields.joined_pct),
      turnover_month: field.date('First day of the last complete month, of which comes and goes are counted.'),
      retailers: field.list(range, 'Retailers, most products first.'),
      pairs: field.list(overlap, `Pairs of retailers that share products, most products first; at most ${MAX_PAIRS}.`),
      resolved,
      meta,
    })
    .meta({ id: 'Assortment', description: 'What retailers of a category share, sell alone, and change.' }),

  async resolve(params, catalog) {
    const { bindings, context } = await resolveCurrentScope(params, catalog)
    const { retailer_id: _, ...scope } = bindings
    const { from } = lastMonths(TURNOVER_MONTHS, catalog.as_of)
    const turnover_month = lastMonths(1, catalog.as_of).from
    return {
      bindings: { ...scope, brand_id: null, whole_from: from.slice(0, 7), whole_to: turnover_month.slice(0, 7) },
      context: { ...context, turnover_month },
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { listings: newListings, products: productPairs, turnover },

  toAnswer(read, context: CurrentScope & { turnover_month: string }, { platforms }) {
    const observed = spanOf(read.listings)
    if (!observed) throw nothingObserved(context)
    const [certain, likely] = [sellersOf(read.products, false), sellersOf(read.products, true)]
    const [products, likelyProducts] = [productsOf(certain), productsOf(likely)]
    const likelyPairs = retailerPairsOf(likely, platforms)
    const ids = new Set([...read.listings.key.retailer, ...read.turnover.key.retailer])
    return {
      ...context.echo,
      ...joinedOf(read.listings),
      turnover_month: context.turnover_month,
      retailers: [...ids]
        .map((id) => {
          const [own, ownLikely] = [products.get(id) ?? NO_PRODUCTS, likelyProducts.get(id) ?? NO_PRODUCTS]
          return {
            retailer: platforms.get(id)!,
            product_count: own.all,
            only_here_pct: share(own.alone, own.all),
            likely_only_here_pct: share(ownLikely.alone, ownLikely.all),
            ...turnoverOf(read.turnover, id),
          }
        })
        .sort((a, b) => b.product_count - a.product_count || (a.retailer < b.retailer ? -1 : 1)),
      pairs: [...retailerPairsOf(certain, platforms).values()].slice(0, MAX_PAIRS).map(({ ids, names, n }) => {
        const [first, second] = [products.get(ids[0])!.all, products.get(ids[1])!.all]
        return {
          retailer: names[0],
          other_retailer: names[1],
          shared_products: n,
          jaccard: ratio(n / (first + second - n)),
          share_of_retailer_pct: share(n, first)!,
          share_of_other_pct: share(n, second)!,
          likely_shared_products: likelyPairs.get(names.join(' '))?.n ?? 0,
        }
      }),
      resolved: context.resolved,
      meta: metaBlock(context, observed),
    }
  },
})
