import type { CategoryNode } from '../contract/category-node.ts'
import { invalidParam } from '../contract/errors.ts'
import { nameKey, unaccented } from '../contract/text.ts'
import { giveWay, turn } from '../contract/turn.ts'
import { type Contents, readContents, storedContents } from '../search/contents.ts'
import { titleKey } from '../search/keys.ts'
import type { Listing } from '../search/listings.ts'
import type { Meaning } from '../search/meanings.ts'
import { isModifier, isPart } from '../search/modifiers.ts'
import { narrowToSize } from '../search/narrowing.ts'
import { parseName } from '../search/parsed-name.ts'
import { type Candidate, countBy, type Lexicon } from '../search/parsed-query.ts'
import { intersection } from '../search/postings.ts'
import { type RankedListing, rankByRelevance } from '../search/relevance.ts'
import { plainRequest, withoutConnectives, withoutDozens } from '../search/request-text.ts'
import { rewordings } from '../search/rewordings.ts'
import { type Filter, type SearchResult, type SearchShelves, search } from '../search/search.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { countOn, isListedOn, type ShelfRange } from '../search/shelf-postings.ts'
import { createSizeFit, isBareNumber, isFarFrom, isUsualVolume, sizesIn } from '../search/size-words.ts'
import type { Wording } from '../search/wordings.ts'
import { searchWords } from '../search/words.ts'
import type { Catalog } from './catalog.ts'

const MAX_SHELF_LETTERS = 400

/** Looks up shelves; prefers those that the text names: for `laptop`, that of laptops to that of chargers. */
const shelvesFor = (index: SearchIndex, q: string, { categories }: Catalog): SearchShelves => {
  const rangesOf = (nodes: readonly CategoryNode[]): ShelfRange[] =>
    nodes.map(({ category_id, category_last }) => ({ first: category_id, last: category_last }))
  const shelves = rangesOf(categories.within(q.slice(0, MAX_SHELF_LETTERS)))
  return {
    with: (word) => rangesOf(categories.withWord(word)),
    prefers: (listing) => shelves.length === 0 || isListedOn(index, shelves, listing),
  }
}

/** Whether a listing qualifies as a result, such as by having a current price. */
export type ListingPredicate = (listing: Listing) => boolean

const contentsOf = ({ listing }: { listing: Listing }): Contents | null =>
  storedContents(listing) ?? readContents(listing.product_name ?? '')

const isOfVolume = (candidate: { listing: Listing }): boolean => contentsOf(candidate)?.unit === 'ml'

/** The search results that qualify; all of them if none does, or if none that does has the size in the query. */
const candidatesOf = async (
  index: SearchIndex,
  { listings, exact_count }: SearchResult,
  sizes: readonly Contents[],
  { categories }: Catalog,
  isWanted: ListingPredicate,
) => {
  const sizeFit = createSizeFit(index, sizes)
  const candidates: Candidate[] = []
  for (const [rank, number] of listings.entries()) {
    const listing = index.listing(number)
    const size_fit = sizes.length === 0 ? null : sizeFit(number, listing.product_name ?? '')
    const shelf = categories.byId(listing.category_id)
    candidates.push({ number, listing, shelf, is_exact_name: rank < exact_count, size_fit })
    await giveWay()
  }
  const wanted = candidates.filter(({ listing }) => isWanted(listing))
  const chosen = narrowToSize(sizes.length > 0, wanted).length > 0 ? wanted : candidates
  const isFar = sizes.length > 0 && isFarFrom(chosen.map(contentsOf), sizes)
  return isFar ? chosen.map((one) => ({ ...one, size_fit: 0 as const })) : chosen
}

const YEAR = /^(?:19|20)\d\d$/
/** A shelf with fewer listings shows nothing; on a larger one, a kind of a smaller share is not sold by itself but comes with other things. */
const [MIN_SHELVED, MAX_RARE_SHARE] = [100, 0.01]
/** A name of several kinds names none: `Dairy & Eggs`. */
const IS_OF_SEVERAL = /[&,/+]|\s(?:and|et|y|e|und)\s/i

const lexiconOf = (index: SearchIndex, { categories }: Catalog): Lexicon => {
  const names = new Map<number, readonly (readonly string[])[]>()
  const namesOf = (shelf: CategoryNode): readonly (readonly string[])[] => {
    const parent = shelf.parent_path === null ? undefined : categories.byPath(shelf.parent_path)
    const words = IS_OF_SEVERAL.test(shelf.name) ? [] : nameKey(shelf.name).split(' ')
    return [words, ...(parent ? namesOf(parent) : [])]
  }
  return {
    listing_count: index.places.row.length,
    frequency: (word) => index.withWord(word).length,
    vocabulary: index.vocabulary,
    shelfNames(shelf) {
      const words = names.get(shelf.category_id) ?? namesOf(shelf)
      names.set(shelf.category_id, words)
      return words
    },
    isRareOn({ category_id, category_last }, words) {
      const range = { first: category_id, last: category_last }
      const count = countOn(index, range)
      const isHere = (listing: number): boolean => isListedOn(index, [range], listing)
      const headed = [...words].map((word) =>
        intersection([index.vocabulary.withHead(word)], isHere, Math.ceil(MAX_RARE_SHARE * count)),
      )
      return count >= MIN_SHELVED && headed.every(({ length }) => length < MAX_RARE_SHARE * count)
    },
  }
}

