import { z } from 'zod'
import { isObserved, metaBlock } from '../../catalog/answer.ts'
import { minorUnits, moneyIn } from '../../catalog/countries.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import {
  boundsOf,
  isOfEntity,
  neverObserved,
  newestOfListings,
  requireObserved,
  resolveProduct,
} from '../../catalog/product-scope.ts'
import { ANY_TYPE } from '../../catalog/scope.ts'
import { gpc, meta, productEcho } from '../../contract/blocks.ts'
import { AGE, CURRENT, LOWNESS_OF_YEAR, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, country, maximumAge, productParams, qOrUid, retailer } from '../../contract/params.ts'
import { ratio } from '../../contract/round.ts'
import { currentDays } from '../../contract/window.ts'
import { storedContents } from '../../search/contents.ts'
import { isPricedWithin } from '../../search/listings.ts'
import { priceRowOf } from '../listed.ts'
import { defineQuery } from '../query.ts'
import { unitPriceBlock } from '../unit-price.ts'
import {
  alternative,
  alternativesOf,
  bestOf,
  bestPriceRow,
  countProducts,
  isFresh,
  isPlainIn,
  NEAR_PERCENT,
  newestOffers,
  type Offer,
  sortOffers,
  summaryOf,
} from './offers.ts'

/**
 * Where a product is cheapest now.
 *
 * @example
 * const { best_price, prices } = await engine.ask(bestPrice, { q: 'coffee', limit: 3 })
 * console.log(best_price.retailer, best_price.price, `${prices.length} prices`)
 */
