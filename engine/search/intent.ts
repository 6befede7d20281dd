import { type Contents, contentsFit } from './contents.ts'
import { isModifier } from './parsed-name.ts'
import {
  countBy,
  isMajority,
  type Lexicon,
  mostFrequent,
  NEUTRAL_WEIGHT,
  type ParsedCandidate,
  type ParsedQuery,
} from './parsed-query.ts'

/** Candidates without unmatched words represent their kind where they are at least this share of it. */
const MIN_PLAIN_SHARE = 0.1

/** Whether a kind, given by its noun, is among the head nouns of a name. */
const isOfKind = ({ name }: ParsedCandidate, kind: string): boolean => name.heads.includes(kind)

/**
 * The word of the query that names the kind of product: its head noun, if a name with the same leading phrase has that
 * head noun; else its word that is the head noun of most names. Undefined without such a word, as for brands and models.
 */
const kindIn = (query: ParsedQuery, candidates: readonly ParsedCandidate[]): string | undefined => {
  const exact = candidates.find(({ is_exact_name }) => is_exact_name)
  if (exact) return exact.name.heads[0]
  const topics = query.words.filter((word) => !query.brand.includes(word))
  const { heads, lead } = query.name
  const phrase = lead.filter((word) => topics.includes(word))
  const head = heads.find((word) => topics.includes(word))
  const hasPhrase = (candidate: ParsedCandidate) => phrase.every((word) => candidate.name.lead.includes(word))
  if (head && candidates.some((candidate) => isOfKind(candidate, head) && hasPhrase(candidate))) return head
  const nouns = candidates.flatMap(({ name }) => name.heads)
  const counts = countBy(nouns.filter((word) => query.has(word) && !query.brand.includes(word)))
  const order = (word: string) => topics.indexOf(word)
  return [...counts].sort(([a, some], [b, others]) => others - some || order(b) - order(a) || (a < b ? -1 : 1))[0]?.[0]
}

/** Whether the query describes the product itself, rather than what it is for or comes with. */
const isAbout = ({ name }: ParsedCandidate, { about, brand }: ParsedQuery): boolean =>
  brand.every((word) => name.brand.has(word) || name.lead.includes(word)) &&
  about.every((word) => (name.weights.get(word) ?? NEUTRAL_WEIGHT) >= NEUTRAL_WEIGHT)

/** The candidates without a disqualifying unmatched word; all of them where too few are left to represent their kind. */
const withoutUnmatched = (
  isDisqualifying: (word: string) => boolean,
  candidates: readonly ParsedCandidate[],
): readonly ParsedCandidate[] => {
  const plain = candidates.filter(({ unmatched }) => !unmatched.some(isDisqualifying))
  return plain.length > 0 && plain.length >= MIN_PLAIN_SHARE * candidates.length ? plain : candidates
}

const add = <T>(sets: Map<string, Set<T>>, key: string, values: readonly T[]): void => {
  const set = sets.get(key) ?? new Set()
  for (const value of values) set.add(value)
  sets.set(key, set)
}

/**
 * The candidates of a kind. A product line may follow the noun: `Laptop Cobalt` is a laptop if the same brand has a
 * `Cobalt Laptop` and most candidates of that line are laptops.
 */
const sameKindAs = (
  kind: string,
  query: ParsedQuery,
  candidates: readonly ParsedCandidate[],
): readonly ParsedCandidate[] => {
  const heads = candidates.filter((candidate) => isOfKind(candidate, kind))
  const leads = (of: readonly ParsedCandidate[]) => countBy(of.flatMap(({ name }) => [...new Set(name.lead)]))
  const [among, all] = [leads(heads), leads(candidates)]
  const lines = new Map<string, Set<string>>()
  for (const { brand, name } of heads) if (brand !== '') add(lines, brand, name.lead)
  const isOfLine = ({ brand }: ParsedCandidate, word: string) =>
    lines.get(brand)?.has(word) === true && 2 * among.get(word)! >= all.get(word)!
  return candidates.filter((candidate) => {
    const { lead } = candidate.name
    const after = lead.slice(lead.indexOf(kind) + 1)
    const isLineOrModifier = (word: string) => isModifier(word) || (!query.has(word) && isOfLine(candidate, word))
    return isOfKind(candidate, kind) || (lead.includes(kind) && after.every(isLineOrModifier))
  })
}

/** Whether a candidate is on a shelf that the query names. */
const isOnNamedShelf = ({ shelf }: ParsedCandidate, { isNamedShelf }: Lexicon): boolean =>
  shelf !== undefined && isNamedShelf(shelf)

/** Lines and models of a brand: words that only one brand uses, and that mostly occur in names of this kind. */
const brandWords = (sameKind: readonly ParsedCandidate[], { frequency }: Lexicon): ReadonlySet<string> => {
  const counts = countBy(sameKind.flatMap(({ name }) => [...new Set(name.significant)]))
  const brands = new Map<string, Set<string>>()
  for (const { name, brand } of sameKind) for (const word of name.significant) add(brands, word, [brand])
  const isOfOneBrand = (of: ReadonlySet<string>) => of.size === 1 && !of.has('')
  return new Set(
    [...counts].flatMap(([word, count]) =>
      isOfOneBrand(brands.get(word)!) && isMajority(count, frequency(word)) ? [word] : [],
    ),
  )
}