/** What a text finds: the listings by relevance, those that are meant first, and the words that nothing has. */
export type Found = {
  ranked: readonly RankedListing[]
  /** The listings whose whole name is the text, by number. */
  exact: ReadonlySet<number>
  unknown: readonly string[]
  dropped_terms: string[] | null
  /** The text with its words as they should be spelt; null if they are. */
  spelled: string | null
}

/**
 * A search for a text among the listings of a country that pass the filter; those for which `isWanted` holds, if there are
 * any. Other work has its turn before each of its steps.
 */
type TextSearch = (
  index: SearchIndex,
  q: string,
  filter: Filter,
  catalog: Catalog,
  isWanted: ListingPredicate,
  max_count?: number,
) => Promise<Found>

/** A text with the words that nothing has as they should be spelt; null without any. */
const asSpelled = (text: string, meanings: readonly Meaning[]): string | null => {
  const terms = text.trim().split(/\s+/)
  for (const { typed, term, exact, words } of meanings)
    if (exact.length === 0 && words.length === 1 && unaccented(terms[term] ?? '') === typed) terms[term] = words[0]!
  const spelled = terms.join(' ')
  return spelled === text.trim() ? null : spelled
}

/** Searches for what a text says, word for word. */
export const searchAsSaid: TextSearch = async (index, q, filter, catalog, isWanted, max_count) => {
  const isName = index.withKey(titleKey(searchWords(q).title)).length > 0
  const find = async (text: string): Promise<SearchResult> => {
    await turn()
    return search(index, text, filter, shelvesFor(index, text, catalog), max_count)
  }
  const request = isName ? q : plainRequest(q)
  const first = await find(request)
  const counted = first.listings.length > 0 ? request : withoutDozens(request)
  const [text, result] = counted === request ? [request, first] : [counted, await find(counted)]
  const { meanings, unknown, dropped_terms } = result
  await turn()
  const sizes = sizesIn(text, dropped_terms)
  const candidates = await candidatesOf(index, result, sizes, catalog, isWanted)
  // Dozens are counts only of what is sold in such a count: a dozen roses is no rosé.
  if (counted !== request && !candidates.some(({ size_fit }) => size_fit !== null && size_fit > 0))
    return { ranked: [], exact: new Set(), unknown: first.unknown, dropped_terms: first.dropped_terms, spelled: null }
  const exact = new Set(result.listings.slice(0, result.exact_count))
  // A number that nothing has is a size of what is sold by volume, after other words that nothing has a year, and else a model.
  const isYear = (term: string): boolean => (dropped_terms?.length ?? 0) > 1 && YEAR.test(term)
  const number =
    readContents(text) === null ? dropped_terms?.find((term) => isBareNumber(term) && !isYear(term)) : undefined
  const isModel = number !== undefined && !isUsualVolume(number) && !candidates.some(isOfVolume)
  if (isModel)
    return {
      ranked: [],
      exact,
      unknown: index.withWord(number).length ? [] : [number],
      dropped_terms: null,
      spelled: null,
    }
  const searched = { meanings, has_size: sizes.length > 0, dropped: dropped_terms ?? [] }
  await turn()
  const ranked = await rankByRelevance(text, searched, candidates, lexiconOf(index, catalog))
  return { ranked, exact, unknown, dropped_terms, spelled: asSpelled(text, meanings) }
}

/** Whether any listing is what a text means; if only contents may be meant, one of a weight or volume. */
const isMeant = ({ ranked }: Found, contentsIn: SearchIndex | null = null): boolean =>
  ranked.some(
    ({ number, is_intended }) =>
      is_intended &&
      (contentsIn === null || (contentsOf({ listing: contentsIn.listing(number) })?.unit ?? 'each') !== 'each'),
  )

const FOR = /^for /i

/** Whether a thing is for a brand or line: what is for others is another thing. */
const isForName = (purpose: string, { vocabulary }: SearchIndex): boolean =>
  FOR.test(purpose) &&
  withoutConnectives(searchWords(purpose).words).some(
    ({ word }) => vocabulary.withLead(word).length > 0 && vocabulary.isName(word),
  )

/** Another name for a thing is that of the catalogue if so many times as many listings have it. */
const MIN_TIMES_USUAL = 2

const countMeant = ({ ranked }: Found): number => ranked.filter(({ is_intended }) => is_intended).length

