import { EngineError } from '../errors.ts'
import { brandNorm } from './brand.ts'
import { closestBrands } from './brand-scope.ts'
import type { Catalog } from './catalog.ts'
import type { Typed } from './gpc-block.ts'
import type { Listing } from './listings.ts'
import { listingsByCode } from './product-code.ts'
import type { Lexicon } from './query-reading.ts'
import { type Ranked, rankByRelevance } from './relevance.ts'
import type { Country } from './scope.ts'
import { type Accepts, type Found, type Suits, search } from './search.ts'
import { listingsByKey, listingsOf, type SearchIndex } from './search-index.ts'

export type ProductQuestion = {
  q?: string | undefined
  product_uid?: string | undefined
  entity_uid?: string | undefined
  country: Country
  retailer?: string | undefined
  /** Where it is looked for; everywhere by default. */
  within?: Shelves | undefined
}

/** The categories, and the product types, between which a product is looked for; their name for messages. */
export type Shelves = { name: string; first: number; last: number; gpc_first: number | null; gpc_last: number | null }

/** What a question about one product has been resolved to, best listing first, bounded. */
export type Product = {
  /** q as received, else the uid. */
  query: string
  /** The trailing words left out of q because no product has them all; null where none was. */
  dropped_terms: string[] | null
  /** The best listing. */
  product_uid: string
  entity_uid: string | null
  product_name: string | null
  brand: string | null
  /** The best listing's product type. */
  type: Typed
  listings: readonly ProductListing[]
  /** Listings of other products that q, an id or a barcode, names too. */
  namesakes: readonly ProductListing[]
}

export type ProductListing = {
  listing_id: number
  category_id: number
  /** Its number in the search index. */
  number: number
  match_type: 'entity' | 'title'
  /** How sure it is that this is what was meant: 1 for the listings of the entity. */
  match_confidence: number
  /** Whether it is of the kind and the size that was meant. */
  is_meant: boolean
  /** What kind of thing it is, where it is another. */
  kind: string
}

const MOST_LISTINGS = 200
const CLOSEST = 5
const MOST_SHELF_LETTERS = 400
const BRAND_WORDS = 3
const LEAST_BRAND = 3
const NONE = new Int32Array()
const CERTAIN = { match_confidence: 1, is_meant: true, kind: '' }
const NAMESAKE = { match_confidence: 0, is_meant: false }

/** The best listing and those of its entity, then other listings as they fit, and namesakes, by number. */
type Resolved = {
  entity: readonly number[]
  others: readonly Ranked[]
  namesakes: readonly number[]
  dropped_terms: string[] | null
}

/** The brands that the first words of a text may mean. */
const brandsLike = (q: string, catalog: Catalog): string[] => {
  const keys = q.slice(0, 200).trim().split(/\s+/, BRAND_WORDS).map(brandNorm)
  const long = keys.flatMap((key) => (key && key.length >= LEAST_BRAND ? key.slice(0, 64) : []))
  return [...new Set(long.flatMap((key) => closestBrands(key, catalog)))].slice(0, CLOSEST)
}

const notFound = (
  { q, country, retailer = '', within }: ProductQuestion,
  query: string,
  catalog: Catalog,
): EngineError => {
  const categories = q === undefined ? [] : catalog.categories.resolve(q.slice(0, 200)).slice(0, CLOSEST)
  const closest_categories = categories.map(({ node }) => node.path)
  const closest_brands = q === undefined ? [] : brandsLike(q, catalog)
  const hint =
    (closest_categories.length > 0 ? ` Closest categories: ${closest_categories.join(', ')}.` : '') +
    (closest_brands.length > 0 ? ` Closest brands: ${closest_brands.join(', ')}.` : '')
  const asked = query.length > 200 ? `${query.slice(0, 200)}...` : query
  const where = `country ${country}${within ? `, category ${within.name}` : ''}`
  return new EngineError('NO_RESULTS', `No product matches "${asked}" in ${where}.${hint}`, {
    query: asked,
    closest_categories,
    closest_brands,
    newest_observed_at: catalog.newestObserved({
      country,
      retailer_id: catalog.retailers.get(retailer)?.retailer_id ?? null,
    }),
  })
}

const accepted = (listings: Int32Array, accepts: Accepts): number[] =>
  Array.from(accepts ? listings.filter(accepts) : listings)

/** The listings of a listing's entity, itself first where it is accepted. */
const entityOf = (index: SearchIndex, listing: number, accepts: Accepts): number[] => {
  const { entity_uid } = index.listing(listing)
  const members = entity_uid === null ? [] : accepted(listingsByKey(index, entity_uid), accepts)
  return [...new Set(accepts === null || accepts(listing) ? [listing, ...members] : members)]
}

/** Who asks for a laptop wants one from the laptops rather than its charger: the shelves that a text names come first. */
const suitsShelves = ({ listings, places }: SearchIndex, q: string, { categories }: Catalog): Suits => {
  const shelves = categories.within(q.slice(0, MOST_SHELF_LETTERS))
  if (shelves.length === 0) return () => true
  return (listing) => {
    const id = listings.category_id[places.row[listing]!]!
    return shelves.some(({ category_id, category_last }) => id >= category_id && id <= category_last)
  }
}

const resolveCode = (index: SearchIndex, coded: readonly number[], accepts: Accepts): Resolved => {
  const entity = entityOf(index, coded[0]!, accepts)
  return { entity, others: [], namesakes: coded.filter((listing) => !entity.includes(listing)), dropped_terms: null }
}

