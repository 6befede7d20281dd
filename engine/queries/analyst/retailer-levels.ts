import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho } from '../../contract/blocks.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { orNull, percent, ratio, share } from '../../contract/round.ts'
import { count, spanOf } from '../../counts/count.ts'
import { MIN_SHARED, priceLevels } from '../../statistics/price-levels.ts'
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

const certainPairs = count({ ...productPairs, where: [['not', 'is_likely']] })

const retailerLevel = z.object({
  retailer: field.text('Platform key of the retailer.'),
  level: field
    .index(`Its price level; 1 is the geometric mean of the levels. Null below ${MIN_SHARED} shared products.`)
    .nullable(),
  shared_products: field.count('Products that it and another retailer sell.'),
})

const retailerPair = z.object({
  retailer: field.text('Platform key of the first retailer.'),
  other_retailer: field.text('Platform key of the second.'),
  shared_products: field.count('Products that both sell.'),
  identical_pct: field.share(`Share of them with one price at both; null below ${MIN_SHARED} of them.`).nullable(),
})

/**
 * How expensive the retailers of a category are for the same products.
 *
 * @example
 * const { retailers, joined_pct } = await engine.ask(retailerLevels, { department: 'grocery' })
 * for (const { retailer, level } of retailers) console.log(retailer, level)
 * console.log(joined_pct)
 */
export const retailerLevels = defineQuery({
  group: 'analyst',
  name: 'retailer-levels',
  summary: 'How expensive retailers are for the same products, and how often they ask the same price',
  definition: {
    population:
      `${CURRENT}Of these the new ones of products (entity_uid) that two or more retailers sell, each at its lowest price at a retailer. ` +
      'The other listings have no part in the levels; joined_pct says how many have one.',
    formula:
      'Levels are the least squares of log price = product + retailer (country-product dummies), with a mean of 0 over the retailers that ' +
      'have one; level is the exponential. within_sd_pct is the standard deviation of log prices of a product, of all prices less products ' +
      'degrees of freedom; retailer_share_pct the share of its variance that levels explain, residual_sd_pct what is left. identical_pct ' +
      'counts products with one price at both retailers.',
    null_rule:
      `level is null below ${MIN_SHARED} shared products, and for retailers that no shared products link to the largest group of them; ` +
      `identical_pct below ${MIN_SHARED} products; spreads without two levels. ${EMPTY_SCOPE}`,
    sources: [
      sources.prices,
      'Summers, International price comparisons based upon incomplete data (1973): country-product dummies.',
      'Kaplan and Menzio, The morphology of price dispersion (2015). Cavallo, Are online and offline prices similar? (2017).',
    ],
  },
  params: comparedScope,
  answer: z
    .object({
      ...scopeEcho,
      ...joinedFields,
      shared_products: field.count('Products that two or more retailers sell, on which levels rest.'),
      price_count: field.count('Lowest prices of these products at their retailers.'),
      within_sd_pct: field.percent('Spread of the prices of a product over retailers; null without levels.').nullable(),
      retailer_share_pct: field
        .share('Share of its variance that the levels of retailers explain; null likewise.')
        .nullable(),
      residual_sd_pct: field.percent('Spread that is left: that of single prices; null likewise.').nullable(),
      retailers: headline(field.list(retailerLevel, 'Retailers with shared products, the most expensive first.')),
      pairs: field.list(
        retailerPair,
        `Pairs of retailers that share products, most products first; at most ${MAX_PAIRS}.`,
      ),
      resolved,
      meta,
    })
    .meta({ id: 'RetailerLevels', description: 'Price levels of retailers for the same products.' }),

  async resolve(params, catalog) {
    const { bindings, context } = await resolveCurrentScope(params, catalog)
    const { retailer_id: _, ...scope } = bindings
    return { bindings: scope, context }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { listings: newListings, products: certainPairs },

  toAnswer({ listings, products }, context: CurrentScope, { platforms }) {
    const observed = spanOf(listings)
    if (!observed) throw nothingObserved(context)
    const counts = sellersOf(products, false)
    const fitted = priceLevels(counts)
    const sharedBy = new Map<number, number>()
    for (const { retailer, other, sellers, n } of counts)
      if (retailer === other && sellers > 1) sharedBy.set(retailer, (sharedBy.get(retailer) ?? 0) + n)
    return {
      ...context.echo,
      ...joinedOf(listings),
      shared_products: fitted.products,
      price_count: fitted.prices,
      within_sd_pct: orNull(percent, fitted.within_sd_pct),
      retailer_share_pct: orNull(percent, fitted.retailer_share_pct),
      residual_sd_pct: orNull(percent, fitted.residual_sd_pct),
      retailers: [...sharedBy]
        .map(([id, shared_products]) => ({
          retailer: platforms.get(id)!,
          level: orNull(ratio, fitted.levels.get(id)),
          shared_products,
        }))
        .sort((a, b) => (b.level ?? 0) - (a.level ?? 0) || (a.retailer < b.retailer ? -1 : 1)),
      pairs: [...retailerPairsOf(counts, platforms).values()].slice(0, MAX_PAIRS).map(({ names, n, equal }) => ({
        retailer: names[0],
        other_retailer: names[1],
        shared_products: n,
        identical_pct: n < MIN_SHARED ? null : share(equal, n),
      })),
      resolved: context.resolved,
      meta: metaBlock(context, observed),
    }
  },
})
