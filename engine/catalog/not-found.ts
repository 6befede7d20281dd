import { EngineError, type NearProduct } from '../contract/errors.ts'
import { isAbsence } from '../search/modifiers.ts'
import { plainRequest } from '../search/request-text.ts'
import type { Filter } from '../search/search.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { isSizeWord } from '../search/units.ts'
import { searchWords } from '../search/words.ts'
import { brandNorm } from './brand.ts'
import { closestBrands } from './brand-scope.ts'
import type { Catalog } from './catalog.ts'
import { alternateOf } from './product-choice.ts'
import { type ListingPredicate, searchAsSaid } from './text-search.ts'

const CLOSEST = 5
const BRAND_WORDS = 3
const MIN_BRAND = 3
const MAX_QUOTED = 200
/** Texts without some of the words that are tried; each is a search. */
const MAX_TRIED = 5
/** So many words at the end are left out together after a brand. */
const ENDS = [2, 3] as const
/** Listings that each of these compares: the nearest few are among the best. */
const MAX_COMPARED = 60
/** Near products that the message names. */
const MAX_NAMED = 3

/** Known brands that resemble the first words of a text. */
const brandsLike = (q: string, catalog: Catalog): string[] => {
  const keys = q.slice(0, MAX_QUOTED).trim().split(/\s+/, BRAND_WORDS).map(brandNorm)
  const long = keys.flatMap((key) => (key && key.length >= MIN_BRAND ? key.slice(0, 64) : []))
  return [...new Set(long.flatMap((key) => closestBrands(key, catalog)))].slice(0, CLOSEST)
}

/** Where a text was searched for, and its words that nothing has. */
export type Searched = { unknown: readonly string[]; index: SearchIndex; filter: Filter; isWanted: ListingPredicate }

/** What was looked for, and where. */
type Sought = {
  q?: string | undefined
  country: string
  retailer?: string | undefined
  within?: { name: string } | undefined
}

type Word = ReturnType<typeof searchWords>['words'][number]

/**
 * The words to leave out, in the order in which they are tried: the size, what nothing has, else one by one, the noun after what
 * describes it, several at the end of what begins with a brand, and brands last. What states an absence stays: nuts are not near
 * to what is `nut free`.
 */
const toLeaveOut = (index: SearchIndex, words: readonly Word[], unknown: readonly string[]): Word[][] => {
  const { isHeadFirst, isBrand } = index.vocabulary
  const sizes = words.filter(({ word }) => isSizeWord(word))
  const missing = words.filter(({ typed }) => unknown.includes(typed))
  if (missing.length > 0) return [[...missing, ...sizes.filter((word) => !missing.includes(word))]]
  const others = words.filter(({ word }) => !isSizeWord(word) && !isAbsence(word))
  const inOrder = isHeadFirst ? others.toReversed() : others
  const [brands, rest] = [true, false].map((is) => inOrder.filter(({ word }) => isBrand(word) === is))
  const afterBrand = isBrand(others[0]?.word ?? '') ? others.slice(1) : []
  const ends = ENDS.filter((count) => count <= afterBrand.length).map((count) => afterBrand.slice(-count))
  const sets = [...rest!.map((word) => [word]), ...ends, ...brands!.map((word) => [word])]
  return [...(sizes.length > 0 ? [sizes] : []), ...sets.map((set) => [...set, ...sizes])].slice(0, MAX_TRIED)
}

/**
 * The products that are nearest to a text for which there is none, by the words that must be left out for them; last those of
 * other kinds that have every word, such as the coffees and machines for `espresso`.
 */
const nearest = async (
  { q = '', country }: Sought,
  { unknown, index, filter, isWanted }: Searched,
  catalog: Catalog,
): Promise<NearProduct[]> => {
  const { words } = searchWords(plainRequest(q))
  const near: NearProduct[] = []
  const seen = new Set<string>()
  for (const left_out of [...toLeaveOut(index, words, unknown), ...(unknown.length === 0 ? [[]] : [])]) {
    const typed = new Set(left_out.map((word) => word.typed))
    const rest = [...new Set(words.map((word) => word.typed))].filter((each) => !typed.has(each))
    if (rest.length === 0 || near.length >= CLOSEST) continue
    const { ranked, dropped_terms } = await searchAsSaid(index, rest.join(' '), filter, catalog, isWanted, MAX_COMPARED)
    const hasAll = typed.size === 0 && dropped_terms === null
    for (const { number, is_intended, kind } of ranked) {
      const { entity_uid, product_uid, product_name } = index.listing(number)
      // One of each name, since a shop has the same thing in several places, and one of each other kind.
      const keys = [product_name ?? product_uid, entity_uid ?? product_uid, ...(is_intended ? [] : [`kind ${kind}`])]
      const isNear = is_intended || hasAll
      if (!isNear || near.length >= CLOSEST || keys.some((key) => seen.has(key))) continue
      for (const key of keys) seen.add(key)
      near.push({ left_out: [...typed], ...alternateOf(index, number, country, catalog) })
    }
  }
  return near
}

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ')

const newestIn = ({ country, retailer = '' }: Sought, catalog: Catalog): Promise<string | null> =>
  catalog.newestObserved({ country, retailer_id: catalog.retailers.get(retailer)?.retailer_id ?? null })

const shortened = (text: string): string => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text)

const noProduct = ({ country, within }: Sought, query: string): string =>
  `No product matches "${query}" in country ${country}${within ? `, category ${within.name}` : ''}`

/** The refusal of a text that means no product here: the words that nothing has, and what is near. */
export const notFound = async (lookup: Sought, searched: Searched, catalog: Catalog): Promise<EngineError> => {
  const { q = '' } = lookup
  const query = shortened(q)
  const unknown_words = searched.unknown.map(shortened)
  const near = await nearest(lookup, searched, catalog)
  const closest_categories = catalog.categories
    .resolve(q.slice(0, MAX_QUOTED))
    .slice(0, CLOSEST)
    .map(({ node }) => node.path)
  const closest_brands = brandsLike(q, catalog)
  const [first] = near
  const alike = near.filter(({ left_out }) => left_out.join() === first?.left_out.join()).slice(0, MAX_NAMED)
  const sentences = [
    `${noProduct(lookup, query)}${unknown_words.length > 0 ? `: nothing has ${quoted(unknown_words)}` : ''}.`,
    ...(first
      ? [
          `${first.left_out.length > 0 ? `Nearest, without ${quoted(first.left_out)}` : 'Products of other kinds have its words'}: ${alike.map(({ name, product_uid }) => name ?? product_uid).join('; ')}.`,
        ]
      : []),
    ...(closest_categories.length > 0 ? [`Closest categories: ${closest_categories.join(', ')}.`] : []),
    ...(closest_brands.length > 0 ? [`Closest brands: ${closest_brands.join(', ')}.`] : []),
  ]
  return new EngineError('NO_RESULTS', sentences.join(' '), {
    query,
    unknown_words,
    nearest: near,
    closest_categories,
    closest_brands,
    newest_observed_at: await newestIn(lookup, catalog),
  })
}

/** The refusal of a uid that no listing has. */
export const unknownUid = async (lookup: Sought, uid: string, catalog: Catalog): Promise<EngineError> => {
  const query = shortened(uid)
  const newest_observed_at = await newestIn(lookup, catalog)
  return new EngineError('NO_RESULTS', `${noProduct(lookup, query)}.`, { query, newest_observed_at })
}
