import { sourceOf } from '../contract/as-of.ts'
import { EngineError, type NewestObserved } from '../contract/errors.ts'
import type { WindowParams } from '../contract/params.ts'
import { ratio } from '../contract/round.ts'
import {
  currentDays,
  type Granularity,
  postedDays,
  postedFrom,
  resolveWindow,
  type Window,
} from '../contract/window.ts'
import type { StoredSize } from '../search/contents.ts'
import { isPricedWithin, type Listing } from '../search/listings.ts'
import { type DatedDays, dateTimeOf, daysOf, daysWithout, type QueriedDays } from './answer.ts'
import type { Catalog } from './catalog.ts'
import { currencyOf } from './countries.ts'
import { eligibleRetailer } from './eligibility.ts'
import { findProduct, type ProductListing, type ProductLookup, type Shelves } from './product.ts'
import { requireClear, resolvedProductOf } from './product-choice.ts'
import { resolveScope } from './scope.ts'
import type { ListingPredicate } from './text-search.ts'

/** A listing of a product, with the columns that its days lack. */
export type Member = StoredSize & {
  listing_id: number
  product_uid: string
  product_name: string | null
  platform: string
  condition: string
  /** When it was first observed, YYYY-MM-DD. */
  first_day: string | null
  match_type: ProductListing['match_type']
  /** How sure it is that it is the product: 1 for its own listings. */
  match_confidence: number
}

/** The bounds of listings, as bindings that let DuckDB skip row groups without any of them. */
export const boundsOf = (listings: readonly Pick<ProductListing, 'listing_id' | 'category_id'>[]) => {
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

type ProductParams = ProductLookup & { category?: string | undefined }

/** The shelves to search for a product, after checking that its retailer serves there. */
const shelvesOf = async (
  { category, country, retailer }: ProductParams,
  catalog: Catalog,
  judged_before?: string,
): Promise<Shelves | undefined> => {
  if (category === undefined) {
    await eligibleRetailer(retailer, { country }, { judged_before }, catalog)
    return undefined
  }
  const { bindings, echo } = await resolveScope({ category, country, retailer }, catalog, judged_before)
  const { first, last, gpc_first, gpc_last } = bindings
  return { name: echo.category ?? category, first, last, gpc_first, gpc_last }
}

/**
 * Resolves the params of a query about one product: its category, then whether its retailer serves (before the day of
 * as_of or `judged_before`), then the product. Throws RETAILER_NOT_SERVING_ELIGIBLE and NO_RESULTS, the latter with the
 * closest matches.
 */
export const resolveProduct = async (
  params: ProductParams,
  catalog: Catalog,
  judged_before?: string,
  isWanted?: ListingPredicate,
) => {
  const { country, retailer } = params
  const within = await shelvesOf(params, catalog, judged_before)
  const match = await findProduct({ ...params, within }, catalog, isWanted)
  const { listings, namesakes, type, query, dropped_terms, match_confidence, products, is_clear, ...names } = match
  return {
    listings,
    namesakes,
    /** Throws INVALID_PARAMS if several products match and none is clearly meant. */
    requireClear: (sent: { parameter: string; text?: string } = { parameter: 'q' }) =>
      requireClear(match, country, catalog, sent),
    context: {
      resolved_product: await resolvedProductOf(match, params, catalog),
      /** The fields of the product that every answer has. */
      product: { query, dropped_terms, country, currency: currencyOf(country, catalog), ...names },
      type,
      retailer: retailer ?? null,
    },
  }
}

const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a > b ? a : b)

type ProductContext = Awaited<ReturnType<typeof resolveProduct>>['context']

type QueriedProduct = Pick<ProductContext, 'product' | 'retailer'> & QueriedDays