/** What a text finds with what another name for the same thing finds, which says it less plainly. */
const withOtherName = (first: Found, other: Found): Found => {
  const [meant, rest] = [true, false].map((is) => first.ranked.filter(({ is_intended }) => is_intended === is))
  const numbers = new Set(meant!.map(({ number }) => number))
  const more = other.ranked.filter(({ number, is_intended }) => is_intended && !numbers.has(number))
  for (const { number } of more) numbers.add(number)
  const others = more.map((one) => ({ ...one, is_plain: false }))
  return { ...first, ranked: [...meant!, ...others, ...rest!.filter(({ number }) => !numbers.has(number))] }
}

/** Of a retailer that says of at least this share of a thing how it is kept, the others are kept otherwise. */
const MIN_STATED_SHARE = 0.5
const STATED =
  /(?<!\p{L})(?:canned|dried|dry|freeze|fresh|frozen|jarred|live|pickled|raw|smoked|spices?|tinned|ahumad[ao]s?|(?:des|ultra)?(?:congela|hidrata)d[ao]s?|en (?:aceite|alm[ií]bar|escabeche|vinagre)|especias)(?!\p{L})/iu

/** Of what a text finds without how things are kept, what says nothing of it, of retailers that hardly say it; what is fresh says nothing else. */
const unstated = (
  first: Found,
  other: Found,
  { text, isFresh }: Wording,
  index: SearchIndex,
  catalog: Catalog,
): Found => {
  const retailersOf = ({ ranked }: Found) =>
    countBy(ranked.flatMap(({ number, is_intended }) => (is_intended ? index.listing(number).retailer_id : [])))
  const [stated, all] = [retailersOf(first), retailersOf(other)]
  const said = new Set(searchWords(text).words.map(({ word }) => word))
  const isSaid = (word: string): boolean => said.has(word) || isModifier(word) || isPart(word)
  const isUnstated = ({ retailer_id, product_name, brand, category_id }: Listing): boolean =>
    (stated.get(retailer_id) ?? 0) < MIN_STATED_SHARE * all.get(retailer_id)! &&
    !STATED.test(`${product_name} ${catalog.categories.byId(category_id)?.path}`) &&
    (!isFresh || parseName(product_name ?? '', brand).lead.every(isSaid))
  const isMeantOf = ({ number, is_intended }: RankedListing) => is_intended && isUnstated(index.listing(number))
  return { ...other, ranked: other.ranked.filter(isMeantOf) }
}

/** Names have up to forty words; a search takes the longer the more there are. */
const MAX_WORDS = 50

const requireFewWords = (index: SearchIndex, q: string): void => {
  const { words, title } = searchWords(q)
  if (words.length > MAX_WORDS && index.withKey(titleKey(title)).length === 0)
    throw invalidParam('q', `has more than ${MAX_WORDS} words; send the name of a product`)
}

/**
 * Searches for what a text says, in these words and in others for the same things or, if no listing is that, for what the
 * text may mean besides.
 */
export const searchText: TextSearch = async (index, q, filter, catalog, isWanted, max_count) => {
  requireFewWords(index, q)
  const find = (text: string) => searchAsSaid(index, text, filter, catalog, isWanted, max_count)
  const findAll = async (these: readonly Wording[]): Promise<Found[]> => {
    const all: Found[] = []
    for (const { text } of these) all.push(await find(text))
    return all
  }
  const first = await find(q)
  await giveWay()
  const wordings = rewordings(plainRequest(q), index)
  const isOffered = ({ ranked }: Found): boolean =>
    ranked.some(({ number, is_intended }) => is_intended && isWanted(index.listing(number)))
  const isSame = ({ left_out, isOfContents, isOtherForm }: Wording): boolean =>
    left_out.length === 0 && !isOfContents && !isOtherForm
  await giveWay()
  if (isMeant(first)) {
    const same = await findAll(wordings.filter(isSame))
    // A name that no shop has a price for, where the catalogue has the thing by another.
    const offered = isOffered(first) ? undefined : same.find(isOffered)
    if (offered) return offered
    const isWhole = ({ dropped_terms }: Found): boolean => dropped_terms === null || first.dropped_terms !== null
    const usual = same.filter((one) => isWhole(one) && countMeant(one) >= MIN_TIMES_USUAL * countMeant(first))
    let all = usual.reduce(withOtherName, first)
    for (const kept of wordings.filter(({ isKept, isFresh }) => isKept || isFresh))
      all = withOtherName(all, unstated(all, await find(kept.text), kept, index, catalog))
    return all
  }
  const respelled = first.spelled === null ? [] : rewordings(first.spelled, index)
  for (const wording of [...wordings, ...respelled]) {
    const { text, left_out, isFresh, isOfContents, isReordered } = wording
    if (isReordered && first.ranked.length === 0) continue
    if (left_out.some((part) => isForName(part, index))) continue
    const found = await find(text)
    const other = isFresh ? unstated(first, found, wording, index, catalog) : found
    const dropped = [...left_out, ...(other.dropped_terms ?? [])]
    if (isMeant(other, isOfContents ? index : null))
      return { ...other, dropped_terms: dropped.length > 0 ? dropped : null }
  }
  return first
}
