import { z } from 'zod'
import { type DatedDays, daysOf, daysWithout, isObserved, metaBlock } from '../../catalog/answer.ts'
import { COMPARABLE_SIZE, MAX_ITEMS, resolveBasket } from '../../catalog/basket.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { boundsOf, newestOfListings } from '../../catalog/product-scope.ts'
import { ANY_TYPE } from '../../catalog/scope.ts'
import { sourceOf } from '../../contract/as-of.ts'
import { meta, scopeEcho } from '../../contract/blocks.ts'
import { CURRENT, ONE_PRODUCT, sources } from '../../contract/definition.ts'
import { EngineError } from '../../contract/errors.ts'
import { beside, field, headline } from '../../contract/field.ts'
import { country, maximumAge } from '../../contract/params.ts'
import { orNull, ratio } from '../../contract/round.ts'
import { storedContents, unitPriceOf } from '../../search/contents.ts'
import { type BasketItem, costAt, oneShop, twoShops } from '../../statistics/basket.ts'
import { defineQuery } from '../query.ts'
import { newestOffers, type Offer } from './offers.ts'

const MAX_SHOPS = 50

const basketItem = z.object({
  item: field.echo(field.text('The item as it was sent.')),
  quantity: beside(field.count('How many of it.')),
  product_uid: field.key('Id of the listing that fits best.'),
  entity_uid: field.key('Id of the physical product across retailers; null where it is not known.').nullable(),
  product_name: field.text('Title of that listing; null where the feed has none.').nullable(),
  brand: field.text('Brand of the product; null where it is unknown.').nullable(),
  match_confidence: field.confidence('How well the name fits the text; 1 for a uid, a barcode or an id.'),
  retailer_count: field.count('Retailers that have it, or an equivalent, in stock or of unknown stock.'),
  price: field.money('Lowest price of one; null where no retailer has it.').nullable(),
  retailer: field.text('Platform key of the retailer with that price.').nullable(),
  bought_name: field.text('Title of what is bought there, an equivalent maybe.').nullable(),
  is_equivalent: field.flag('Whether that is another product of the same type and a comparable size.'),
})

const shop = z.object({
  retailer: field.text('Platform key of the retailer.'),
  cost: field.money('What it charges for the items that it has.'),
  missing: field.list(z.string(), 'The items that it does not have.'),
  same_items_cheapest: field.money('The same items, each at its cheapest retailer.'),
  cost_index: field.index('cost / same_items_cheapest: 1 is nowhere cheaper.'),
})

const nothingPriced = (queried: DatedDays & { country: string }): EngineError =>
  new EngineError(
    'NO_RESULTS',
    `No price of these products was observed in country ${queried.country} ${daysWithout(queried)}`,
    {
      country: queried.country,
      ...daysOf(queried),
      newest_observed_at: queried.newest_observed_at,
    },
  )

/** The offers of an item that are bought, by retailer: the lowest price, with equivalents the lowest unit price. */
const boughtAt = (offers: readonly Offer[], byUnit: boolean): Map<number, Offer> => {
  const rankedBy = (offer: Offer): number =>
    byUnit ? (unitPriceOf(offer.price, storedContents(offer))?.value ?? Number.POSITIVE_INFINITY) : offer.price
  const bought = new Map<number, Offer>()
  for (const offer of offers) {
    const other = bought.get(offer.retailer_id)
    const difference = other ? rankedBy(offer) - rankedBy(other) || offer.price - other.price : -1
    if (difference < 0) bought.set(offer.retailer_id, offer)
  }
  return bought
}

/**
 * What a basket costs at one shop, at two, and split among all.
 *
 * @example
 * const { split_cost, one_stop } = await engine.ask(basket, { items: 'larkano decaf coffee:2, nimbus laptop' })
 * console.log(split_cost)
 * for (const { retailer, cost, missing } of one_stop) console.log(retailer, cost, missing)
 */