/** The candidates of the kind that the query names, without those that a second noun makes another kind: no peanut butter. */
const narrowToKind = (
  kind: string,
  query: ParsedQuery,
  candidates: readonly ParsedCandidate[],
  lexicon: Lexicon,
): readonly ParsedCandidate[] => {
  const sameKind = sameKindAs(kind, query, candidates)
  const about = sameKind.filter((candidate) => isAbout(candidate, query))
  if (about.length === 0) return sameKind
  const lines = brandWords(sameKind, lexicon)
  const plain = new Set(withoutUnmatched((word) => !lines.has(word), withoutUnmatched(lexicon.isHeadNoun, about)))
  return about.filter((candidate) => plain.has(candidate) || isOnNamedShelf(candidate, lexicon))
}

/** Where the query names no kind: the candidates that it describes, narrowed to the kind of the majority. */
const narrowToMajority = (query: ParsedQuery, candidates: readonly ParsedCandidate[]): readonly ParsedCandidate[] => {
  const described = candidates.filter((candidate) => isAbout(candidate, query))
  const about = described.length > 0 ? described : candidates
  const head = mostFrequent(about.map(({ name }) => name.heads[0])) ?? ''
  const sameKind = about.filter((candidate) => isOfKind(candidate, head))
  return isMajority(sameKind.length, about.length) ? sameKind : about
}

/** The most frequent aisle of each retailer: among its listings on a shelf that the query names, else among all. */
const mainAisles = (candidates: readonly ParsedCandidate[], lexicon: Lexicon): Map<number, string> => {
  const aislesOf = (of: readonly ParsedCandidate[]) => {
    const byRetailer = new Map<number, string[]>()
    for (const { listing, aisle } of of) {
      const aislesOfRetailer = byRetailer.get(listing.retailer_id) ?? []
      if (aisle !== '') aislesOfRetailer.push(aisle)
      byRetailer.set(listing.retailer_id, aislesOfRetailer)
    }
    return [...byRetailer].flatMap(([retailer_id, aislesOfRetailer]) => {
      const most = mostFrequent(aislesOfRetailer)
      return most === undefined ? [] : ([[retailer_id, most]] as const)
    })
  }
  const onNamedShelf = candidates.filter((candidate) => isOnNamedShelf(candidate, lexicon))
  return new Map([...aislesOf(candidates), ...aislesOf(onNamedShelf)])
}

/**
 * The candidates in the main aisle of their retailer, each by its own taxonomy, and those of a product type (GPC) that
 * occurs in one.
 */
const narrowToAisles = (candidates: readonly ParsedCandidate[], lexicon: Lexicon): readonly ParsedCandidate[] => {
  const aisles = mainAisles(candidates, lexicon)
  const isInMainAisle = ({ listing, aisle }: ParsedCandidate) => {
    const most = aisles.get(listing.retailer_id) ?? ''
    return most === '' || aisle === '' || `${most}/`.startsWith(`${aisle}/`) || `${aisle}/`.startsWith(`${most}/`)
  }
  const inMainAisle = new Set(candidates.filter(isInMainAisle))
  const types = new Set([...inMainAisle].map(({ listing }) => listing.gpc_id))
  return candidates.filter(
    (candidate) =>
      inMainAisle.has(candidate) || (candidate.listing.gpc_id !== null && types.has(candidate.listing.gpc_id)),
  )
}

/** The candidates that fit the size in the query best; all of them without a size. */
const narrowToSize = (size: Contents | null, candidates: readonly ParsedCandidate[]): readonly ParsedCandidate[] => {
  if (size === null) return candidates
  const fits = candidates.map((candidate) => (candidate.size === null ? 1 : contentsFit(size, candidate.size)))
  const best = Math.max(...fits)
  return candidates.filter((_, index) => fits[index] === best)
}

/** What a query asks for: `sameKind` may differ in aisle and size, `intended` fits these too. */
export type Intent = {
  kind: string | undefined
  sameKind: ReadonlySet<ParsedCandidate>
  intended: ReadonlySet<ParsedCandidate>
}

/** Infers the kind of product that a query asks for, and narrows its candidates to that kind, the main aisles and the size. */
export const inferIntent = (query: ParsedQuery, candidates: readonly ParsedCandidate[], lexicon: Lexicon): Intent => {
  const kind = kindIn(query, candidates)
  const sameKind =
    kind === undefined ? narrowToMajority(query, candidates) : narrowToKind(kind, query, candidates, lexicon)
  const intended = narrowToSize(query.size, narrowToAisles(sameKind, lexicon))
  return {
    kind,
    sameKind: new Set(sameKind),
    intended: new Set([...intended, ...candidates.filter(({ is_exact_name }) => is_exact_name)]),
  }
}
