import { giveWay } from '../contract/turn.ts'
import { NO_POSTINGS, numbersIn } from '../search/postings.ts'
import { listingsByCode } from '../search/product-code.ts'
import type { RankedListing } from '../search/relevance.ts'
import type { Filter } from '../search/search.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { wordsOfName } from '../search/words.ts'
import type { Catalog } from './catalog.ts'
import type { ProductType } from './gpc-block.ts'
import { notFound, unknownUid } from './not-found.ts'
import { bestOf, type FoundProduct, firstOfEach, isClear, mayBeMeant } from './product-choice.ts'
import { type ListingPredicate, searchText } from './text-search.ts'

export type ProductLookup = {
  q?: string | undefined
  product_uid?: string | undefined
  entity_uid?: string | undefined
  country: string
  retailer?: string | undefined
  /** The shelves to search; all by default. */
  within?: Shelves | undefined
  /** Whether listings that are likely the same product are of it, too. */
  likely?: boolean | undefined
}

/** An interval of categories and of product types to search, with a name for messages. */
export type Shelves = { name: string; first: number; last: number; gpc_first: number | null; gpc_last: number | null }

/** The result of a lookup: a product and its listings, best first, bounded. */
export type Product = FoundProduct & {
  /** q as received, else the uid. */
  query: string
  /** The trailing words that were dropped from q because no product has them all; null without any. */
  dropped_terms: string[] | null
  /** The best listing's product type. */
  type: ProductType
  listings: readonly ProductListing[]
  /** Listings of other products with the same id or barcode. */
  namesakes: readonly ProductListing[]
}

export type ProductListing = {
  listing_id: number
  category_id: number
  /** Its number in the search index. */
  number: number
  match_type: 'entity' | 'title'
  /** Whether it is joined with the product as likely the same; match_confidence is then the probability of that. */
  is_likely: boolean
  /** Confidence that this is the intended product: 1 for the listings of the entity. */
  match_confidence: number
  /** Whether it is of the kind, in the aisle and of the size that q asks for. */
  is_intended: boolean
  /** Whether its name says nothing else that would make it another thing. */
  is_plain: boolean
  /** Its kind of product, by which listings that were not intended are grouped. */
  kind: string
}

const MAX_LISTINGS = 200
const CERTAIN = { match_confidence: 1, is_intended: true, is_plain: true, kind: '' }
const NAMESAKE = { match_confidence: 0, is_intended: false, is_plain: false }

/** The best listing and others of its entity, those likely the same, then others by relevance, and namesakes, by number. */
type ResolvedListings = Pick<Product, 'dropped_terms' | 'match_confidence' | 'products' | 'is_clear'> & {
  entity: readonly number[]
  likely: readonly number[]
  others: readonly RankedListing[]
  namesakes: readonly number[]
  /** The words of the text that nothing has. */
  unknown: readonly string[]
}

const filtered = (listings: Int32Array, filter: Filter): number[] =>
  Array.from(filter ? listings.filter(filter) : listings)

/** The listings of a listing's entity that pass the filter, the listing itself first. */
const entityOf = (index: SearchIndex, listing: number, filter: Filter): number[] => {
  const { entity_uid } = index.listing(listing)
  const members = entity_uid === null ? [] : [...numbersIn(index.withKey(entity_uid), filter)]
  return [...new Set(filter === null || filter(listing) ? [listing, ...members] : members)]
}

/** The listings that are likely the same product as an entity and pass the filter, the surest first; none unless wanted. */
const likelyOf = (
  index: SearchIndex,
  entity: readonly number[],
  filter: Filter,
  { likely: isWanted = false }: ProductLookup,
): number[] => {
  const uids = isWanted ? new Set(entity.map((number) => index.listing(number).likely_uid)) : new Set<null>()
  const joined = [...uids].flatMap((uid) => (uid === null ? [] : [...numbersIn(index.withKey(uid), filter)]))
  const probabilityOf = (number: number): number => index.listing(number).likely_probability ?? 0
  return joined
    .filter((number) => !entity.includes(number))
    .sort((a, b) => probabilityOf(b) - probabilityOf(a) || a - b)
}

const resolveCode = async (
  index: SearchIndex,
  listings: readonly number[],
  filter: Filter,
  lookup: ProductLookup,
): Promise<ResolvedListings> => {
  const entity = entityOf(index, listings[0]!, filter)
  const likely = likelyOf(index, entity, filter, lookup)
  const products = await firstOfEach(index, listings, lookup)
  return {
    entity,
    likely,
    others: [],
    namesakes: listings.filter((listing) => !entity.includes(listing) && !likely.includes(listing)),
    dropped_terms: null,
    unknown: [],
    match_confidence: 1,
    products,
    is_clear: products.length === 1,
  }
}

const resolveText = async (
  index: SearchIndex,
  lookup: ProductLookup,
  filter: Filter,
  catalog: Catalog,
  isWanted: ListingPredicate,
): Promise<ResolvedListings> => {
  const { q = '' } = lookup
  const listings = filtered(listingsByCode(index, q, catalog), filter)
  if (listings.length > 0) return resolveCode(index, listings, filter, lookup)
  const { ranked, exact, unknown, dropped_terms } = await searchText(index, q, filter, catalog, isWanted)
  await giveWay()
  const intended = ranked.filter(({ is_intended }) => is_intended)
  const best = bestOf(index, q, intended, exact)
  const entity = best === undefined ? [] : entityOf(index, best.number, filter)
  const likely = likelyOf(index, entity, filter, lookup)
  const isOfProduct = new Set([...entity, ...likely])
  const others = ranked.filter(({ number }) => !isOfProduct.has(number))
  const mayBe = best === undefined ? ranked : [best, ...ranked.filter(mayBeMeant(index, best))]
  return {
    entity,
    likely,
    others,
    namesakes: [],
    unknown,
    dropped_terms,
    match_confidence: best?.match_confidence ?? 0,
    products: await firstOfEach(
      index,
      mayBe.map(({ number }) => number),
      lookup,
    ),
    is_clear: best === undefined || isClear(index, q, best, others, exact),
  }
}