/** The refusal for a product without observations in the queried days. */
export const neverObserved = (queried: QueriedProduct & DatedDays): EngineError => {
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
 * When listings were last observed before as_of, RFC 3339; null if never. At a moment before the newest observation, a
 * listing that was observed later, too, counts with its first day.
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
 * Throws NO_RESULTS for a product that was last observed before the queried days, before anything is charged. At a moment
 * before the newest observation memory has too little data to refuse it here.
 */
export const requireObserved = (queried: QueriedProduct & NewestObserved, catalog: Catalog): void => {
  const { window, since = '', newest_observed_at } = queried
  const first_day = later(window?.from ?? '', since)
  if (newest_observed_at === null || (catalog.is_latest && newest_observed_at < first_day))
    throw neverObserved({ ...queried, ...sourceOf(catalog) })
}

/** The members in the condition of the best one: the price of a used article is no price drop of a new one. */
const alikeMembers = async (members: readonly ProductListing[], country: string, catalog: Catalog) => {
  const { listing } = await catalog.search(country)
  const all = members.map(({ number, match_type, match_confidence }) => ({
    ...listing(number),
    match_type,
    match_confidence: ratio(match_confidence),
  }))
  return all.filter(({ condition }) => condition === all[0]?.condition)
}

const membersOf = (alike: Awaited<ReturnType<typeof alikeMembers>>, { platforms }: Catalog): Member[] =>
  alike.map(({ listing_id, product_uid, product_name, retailer_id, condition, first_day, ...others }) => {
    const { match_type, match_confidence, size_milli, size_unit, pack_count } = others
    return {
      listing_id,
      product_uid,
      product_name,
      platform: platforms.get(retailer_id)!,
      condition,
      first_day,
      match_type,
      match_confidence,
      size_milli,
      size_unit,
      pack_count,
    }
  })

/**
 * The listings whose prices are a product's history: the listing alone if product_uid is sent, else the listings of its
 * entity if there are several; if wanted, both with those that are likely the same.
 */
const historyScope = ({ product_uid, likely = false }: ProductLookup, listings: readonly ProductListing[]) => {
  const joined = listings.filter(({ is_likely }) => is_likely)
  const members = listings.filter(isOfEntity)
  if (joined.length > 0) return { scope: 'likely' as const, members: [...members, ...joined] }
  return members.length > 1 && (product_uid === undefined || likely)
    ? { scope: 'entity' as const, members }
    : { scope: 'listing' as const, members: listings.slice(0, 1) }
}

/**
 * Resolves the params of a query about the valid prices of one product in a window and now; the days to read are those
 * of their observations. Throws as `resolveProduct` and `resolveWindow` do, INVALID_PARAMS for a text that matches several
 * products, and NO_RESULTS for a product whose newest price stood before the window or, if `is_current`, before now.
 */
export const resolveHistory = async (
  params: ProductParams & WindowParams,
  granularity: Granularity,
  catalog: Catalog,
  is_current = false,
) => {
  const { window, periods, judged_before } = resolveWindow(params, granularity, catalog.as_of)
  const { from, to, month_to } = periods
  const seen_from = postedFrom(from)
  const { since, before } = postedDays(catalog.as_of)
  const isWanted = isPricedWithin(seen_from, later(to, before))
  const { listings, requireClear, context } = await resolveProduct(params, catalog, judged_before, isWanted)
  await requireClear()
  const { scope, members } = historyScope(params, listings)
  const alike = await alikeMembers(members, params.country, catalog)
  const newest_observed_at = newestOfListings(alike, catalog)
  // The days that a refusal names are those on which an observation would have been enough.
  const queried = {
    ...context,
    window: { ...window, from: seen_from },
    ...(is_current ? { since } : {}),
    newest_observed_at,
  }
  requireObserved(queried, catalog)
  return {
    bindings: {
      country: params.country,
      listing_ids: alike.map(({ listing_id }) => listing_id).join(','),
      ...boundsOf(members),
      seen_from,
      to,
      since,
      before,
      month_from: earlier(seen_from, since).slice(0, 7),
      month_to: later(month_to, before.slice(0, 7)),
    },
    context: { ...queried, window, seen_from, before, scope, periods, members: membersOf(alike, catalog) },
  }
}

/** The refusal of a product without a valid price in the window. */
export const neverPosted = (context: QueriedProduct & DatedDays & { window: Window; seen_from: string }): EngineError =>
  neverObserved({ ...context, window: { ...context.window, from: context.seen_from } })
