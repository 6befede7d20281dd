import { z } from 'zod'
import { isObserved, metaBlock } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverPosted, resolveHistory } from '../../catalog/product-scope.ts'
import { ANY_TYPE } from '../../catalog/scope.ts'
import { gpc, meta, productEcho, window } from '../../contract/blocks.ts'
import { dayNumber } from '../../contract/days.ts'
import { ONE_PRODUCT, sources, VALID_PRICES } from '../../contract/definition.ts'
import { beside, field, headline } from '../../contract/field.ts'
import { category, country, historyParams, qOrUid, retailer } from '../../contract/params.ts'
import { orNull } from '../../contract/round.ts'
import { STANDS_DAYS } from '../../contract/window.ts'
import { HISTORY_DAYS, PRIOR_DAYS, TEST_DAYS } from '../../statistics/price-claim.ts'
import { CLAIM_SOURCES, CLAIMS, claimFields, claimOf, newestClaims } from '../claimed-prices.ts'
import { daysOfProduct, postedPrices } from '../posted-prices.ts'
import { cheapestFirst, historyFields, pricesNow } from '../product-now.ts'
import { offersOf, productOffer } from '../product-offers.ts'
import { defineQuery } from '../query.ts'

const offer = productOffer.extend({
  price: field.money('Price that stands now.'),
  list_price: field
    .money('The earlier price that the retailer claims, above the price; null without a claim.')
    .nullable(),
  ...claimFields,
})

/**
 * Whether the discount of a product is real: the earlier price that its retailer claims against the prices that were seen.
 *
 * @example
 * const { verdict, claimed_pct, real_pct } = await engine.ask(priceReality, { q: 'larkano decaf coffee' })
 * console.log(verdict, claimed_pct, real_pct)
 */
export const priceReality = defineQuery({
  group: 'shopper',
  name: 'price-reality',
  summary: 'Whether the earlier price that a discount of a product is measured from is real',
  definition: {
    population: VALID_PRICES.trim(),
    formula:
      `${CLAIMS}time_test: of the ${TEST_DAYS} days before the start, charged_low_pct counts the known ones on which the list price or more was ` +
      'charged, charged_high_pct also all unknown ones; met if the lower is over 50 %, not_met if the higher is at most 50 %, ' +
      'else unknown. Figures of the answer are of the cheapest listing now, in stock or of unknown stock if one is; offers has ' +
      'all whose price stands now.',
    null_rule:
      'Without a claim verdict is no_claim and all that describes one is null; prior_low and real_pct also where no day of the ' +
      `${PRIOR_DAYS} before is known. ${ONE_PRODUCT}NO_RESULTS, free of charge, for a product that is unknown or without a price that stands now.`,
    sources: [
      sources.prices,
      ...CLAIM_SOURCES,
      'Canada, Competition Act, 74.01(3): the time test; its period is our reading.',
    ],
  },
  params: z
    .object({ ...historyParams, category: category.optional(), country, retailer: retailer.optional() })
    .superRefine(qOrUid),
  answer: z
    .object({
      ...productEcho,
      scope: historyFields.scope,
      retailer: field.echo(field.text('Platform key of the retailer with the current price.')),
      current_price: field.money('Lowest price that stands now.'),
      list_price: offer.shape.list_price,
      ...claimFields,
      verdict: beside(claimFields.verdict),
      claimed_pct: beside(claimFields.claimed_pct),
      real_pct: headline(claimFields.real_pct),
      window,
      offers: field.list(offer, 'The listings whose price stands now, the cheapest first.'),
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'PriceReality', description: 'Whether the discounts of a product are real.' }),

  async resolve(params, catalog) {
    const lookup = { ...params, days: HISTORY_DAYS + STANDS_DAYS }
    const { bindings, context } = await resolveHistory(lookup, 'daily', catalog, true)
    const { from } = context.periods
    const claimed_from = bindings.since
    return { bindings: { ...bindings, ...ANY_TYPE, brand_id: null, from, claimed_from }, context }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { days: daysOfProduct, claims: newestClaims },

  toAnswer({ days, claims }, context, catalog) {
    const money = moneyIn(context.product.country, catalog)
    const { product, scope, window, periods, members, before } = context
    const prices = postedPrices(days, { from: periods.from, to: periods.to, before })
    const now = pricesNow(prices.now, members).sort(cheapestFirst)
    if (now.length === 0) throw neverPosted(context)
    const claimsById = new Map(claims.map((claim) => [claim.listing_id, claim]))
    const posted = new Map(offersOf(prices.window, periods.to, members, money).map((of) => [of.product_uid, of]))
    const offers = now.map(({ price: { listing_id, price }, member: { product_uid, first_day } }) => {
      const claim = claimsById.get(listing_id)
      return {
        ...posted.get(product_uid)!,
        price: money(price),
        list_price: orNull(money, claim?.list_price),
        ...claimOf(claim, dayNumber(first_day!), money),
      }
    })
    const { product_uid: _, product_name: __, match_type, match_confidence, changes, price, ...best } = offers[0]!
    return {
      ...product,
      scope,
      ...best,
      current_price: price,
      window,
      offers,
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, prices.observed_at),
    }
  },
})