export const basket = defineQuery({
  group: 'shopper',
  name: 'basket',
  summary: 'What a basket costs at one shop, at two, and split among all',
  definition: {
    population:
      `${CURRENT}Of these the listings in stock or of unknown stock of the product that each item means (entity_uid), in its condition. With equivalents ` +
      `also new ones of any brand of its product type whose contents, in the same unit, are ${COMPARABLE_SIZE} times those of the product or more, and at most the reciprocal.`,
    formula:
      'A retailer has one price of an item: its lowest, with equivalents that of its lowest unit price. cost is quantity times price over ' +
      'the items that it has; cost_index compares that with the same items, each at its cheapest retailer, as costs of different items are not compared. ' +
      'split_cost buys each item where it is cheapest. one_stop has most items first, then the lowest cost_index, then the platform key; ' +
      'best_two is the first in that order of all pairs of retailers, which buy each item at the cheaper of them.',
    null_rule:
      `Costs are null where no retailer has any item, best_two below two retailers. ${ONE_PRODUCT.replace('q ', 'an item ')}NO_RESULTS, free of charge, ` +
      'for an item that means nothing here, and where no item has a current price.',
    sources: [sources.prices],
  },
  params: z.object({
    items: z
      .string()
      .min(1)
      .max(10_000)
      .describe(
        `Up to ${MAX_ITEMS} products, separated by commas, each with a colon and a whole quantity (default 1): product_uid, entity_uid, ` +
          'barcode, or a text that means one product.',
      )
      .meta({ examples: ['larkano decaf coffee:2,nimbus laptop'] }),
    country,
    equivalents: z
      .boolean()
      .default(false)
      .describe('Whether other products of the same type and a comparable size may be bought instead.'),
    days: maximumAge(14),
  }),
  answer: z
    .object({
      country: scopeEcho.country,
      currency: scopeEcho.currency,
      equivalents: field.echo(field.flag('Whether equivalents may be bought.')),
      split_cost: headline(field.money('Cost of all items that some retailer has, each at its cheapest.').nullable()),
      unavailable: field.list(z.string(), 'The items that no retailer has.'),
      items: field.titled('Items', field.list(basketItem, 'The items, as they were sent.')),
      one_stop: field.list(shop, `Retailers that have any item, most items first; at most ${MAX_SHOPS}.`),
      best_two: z
        .object({
          retailer: field.text('Platform key of the first retailer.'),
          other_retailer: field.text('Platform key of the second.'),
          cost: field.money('What they charge for the items that either has, each at the cheaper of them.'),
          missing: field.list(z.string(), 'The items that neither has.'),
        })
        .nullable()
        .describe('The best two retailers to buy at; null below two.'),
      meta,
    })
    .meta({ id: 'Basket', description: 'What a basket costs at one shop, at two, and split among all.' }),

  async resolve(params, catalog) {
    const { country, equivalents } = params
    const { basket, since, before, currency } = await resolveBasket(params, catalog)
    const { listing } = await catalog.search(country)
    const listings = basket.flatMap(({ listings }) => listings)
    const newest_observed_at = newestOfListings(
      listings.map(({ number }) => listing(number)),
      catalog,
    )
    const queried = { country, since, newest_observed_at }
    if (newest_observed_at === null || (catalog.is_latest && newest_observed_at < since))
      throw nothingPriced({ ...queried, ...sourceOf(catalog) })
    return {
      bindings: {
        country,
        listing_ids: [...new Set(listings.map(({ listing_id }) => listing_id))].join(),
        listing_numbers: [...new Set(listings.map(({ number }) => number))].join(),
        ...boundsOf(listings),
        ...ANY_TYPE,
        since,
        before,
      },
      context: {
        ...queried,
        currency,
        equivalents,
        basket: basket.map(({ listings, ...item }) => ({
          ...item,
          listings: listings.map(({ listing_id }) => listing_id),
        })),
      },
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { offers: newestOffers },

  toAnswer({ offers }, context, catalog) {
    if (offers.length === 0) throw nothingPriced(context)
    const money = moneyIn(context.country, catalog)
    const nameOf = (id: number): string => catalog.platforms.get(id)!
    const byId = new Map(offers.filter(({ in_stock }) => in_stock !== false).map((offer) => [offer.listing_id, offer]))
    const bought = context.basket.map(({ listings }) =>
      boughtAt(
        listings.flatMap((id) => byId.get(id) ?? []),
        context.equivalents,
      ),
    )
    const basketItems = bought.map(
      (offers, i): BasketItem<string> => ({
        quantity: context.basket[i]!.quantity,
        prices: new Map([...offers].map(([id, { price }]) => [nameOf(id), price])),
      }),
    )
    const shops = [...new Set(basketItems.flatMap(({ prices }) => [...prices.keys()]))].sort()
    const textsOf = (places: readonly number[]): string[] => places.map((place) => context.basket[place]!.item)
    const split = costAt(basketItems, shops)
    const two = twoShops(basketItems, shops)
    const observed = offers.map(({ observed_at }) => observed_at)
    return {
      country: context.country,
      currency: context.currency,
      equivalents: context.equivalents,
      split_cost: shops.length === 0 ? null : money(split.cost),
      unavailable: textsOf(split.missing),
      items: context.basket.map(({ listings: _, own, ...item }, i) => {
        const [cheapest] = [...bought[i]!.values()].sort(
          (a, b) => a.price - b.price || (nameOf(a.retailer_id) < nameOf(b.retailer_id) ? -1 : 1),
        )
        return {
          ...item,
          retailer_count: bought[i]!.size,
          price: orNull(money, cheapest?.price),
          retailer: cheapest ? nameOf(cheapest.retailer_id) : null,
          bought_name: cheapest?.product_name ?? null,
          is_equivalent: cheapest !== undefined && !own.includes(cheapest.listing_id),
        }
      }),
      one_stop: oneShop(basketItems, shops)
        .slice(0, MAX_SHOPS)
        .map(({ shops: [retailer], cost, missing, same_items_cheapest }) => ({
          retailer: retailer!,
          cost: money(cost),
          missing: textsOf(missing),
          same_items_cheapest: money(same_items_cheapest),
          cost_index: ratio(cost / same_items_cheapest),
        })),
      best_two: two && {
        retailer: two.shops[0]!,
        other_retailer: two.shops[1]!,
        cost: money(two.cost),
        missing: textsOf(two.missing),
      },
      meta: metaBlock(context, { min: Math.min(...observed), max: Math.max(...observed) }),
    }
  },
})
