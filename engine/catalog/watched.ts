import { sourceOf } from '../contract/as-of.ts'
import { addDays, dayOf } from '../contract/days.ts'
import { invalidParam } from '../contract/errors.ts'
import { currentDays, resolveWindow, STANDS_DAYS } from '../contract/window.ts'
import { nothingObserved, withNewestObserved } from './answer.ts'
import type { Catalog } from './catalog.ts'
import { boundsOf, isOfEntity, newestOfListings, resolveProduct } from './product-scope.ts'
import { ANY_TYPE, resolveOptionalScope } from './scope.ts'

export const MAX_UIDS = 100
/** How far back changes are listed, in days; also what is listed without a cursor. */
export const MAX_SINCE_DAYS = 90
export const USUAL_SINCE_DAYS = 30
/** A change that is taken back within so many days is flapping. */
export const FLAPPING_DAYS = 3

/** Where the next request goes on: a day and, within one snapshot, how many of its changes were listed. */
type Cursor = { snapshot_id: string | null; since: string; offset: number }

const CURSOR = /^(?:(\d{6,}-[0-9a-f]{8})_)?(\d{4}-\d\d-\d\d)(?:_(\d{1,9}))?$/

export const cursorText = ({ snapshot_id, since, offset }: Cursor): string =>
  [snapshot_id, since, ...(offset > 0 ? [offset] : [])].join('_')

const parseCursor = (text: string): Cursor => {
  const [, snapshot_id, since = '', offset] = CURSOR.exec(text) ?? []
  if (Number.isNaN(Date.parse(since)) || dayOf(Date.parse(since)) !== since || (offset && !snapshot_id))
    throw invalidParam('since', `expected next_since of an answer or a UTC day, YYYY-MM-DD, got "${text}"`)
  return { snapshot_id: snapshot_id ?? null, since, offset: Number(offset ?? 0) }
}

/**
 * The first day whose changes are listed, and how many of them to skip. A page of another snapshot starts anew: changes may
 * repeat, and none is lost.
 */
const positionOf = (sent: string | undefined, { as_of, snapshot_id }: Catalog) => {
  const { since: earliest, before } = currentDays(as_of, MAX_SINCE_DAYS)
  if (sent === undefined) return { since: currentDays(as_of, USUAL_SINCE_DAYS).since, offset: 0 }
  const cursor = parseCursor(sent)
  const { since } = cursor
  if (since < earliest || since >= before) {
    const range = `send a day from ${earliest} to ${addDays(before, -1)}`
    throw invalidParam(
      'since',
      `${since} is ${since < earliest ? `over ${MAX_SINCE_DAYS} days ago` : 'in the future'}; ${range}`,
    )
  }
  return { since, offset: cursor.snapshot_id === snapshot_id ? cursor.offset : 0 }
}

const parseUids = (text: string): string[] => {
  const uids = [...new Set(text.split(',').map((uid) => uid.trim()))].filter(Boolean)
  if (uids.length === 0 || uids.length > MAX_UIDS)
    throw invalidParam('uids', `has ${uids.length} ids; send 1 to ${MAX_UIDS}, separated by commas`)
  const unexpected = uids.find((uid) => !/^[ep]_/.test(uid))
  if (unexpected !== undefined)
    throw invalidParam('uids', `"${unexpected}" is neither a product_uid (p_...) nor an entity_uid (e_...)`)
  return uids
}

/** The listings that ids name: of a product_uid that listing, of an entity_uid all of the product. */
const listingsOf = async (
  uids: readonly string[],
  of: { country: string; retailer?: string | undefined },
  catalog: Catalog,
) => {
  const watched = []
  for (const uid of uids) {
    const isListing = uid.startsWith('p_')
    const { listings } = await resolveProduct({ ...of, [isListing ? 'product_uid' : 'entity_uid']: uid }, catalog)
    watched.push(...(isListing ? listings.slice(0, 1) : listings.filter(isOfEntity)))
  }
  return [...new Map(watched.map((listing) => [listing.listing_id, listing])).values()]
}

type WatchedParams = {
  uids?: string | undefined
  category?: string | undefined
  department?: string | undefined
  country: string
  retailer?: string | undefined
  since?: string | undefined
}

/**
 * Resolves a query about the changes of listings, of the listings of entities or of a scope since a day or the cursor of an
 * answer. Throws INVALID_PARAMS, RETAILER_NOT_SERVING_ELIGIBLE, and NO_RESULTS for an unknown id and where nothing was observed since.
 */
export const resolveWatched = async ({ uids, since: sent, ...params }: WatchedParams, catalog: Catalog) => {
  const { since, offset } = positionOf(sent, catalog)
  const ids = uids === undefined ? null : parseUids(uids)
  const { window, periods, judged_before } = resolveWindow({ from: since }, 'daily', catalog.as_of)
  const { echo, resolved, bindings } = await resolveOptionalScope(params, catalog, judged_before)
  const from = addDays(since, -(STANDS_DAYS + FLAPPING_DAYS))
  const days = {
    from,
    to: periods.to,
    month_from: from.slice(0, 7),
    month_to: periods.month_to,
    changed_from: since,
    max_gap_days: STANDS_DAYS,
    flapping_days: FLAPPING_DAYS,
  }
  const queried = { echo, resolved, window, since_day: since, offset }
  if (ids === null) {
    const context = await withNewestObserved(queried, bindings, catalog)
    return { bindings: { ...bindings, brand_id: null, listing_ids: null, ...days }, context }
  }
  const watched = await listingsOf(ids, params, catalog)
  const { listing } = await catalog.search(params.country)
  const newest_observed_at = newestOfListings(
    watched.map(({ number }) => listing(number)),
    catalog,
  )
  const context = { ...queried, newest_observed_at }
  if (newest_observed_at === null || (catalog.is_latest && newest_observed_at < since))
    throw nothingObserved({ ...context, ...sourceOf(catalog) })
  const { first, last } = boundsOf(watched)
  const listing_ids = watched.map(({ listing_id }) => listing_id).join(',')
  return { bindings: { ...bindings, first, last, ...ANY_TYPE, brand_id: null, listing_ids, ...days }, context }
}
