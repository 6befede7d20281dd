import { dateTimeOf, daysOf, daysWithout, type NewestObserved, type QueriedDays } from '../answer.ts'
import { EngineError } from '../errors.ts'
import type { WindowParams } from '../params.ts'
import type { Member } from '../statistics/product-days.ts'
import type { Catalog } from './catalog.ts'
import { eligibleRetailer } from './eligibility.ts'
import type { Listing } from './listings.ts'
import { findProduct, type ProductListing, type ProductQuestion, type Shelves, type Wanted } from './product.ts'
import { type Country, currencies, resolveScope, sourceOf } from './scope.ts'
import { currentDays, type Granularity, resolveWindow } from './window.ts'

/** The bounds of listings, as bindings by which row groups without any of them are left unread. */
export const boundsOf = (listings: readonly ProductListing[]) => {
  const ids = listings.map(({ listing_id }) => listing_id)
  const categories = listings.map(({ category_id }) => category_id)
  return {
    first: Math.min(...categories),
    last: Math.max(...categories),
    first_listing: Math.min(...ids),
    last_listing: Math.max(...ids),
  }
}

export const isOfEntity = ({ match_type }: ProductListing): boolean => match_type === 'entity'

type ProductParams = ProductQuestion & { category?: string | undefined }

/** Where a product is looked for, once its retailer is known to serve there. */
const shelvesOf = (
  { category, country, retailer }: ProductParams,
  catalog: Catalog,
  judged_before?: string,
): Shelves | undefined => {
  if (category === undefined) {
    eligibleRetailer(retailer, { country }, { judged_before }, catalog)
    return undefined
  }
  const { bindings, echo } = resolveScope({ category, country, retailer }, catalog, judged_before)
  const { first, last, gpc_first, gpc_last } = bindings
  return { name: echo.category ?? category, first, last, gpc_first, gpc_last }
}

/**
 * Resolves a question about one product: first its category, then whether its retailer can serve, as of now unless `judged_before` says
 * otherwise, then which product is meant. Throws RETAILER_NOT_SERVING_ELIGIBLE and NO_RESULTS, the latter with the closest
 * matches.
 */
export const resolveProduct = (
  question: ProductParams,
  catalog: Catalog,
  judged_before?: string,
  isWanted?: Wanted,
) => {
  const { country, retailer } = question
  const within = shelvesOf(question, catalog, judged_before)
  const { listings, namesakes, type, query, dropped_terms, ...named } = findProduct(
    { ...question, within },
    catalog,
    isWanted,
  )
  return {
    listings,
    namesakes,
    context: {
      /** What every answer repeats of the product. */
      product: { query, dropped_terms, country, currency: currencies[country], ...named },
      type,
      retailer: retailer ?? null,
      ...sourceOf(catalog),
    },
  }
}

const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a > b ? a : b)

type ProductContext = ReturnType<typeof resolveProduct>['context']

type QueriedProduct = Pick<ProductContext, 'product' | 'retailer'> & QueriedDays

/** The refusal of a question about a product that was not observed on its days. */
export const neverObserved = (queried: QueriedProduct & NewestObserved): EngineError => {
  const { product, retailer, newest_observed_at } = queried
  const { product_uid, entity_uid, product_name, country } = product
  const where = `country ${country}${retailer ? `, retailer ${retailer}` : ''}`
  return new EngineError(
    'NO_RESULTS',
    `No price of "${product_name ?? product_uid}" was observed in ${where} ${daysWithout(queried)}`,
    {
      product_uid,
      entity_uid,
      product_name,
      country,
      retailer,
      ...daysOf(queried),
      newest_observed_at,
    },
  )
}

/**
 * When listings were last observed before as_of, RFC 3339; null where none was. At a moment before the newest observation,
 * of a listing that was observed later too only the first day is known.
 */
export const newestOfListings = (listings: readonly Listing[], { as_of }: Catalog): string | null => {
  const { before } = currentDays(as_of, 0)
  const times = listings.flatMap(({ first_day, last_day, observed_at }) => {
    if (first_day === null || last_day === null || first_day >= before) return []
    return last_day < before ? observed_at : Date.parse(first_day) / 1000
  })
  return times.length === 0 ? null : dateTimeOf(Math.max(...times))
}

/**
 * Refuses a question about a product that was last observed before its days: NO_RESULTS, before anything is charged. At
 * a moment before the newest observation too little is known to refuse it here.
 */
export const requireObserved = (queried: QueriedProduct & NewestObserved, { is_latest }: Catalog): void => {
  const { window, since = '', newest_observed_at } = queried
  const first_day = later(window?.from ?? '', since)
  if (newest_observed_at === null || (is_latest && newest_observed_at < first_day)) throw neverObserved(queried)
}

/** Those of the members that are in the best one's condition: a used price is no drop of a new one. */
const alikeMembers = (members: readonly ProductListing[], country: Country, catalog: Catalog) => {
  const { listing } = catalog.search(country)
  const all = members.map(({ number }) => listing(number))
  return all.filter(({ condition }) => condition === all[0]?.condition)
}

const membersOf = (listings: readonly Listing[], { platforms }: Catalog): Member[] =>
  listings.map(({ listing_id, product_uid, retailer_id, condition }) => ({
    listing_id,
    product_uid,
    platform: platforms.get(retailer_id)!,
    condition,
  }))

/**
 * Whose prices make a product's history. A listing named by its uid stands alone; otherwise the listings of its entity,
 * where it has several.
 */
const historyScope = ({ product_uid }: ProductQuestion, listings: readonly ProductListing[]) => {
  const members = listings.filter(isOfEntity)
  return product_uid === undefined && members.length > 1
    ? { scope: 'entity' as const, members }
    : { scope: 'listing' as const, members: listings.slice(0, 1) }
}

/** A current price is at most this many days old. */
const CURRENT_DAYS = 90

/**
 * Resolves a question about the prices of one product in a window, beside its current price: the months to be read are
 * those of both. Refuses as `resolveProduct` and `resolveWindow` do, and a product last observed before the window or, where
 * `is_current` asks for a current price, before the days of one.
 */
export const resolveHistory = (
  question: ProductParams & WindowParams,
  granularity: Granularity,
  catalog: Catalog,
  is_current = false,
) => {
  const { window, periods, judged_before } = resolveWindow(question, granularity, catalog.as_of)
  const { listings, context } = resolveProduct(question, catalog, judged_before)
  const { scope, members } = historyScope(question, listings)
  const alike = alikeMembers(members, question.country, catalog)
  const { since, before } = currentDays(catalog.as_of, CURRENT_DAYS)
  const newest_observed_at = newestOfListings(alike, catalog)
  const queried = { ...context, window, ...(is_current ? { since } : {}), newest_observed_at }
  requireObserved(queried, catalog)
  const { from, to, month_from, month_to } = periods
  return {
    bindings: {
      country: question.country,
      listing_ids: alike.map(({ listing_id }) => listing_id).join(','),
      ...boundsOf(members),
      from,
      to,
      since,
      before,
      month_from: earlier(month_from, since.slice(0, 7)),
      month_to: later(month_to, before.slice(0, 7)),
    },
    context: { ...queried, scope, periods, members: membersOf(alike, catalog) },
  }
}