/** Whether a listing may be the one that is meant, such as for having a current price. */
export type Wanted = (listing: Listing) => boolean

/** What of the listings found may be meant, or all of them where none may. */
const candidatesOf = (index: SearchIndex, { listings, named }: Found, { categories }: Catalog, isWanted: Wanted) => {
  const candidates = listings.map((number, at) => {
    const listing = index.listing(number)
    return { number, listing, shelf: categories.byId(listing.category_id), is_named: at < named }
  })
  const wanted = candidates.filter(({ listing }) => isWanted(listing))
  return wanted.length > 0 ? wanted : candidates
}

const lexiconOf = (index: SearchIndex, q: string, { categories }: Catalog): Lexicon => {
  const shelves = categories.within(q.slice(0, MOST_SHELF_LETTERS))
  return {
    listing_count: index.places.row.length,
    isThing: (word) => index.things.has(word),
    frequency: (word) => listingsOf(index, word).length,
    isNamed: ({ category_id: id }) =>
      shelves.some(({ category_id, category_last }) => id >= category_id && id <= category_last),
  }
}

const resolveText = (index: SearchIndex, q: string, accepts: Accepts, catalog: Catalog, isWanted: Wanted): Resolved => {
  const coded = accepted(listingsByCode(index, q, catalog), accepts)
  if (coded.length > 0) return resolveCode(index, coded, accepts)
  const found = search(index, q, accepts, suitsShelves(index, q, catalog))
  const ranked = rankByRelevance(q, candidatesOf(index, found, catalog, isWanted), lexiconOf(index, q, catalog))
  const [best] = ranked
  const entity = best === undefined ? [] : entityOf(index, best.number, accepts)
  const isOfEntity = new Set(entity)
  return {
    entity,
    others: ranked.filter(({ number }) => !isOfEntity.has(number)),
    namesakes: [],
    dropped_terms: found.dropped_terms,
  }
}

const resolveUid = (index: SearchIndex, question: ProductQuestion, accepts: Accepts): Resolved => {
  const { product_uid, entity_uid = '' } = question
  // Other keys of the index are no uids.
  const found = (uid: string, prefix: 'p_' | 'e_') => (uid.startsWith(prefix) ? listingsByKey(index, uid) : NONE)
  const [pinned] = found(product_uid ?? '', 'p_')
  const entity = pinned === undefined ? [] : entityOf(index, pinned, accepts)
  const members = product_uid === undefined ? accepted(found(entity_uid, 'e_'), accepts) : entity
  return { entity: members, others: [], namesakes: [], dropped_terms: null }
}

const isWithin =
  ({ first, last, gpc_first, gpc_last }: Shelves, { listings, places }: SearchIndex) =>
  (listing: number) => {
    const row = places.row[listing]!
    const id = listings.category_id[row]!
    if (id < first || id > last) return false
    if (gpc_first === null || gpc_last === null) return true
    const type = listings.gpc_id[row]!
    return type >= gpc_first && type <= gpc_last
  }

const acceptsOnly = ({ retailer, within }: ProductQuestion, index: SearchIndex, catalog: Catalog): Accepts => {
  if (retailer === undefined && within === undefined) return null
  const retailer_id = catalog.retailers.get(retailer ?? '')?.retailer_id
  const isInside = within ? isWithin(within, index) : () => true
  const { listings, places } = index
  return (listing) =>
    (retailer === undefined || listings.retailer_id[places.row[listing]!] === retailer_id) && isInside(listing)
}

/**
 * Resolves a question about one product among the listings of its country, and of its retailer and category where they are
 * named; among those that `isWanted` holds for, if it does for any that the text finds. A uid
 * goes before q; in q, barcodes, web addresses and ids go before words. Throws NO_RESULTS for a uid that is unknown and
 * a q that finds nothing.
 */
export const findProduct = (question: ProductQuestion, catalog: Catalog, isWanted: Wanted = () => true): Product => {
  const { q = '', product_uid, entity_uid, country } = question
  const uid = product_uid ?? entity_uid
  const index = catalog.search(country)
  const accepts = acceptsOnly(question, index, catalog)
  const { entity, others, namesakes, dropped_terms } =
    uid === undefined ? resolveText(index, q, accepts, catalog, isWanted) : resolveUid(index, question, accepts)
  const [best] = entity
  if (best === undefined) throw notFound(question, uid ?? q, catalog)

  const { listings: columns, places } = index
  const listed = (
    match_type: ProductListing['match_type'],
    { number, match_confidence, is_meant, kind }: Ranked,
  ): ProductListing => ({
    number,
    listing_id: columns.listing_id[places.row[number]!]!,
    category_id: columns.category_id[places.row[number]!]!,
    match_type,
    match_confidence,
    is_meant,
    kind,
  })
  const listings = [
    ...entity.map((number) => listed('entity', { number, ...CERTAIN })),
    ...others.map((ranked) => listed('title', ranked)),
  ].slice(0, MOST_LISTINGS)
  const { product_name, brand, gpc_id, gpc_precision, gpc_source, ...uids } = index.listing(best)
  return {
    query: q || (uid ?? ''),
    dropped_terms,
    product_uid: uids.product_uid,
    entity_uid: uids.entity_uid,
    product_name,
    brand,
    type: { gpc_id, gpc_precision, gpc_source },
    listings,
    namesakes: namesakes
      .slice(0, MOST_LISTINGS)
      .map((number) => listed('title', { number, ...NAMESAKE, kind: `namesake ${number}` })),
  }
}