const resolveUid = (index: SearchIndex, lookup: ProductLookup, filter: Filter): ResolvedListings => {
  const { product_uid, entity_uid = '' } = lookup
  // Keys without these prefixes are not uids.
  const postingsOf = (uid: string, prefix: 'p_' | 'e_') => (uid.startsWith(prefix) ? index.withKey(uid) : NO_POSTINGS)
  const [pinned] = postingsOf(product_uid ?? '', 'p_').from(0)
  const entity = pinned === undefined ? [] : entityOf(index, pinned, filter)
  const members = product_uid === undefined ? [...numbersIn(postingsOf(entity_uid, 'e_'), filter)] : entity
  return {
    entity: members,
    likely: likelyOf(index, members, filter, lookup),
    others: [],
    namesakes: [],
    dropped_terms: null,
    unknown: [],
    match_confidence: 1,
    products: members.slice(0, 1),
    is_clear: true,
  }
}

const isWithin =
  ({ first, last, gpc_first, gpc_last }: Shelves, { table: { columns }, places }: SearchIndex) =>
  (listing: number) => {
    const row = places.row[listing]!
    const id = columns.category_id[row]!
    if (id < first || id > last) return false
    if (gpc_first === null || gpc_last === null) return true
    const type = columns.gpc_id[row]!
    return type >= gpc_first && type <= gpc_last
  }

const filterOf = ({ retailer, within }: ProductLookup, index: SearchIndex, catalog: Catalog): Filter => {
  if (retailer === undefined && within === undefined) return null
  const retailer_id = catalog.retailers.get(retailer ?? '')?.retailer_id
  const isInside = within ? isWithin(within, index) : () => true
  const { table, places } = index
  const { retailer_id: retailers } = table.columns
  return (listing) => (retailer === undefined || retailers[places.row[listing]!] === retailer_id) && isInside(listing)
}

/**
 * Finds one product among the listings of a country, and of a retailer and category if given; among those for which
 * `isWanted` holds, if there are any. A uid takes precedence over q; in q, barcodes, URLs and ids take precedence over
 * words. Throws NO_RESULTS for an unknown uid and for a q without results.
 */
export const findProduct = async (
  lookup: ProductLookup,
  catalog: Catalog,
  isWanted: ListingPredicate = () => true,
): Promise<Product> => {
  const { q = '', product_uid, entity_uid, country } = lookup
  const uid = product_uid ?? entity_uid
  const index = await catalog.search(country)
  const filter = filterOf(lookup, index, catalog)
  const { entity, likely, others, namesakes, unknown, dropped_terms, ...meant } =
    uid === undefined ? await resolveText(index, lookup, filter, catalog, isWanted) : resolveUid(index, lookup, filter)
  const [best] = entity
  if (best === undefined) {
    if (uid !== undefined) throw await unknownUid(lookup, uid, catalog)
    throw await notFound(lookup, { unknown, index, filter, isWanted }, catalog)
  }

  const { table, places } = index
  const productListing = (
    match_type: ProductListing['match_type'],
    { number, ...ranked }: RankedListing,
    is_likely = false,
  ): ProductListing => {
    const { listings, position } = table.at(places.row[number]!)
    const [listing_id, category_id] = [listings.listing_id[position]!, listings.category_id[position]!]
    return { number, listing_id, category_id, match_type, is_likely, ...ranked }
  }
  // A link between the two is no surer than the surest of either.
  const namesOf = (number: number): string[] =>
    wordsOfName(index.listing(number).product_name ?? '').words.map(({ word }) => word)
  const said = new Set(namesOf(best))
  const probabilityOf = (number: number): number => index.listing(number).likely_probability ?? 0
  const likelyListing = (number: number): ProductListing => {
    const match_confidence = Math.min(probabilityOf(number), probabilityOf(best)) / 1000
    // To a text, a title that says more than that of the product may be another flavour of it.
    const is_plain = uid !== undefined || namesOf(number).every((word) => said.has(word))
    return productListing('title', { number, ...CERTAIN, is_plain, match_confidence }, true)
  }
  const listings = [
    ...entity.map((number) => productListing('entity', { number, ...CERTAIN })),
    ...likely.map(likelyListing),
    ...others.map((ranked) => productListing('title', ranked)),
  ].slice(0, MAX_LISTINGS)
  const { product_name, brand, gpc_id, gpc_precision, gpc_source, ...uids } = index.listing(best)
  return {
    query: q || (uid ?? ''),
    dropped_terms,
    product_uid: uids.product_uid,
    entity_uid: uids.entity_uid,
    product_name,
    brand,
    type: { gpc_id, gpc_precision, gpc_source },
    ...meant,
    listings,
    namesakes: namesakes
      .slice(0, MAX_LISTINGS)
      .map((number) => productListing('title', { number, ...NAMESAKE, kind: `namesake ${number}` })),
  }
}