export const bestPrice = defineQuery({
  group: 'shopper',
  name: 'best-price',
  summary: "The cheapest offer of a product and the other retailers' prices",
  definition: {
    population:
      `${CURRENT}In scope are all listings of the physical product that fits q best (match_type entity) and, unless ` +
      'strict, those that are likely it (is_likely, but not for an entity_uid, which asks for that product alone) and ' +
      'other listings that q means (both match_type title), of the 300 that the search ranks first. Every word of q ' +
      'counts: each must be in the title or brand of a listing or in the name of its shelf; of its last words only ' +
      'adjectives, measures, years and the volume of a bottle are dropped, and named in dropped_terms. Title listings that have the words but are another kind ' +
      'of product, or of another size where q names one, are no part of prices, retailer_count and price_summary, and ' +
      'counted in left_out.',
    formula:
      'Meant are the listings whose head noun is that of q: the last noun of the phrase that names a product (in Spanish ' +
      'and French the first), before with, for and the like; without those that an earlier noun makes another kind ' +
      '(butter, not peanut butter) where a tenth are without. Without any, those that q leads as a brand or line; a shelf ' +
      'that is named as q is meant, too. A size in q is compared with that of the title, else of the feed, within 2 %. A ' +
      'word that no listing has is corrected by one letter, two from eight letters on, never the first. match_confidence of ' +
      "title is the mean of two shares: of the weight of q's words, by place in the name (leading phrase and brand 1, " +
      'elsewhere 0.5, after with or for 0.25), in that of all words of q, and in that of the words of both. A word weighs ' +
      'ln(1 + listings / listings with it). At most 0.99. Of is_likely it is a ' +
      'probability: the lesser one of the surest match of the listing and of the product in their likely product, which a ' +
      'refresh finds by the titles, models, sizes, brands and prices of listings of different retailers. Listings in ' +
      'stock come first, then the tenth and more whose titles say least besides q and the other offers of these products in the same size, then the cheapest by sort, ties by product_uid. best_price is the one observed last of ' +
      `those, in stock and as plain as the first and in the same unit, whose price by sort is at most ${NEAR_PERCENT} % above that of the first; ` +
      'of equally fresh ones the first. fresh_best_price is found likewise among those observed at most 3 days (259,200 ' +
      `seconds) before meta.computed_at. ${AGE}` +
      'product_uid, entity_uid, product_name, brand and gpc are those of best_price, or of the listing whose ' +
      'product_uid was sent. products_matched counts the products that q matches and that have a current price, also ' +
      'those left out: listings of one entity_uid, unless strict of one likely product, count once, a listing without ' +
      'one is a product of its own. ' +
      'retailer_count and price_summary describe all listings compared, whatever the limit; spread_pct is how far the ' +
      'highest price is above the lowest. unit_price is price / contents by size (6 x 355 ml, 2 lb, 12 ct); ' +
      `ounces without fl weigh; an amount before the packs, in each of them or of a drink below 800 ml is that of one (16 oz, 8 pack), another that of all (8 pack, 450 g). sort=unit_price compares the unit that most listings have first. ${LOWNESS_OF_YEAR.trim()}`,
    null_rule:
      'A listing without a list price has no discount, one without a size no unit price. NO_RESULTS, free of charge, for ' +
      'a q that means nothing here, with unknown_words (those that nothing has) and nearest (what there is without some ' +
      'words, or of other kinds with all), and for a product without a current price; it names the newest one and the days that would include it.',
    sources: [sources.prices],
  },
  params: z
    .object({
      ...productParams,
      category: category.optional(),
      country,
      retailer: retailer.optional(),
      limit: z
        .int()
        .min(1)
        .max(50)
        .default(10)
        .meta({ description: 'Maximum number of prices to list.', unit: 'count' }),
      strict: z.boolean().default(false).describe('Only listings verified to be the same product.'),
      sort: field.choice(['price', 'unit_price'], 'Cheapest by price or by unit_price.').default('price'),
      days: maximumAge(14),
    })
    .superRefine(qOrUid),
  answer: z
    .object({
      ...productEcho,
      product_uid: field.key('Id of the listing of best_price, or the product_uid that was sent.'),
      product_name: field.text('Title of that listing; null where the feed has none.').nullable(),
      ambiguous: field.flag(
        'Whether the text matches more than one product: another may have been meant. False for a uid.',
      ),
      products_matched: field.count(
        'Products with a current price that the text matches; listings of one entity_uid are one product, and without' +
          ' strict those that are likely the same.',
      ),
      likely_count: field.count(
        'Listings compared that are likely the same product as those of match_type entity: is_likely in prices. 0 with strict.',
      ),
      left_out: field.count(
        'Listings with a current price that the text matches, of another kind or size than was meant.',
      ),
      best_price: headline(bestPriceRow.describe('The listing to buy: the freshest of the cheapest.')),
      best_price_observed_at: field.time('When its price was observed.'),
      best_price_age_days: field.age('Whole days from then to meta.computed_at.'),
      fresh_best_price: bestPriceRow
        .nullable()
        .describe('The same among prices that are at most 3 days old; null where none is.'),
      prices: field.list(
        bestPriceRow,
        'Listings in stock first, then those that say least besides q, then the cheapest by sort.',
      ),
      alternatives: field.list(
        alternative,
        'Other products that the text may mean, one of each kind left out, the likeliest first; at most 5.',
      ),
      retailer_count: field.count('Retailers of all listings.'),
      price_summary: z
        .object({
          min: field.money('Lowest price.'),
          max: field.money('Highest price.'),
          avg: field.money('Mean price.'),
          median: field.money('Median price: half of the listings are cheaper.'),
          spread_pct: field.percent('How far the highest price is above the lowest.'),
        })
        .describe('Figures of all listings, whatever the limit.'),
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'BestPrice', description: 'The cheapest offer of a product and the others.' }),

  async resolve({ limit, strict, sort, days, ...lookup }, catalog) {
    const { since, before } = currentDays(catalog.as_of, days)
    const { listings, namesakes, context } = await resolveProduct(
      // An entity_uid asks for that entity alone.
      { ...lookup, likely: !strict && (lookup.product_uid !== undefined || lookup.entity_uid === undefined) },
      catalog,
      undefined,
      isPricedWithin(since, before),
    )
    const members = listings.filter(isOfEntity)
    const intended = listings.filter(({ is_intended }) => is_intended)
    const offering = strict ? members : intended
    const matched = [...listings, ...namesakes]
    const { listing } = await catalog.search(lookup.country)
    const newest_observed_at = newestOfListings(
      offering.map(({ number }) => listing(number)),
      catalog,
    )
    requireObserved({ ...context, since, newest_observed_at }, catalog)
    return {
      bindings: {
        country: lookup.country,
        listing_ids: matched.map(({ listing_id }) => listing_id).join(),
        listing_numbers: matched.map(({ number }) => number).join(),
        ...boundsOf(matched),
        ...ANY_TYPE,
        since,
        before,
      },
      context: {
        ...context,
        newest_observed_at,
        limit,
        sort,
        strict,
        is_pinned: lookup.product_uid !== undefined,
        of_entity: members.map(({ listing_id }) => listing_id),
        likely: listings.flatMap(({ listing_id, is_likely }) => (is_likely ? [listing_id] : [])),
        /** Named as asked and nothing else. */
        plain: listings.flatMap(({ listing_id, is_plain }) => (is_plain ? [listing_id] : [])),
        /** Of the listings that matched by title. */
        confidence: listings
          .slice(members.length)
          .map(({ listing_id, match_confidence }) => [listing_id, ratio(match_confidence)] as const),
        /** Matched by title only, if `strict` compares only verified listings. */
        unverified: strict ? intended.slice(members.length).map(({ listing_id }) => listing_id) : [],
        /** Matched, but of another kind, size or product. */
        left_out: matched.flatMap(({ listing_id, kind, is_intended }) => (is_intended ? [] : [{ listing_id, kind }])),
        since,
        before,
      },
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { offers: newestOffers },

  toAnswer({ offers: rows }, context, catalog) {
    const money = moneyIn(context.product.country, catalog)
    const { limit, sort, strict, is_pinned, of_entity, unverified, left_out, product, type } = context
    const likely = new Set(context.likely)
    const confidence = new Map(context.confidence)
    const isLeftOut = new Set([...unverified, ...left_out.map(({ listing_id }) => listing_id)])
    const intended = rows.filter(({ listing_id }) => !isLeftOut.has(listing_id))
    const plain = new Set(context.plain)
    const isPlain = isPlainIn(
      intended.filter(({ listing_id }) => plain.has(listing_id)),
      !strict,
    )
    const offers = sortOffers(intended, sort, isPlain)
    const isCompared = new Set([...unverified, ...offers.map(({ listing_id }) => listing_id)])
    const others = rows.filter(({ listing_id }) => !isCompared.has(listing_id))
    const best = bestOf(offers, sort, isPlain)
    if (!best) throw neverObserved(context)
    const { product_uid, entity_uid, product_name, brand } = is_pinned ? product : best
    const minor_units = minorUnits(context.product.country, catalog)
    const rowOf = (offer: Offer): z.output<typeof bestPriceRow> => ({
      ...priceRowOf(offer, context, catalog.platforms, money),
      match_type: of_entity.includes(offer.listing_id) ? 'entity' : 'title',
      match_confidence: confidence.get(offer.listing_id) ?? 1,
      is_likely: likely.has(offer.listing_id),
      unit_price: unitPriceBlock(offer.price, storedContents(offer), minor_units),
    })
    const best_price = rowOf(best)
    const fresh = bestOf(
      offers.filter((offer) => isFresh(offer, context.as_of)),
      sort,
      isPlain,
    )
    const observed = offers.map(({ observed_at }) => observed_at)
    const products_matched = countProducts(rows, !strict)
    return {
      ...product,
      product_uid,
      entity_uid,
      product_name,
      brand,
      ambiguous: products_matched > 1,
      products_matched,
      likely_count: offers.filter(({ listing_id }) => likely.has(listing_id)).length,
      left_out: others.length,
      best_price,
      best_price_observed_at: best_price.observed_at,
      best_price_age_days: best_price.age_days,
      fresh_best_price: fresh ? rowOf(fresh) : null,
      prices: offers.slice(0, limit).map(rowOf),
      alternatives: alternativesOf(others, left_out, catalog.platforms, money),
      retailer_count: new Set(offers.map(({ retailer_id }) => retailer_id)).size,
      price_summary: summaryOf(offers, money),
      gpc: gpcOf(is_pinned ? type : best, catalog),
      meta: metaBlock(context, { min: Math.min(...observed), max: Math.max(...observed) }),
    }
  },
})
