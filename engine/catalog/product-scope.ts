import { EngineError } from '../errors.ts'
import type { WindowParams } from '../params.ts'
import type { Catalog } from './catalog.ts'
import { findProduct, type Product, type ProductQuestion } from './product.ts'
import { type Country, currencies, eligibleRetailer, sourceOf } from './scope.ts'
import { currentDays, type Granularity, resolveWindow } from './window.ts'

type Listing = Product['listings'][number]

/** The bounds of listings, as bindings by which row groups without any of them are left unread. */
export const boundsOf = (listings: readonly Listing[]) => {
  const ids = listings.map(({ listing_id }) => listing_id)
  const categories = listings.map(({ category_id }) => category_id)
  return {
    first: Math.min(...categories),
    last: Math.max(...categories),
    first_listing: Math.min(...ids),
    last_listing: Math.max(...ids),
  }
}

export const isOfEntity = ({ match_type }: Listing): boolean => match_type === 'entity'

/**
 * Resolves a question about one product: first whether its retailer can serve, then which product is meant. Throws
 * RETAILER_NOT_SERVING_ELIGIBLE and NO_RESULTS, the latter with the closest matches.
 */
export const resolveProduct = async (question: ProductQuestion, catalog: Catalog) => {
  const { country, retailer } = question
  if (retailer !== undefined) eligibleRetailer(retailer, country, undefined, catalog)
  const { listings, type, query, dropped_terms, ...named } = await findProduct(question, catalog)
  return {
    listings,
    context: {
      /** What every answer repeats of the product. */
      product: { query, dropped_terms, country, currency: currencies[country], ...named },
      type,
      retailer: retailer ?? null,
      ...sourceOf(catalog),
    },
  }
}

type Asked = Awaited<ReturnType<typeof resolveProduct>>['context']

/** The refusal of a question about a product that was not observed in time. */
export const neverObserved = (
  { product, retailer }: Pick<Asked, 'product' | 'retailer'>,
  when: string,
): EngineError => {
  const { product_uid, entity_uid, product_name, country } = product
  const where = `country ${country}${retailer ? `, retailer ${retailer}` : ''}`
  return new EngineError(
    'NO_RESULTS',
    `No price of "${product_name ?? product_uid}" was observed in ${where} ${when}.`,
    {
      product_uid,
      entity_uid,
      product_name,
      country,
      retailer,
    },
  )
}

/** Those of the members that are in the best one's condition, as a binding: a used price is no drop of a new one. */
const memberBinding = async (members: readonly Listing[], country: Country, catalog: Catalog): Promise<string> => {
  const { known } = await catalog.search(country)
  const all = members.map(({ number }) => known(number))
  const alike = all.filter(({ condition }) => condition === all[0]?.condition)
  return JSON.stringify(
    alike.map(({ listing_id, product_uid, retailer_id, condition }) => ({
      listing_id,
      product_uid,
      platform: catalog.platforms.get(retailer_id),
      condition,
    })),
  )
}

/**
 * Whose prices make a product's history. A listing named by its uid stands alone; otherwise the listings of its entity,
 * where it has several.
 */
const historyScope = ({ product_uid }: ProductQuestion, listings: readonly Listing[]) => {
  const members = listings.filter(isOfEntity)
  return product_uid === undefined && members.length > 1
    ? { scope: 'entity' as const, members }
    : { scope: 'listing' as const, members: listings.slice(0, 1) }
}

/** A current price is at most this many days old. */
const CURRENT_DAYS = 90

const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a > b ? a : b)

/**
 * Resolves a question about the prices of one product in a window, beside its current price: the months to be read are
 * those of both. Refuses as `resolveProduct` and `resolveWindow` do.
 */
export const resolveHistory = async (
  question: ProductQuestion & WindowParams,
  granularity: Granularity,
  catalog: Catalog,
) => {
  const { window, periods } = resolveWindow(question, granularity, catalog.as_of)
  const { listings, context } = await resolveProduct(question, catalog)
  const { scope, members } = historyScope(question, listings)
  const { since, before } = currentDays(catalog.as_of, CURRENT_DAYS)
  const { from, to, month_from, month_to } = periods
  return {
    bindings: {
      country: question.country,
      members: await memberBinding(members, question.country, catalog),
      ...boundsOf(members),
      from,
      to,
      since,
      before,
      month_from: earlier(month_from, since.slice(0, 7)),
      month_to: later(month_to, before.slice(0, 7)),
    },
    context: { ...context, scope, window, periods },
  }
}
