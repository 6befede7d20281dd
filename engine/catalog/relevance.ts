import type { CategoryNode } from './category.ts'
import { type Contents, contentsFit, readContents } from './contents.ts'
import type { KnownListing } from './known-listing.ts'
import { isLight, type NameReading, namingWords, readName } from './name-reading.ts'
import { typosOf } from './search-typo.ts'
import { searchWords } from './search-words.ts'

/** A listing that a text finds. */
export type Candidate = {
  number: number
  known: KnownListing
  shelf: CategoryNode | undefined
  /** Whether the text is its whole name. */
  is_named: boolean
}

/** What the ranking needs to know of the catalogue. */
export type Lexicon = {
  /** Listings of the country. */
  listing_count: number
  /** How many of them have a word. */
  frequency(word: string): number
  /** Whether a word is a thing of its own (things.ts). */
  isThing(word: string): boolean
  /** Whether a shelf is one that the text names. */
  isNamed(shelf: CategoryNode): boolean
}

/** A listing with what a text says of it. */
export type Ranked = {
  number: number
  /** How well the text and the name fit, 0 to 0.99. */
  match_confidence: number
  /** What kind of thing it is, where it is another than was meant. */
  kind: string
  /** Whether it is of the kind and the size that was meant. */
  is_meant: boolean
}

/** Only a verified product is certain. */
const MOST_CONFIDENCE = 0.99
/** A word of the text that the name lacks is in another field, or spelt otherwise. */
const UNSAID = 0.5

/** Plain things stand for their kind where they are at least this share of it. */
const PLAIN_SHARE = 0.1

/** What was asked for. */
type Asked = {
  all: readonly string[]
  /** Those of what is meant itself, not of what it is for. */
  about: readonly string[]
  /** Those that name something. */
  words: readonly string[]
  reading: NameReading
  size: Contents | null
  /** Whether a word of a name is one of the text's, also where the text has a typing error in it. */
  has(word: string): boolean
  /** Words of the text that are the brand of most candidates. */
  brand: readonly string[]
}

/** A candidate as it is read; its size where the text names one. */
type Read = Candidate & { reading: NameReading; size: Contents | null }

const isMost = (some: number, all: number): boolean => 2 * some > all

const countBy = <T>(values: readonly T[]): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The value that most have, the first of equals. */
const mostFrequent = <T>(values: readonly T[]): T | undefined =>
  [...countBy(values)].reduce<[T, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  )?.[0]

const readAsked = (q: string, candidates: readonly Read[], { frequency }: Lexicon): Asked => {
  const words = [...new Set(namingWords(q))]
  const exact = new Set(words)
  const misspelt = words.filter((word) => frequency(word) === 0).map((word) => ({ word, near: typosOf(word) }))
  const all = searchWords(q).words.map(({ word }) => word)
  const reading = readName(q)
  return {
    all,
    about: all.filter((word) => (reading.places.get(word) ?? UNSAID) >= UNSAID),
    words,
    reading,
    size: readContents(q),
    has: (word) => exact.has(word) || misspelt.some((of) => of.near.has(word) || word.startsWith(of.word)),
    brand: words.filter((word) =>
      isMost(candidates.filter(({ reading }) => reading.brand.has(word)).length, candidates.length),
    ),
  }
}

/** Whether one of the nouns of a name is a word. */
const isKind = ({ reading }: Read, kind: string): boolean => reading.heads.includes(kind)

/**
 * The word of the text that says what kind of thing is meant: its noun, if that is the noun of a name that has the whole
 * phrase; else the one that is the noun of most names. Undefined where it is of none, as for brands and models.
 */
const kindAsked = (asked: Asked, candidates: readonly Read[]): string | undefined => {
  const named = candidates.find(({ is_named }) => is_named)
  if (named) return named.reading.heads[0]
  const topics = asked.words.filter((word) => !asked.brand.includes(word))
  const { heads, lead } = asked.reading
  const phrase = lead.filter((word) => topics.includes(word))
  const head = heads.find((word) => topics.includes(word))
  const hasPhrase = (candidate: Read) => phrase.every((word) => candidate.reading.lead.includes(word))
  if (head && candidates.some((candidate) => isKind(candidate, head) && hasPhrase(candidate))) return head
  const nouns = candidates.flatMap(({ reading }) => reading.heads)
  const counts = countBy(nouns.filter((word) => asked.has(word) && !asked.brand.includes(word)))
  const order = (word: string) => topics.indexOf(word)
  return [...counts].sort(([a, some], [b, others]) => others - some || order(b) - order(a) || (a < b ? -1 : 1))[0]?.[0]
}

/** The words of a name that may make it another kind than the text's. */
const foreignWords = ({ reading }: Read, asked: Asked): string[] => reading.telling.filter((word) => !asked.has(word))

/** Whether the text is about what the thing is, rather than about what it is for or comes with. */
const isAbout = ({ reading }: Read, { about, brand }: Asked): boolean =>
  brand.every((word) => reading.brand.has(word) || reading.lead.includes(word)) &&
  about.every((word) => (reading.places.get(word) ?? UNSAID) >= UNSAID)

/** Those that hold no foreign word of some sort, unless they are too few to stand for their kind. */
const without = (isForeign: (word: string) => boolean, asked: Asked, candidates: readonly Read[]): readonly Read[] => {
  const plain = candidates.filter((candidate) => !foreignWords(candidate, asked).some(isForeign))
  return plain.length > 0 && plain.length >= PLAIN_SHARE * candidates.length ? plain : candidates
}

const brandKey = ({ reading }: Read): string => [...reading.brand].join(' ')

/**
 * Those of a kind. A line may follow the noun: `Laptop Cobalt` is a laptop where the same brand has a `Cobalt Laptop`, and
 * most that are called so are laptops.
 */
const alikeOf = (kind: string, asked: Asked, candidates: readonly Read[]): readonly Read[] => {
  const heads = candidates.filter((candidate) => isKind(candidate, kind))
  const leads = (of: readonly Read[]) => countBy(of.flatMap(({ reading }) => [...new Set(reading.lead)]))
  const [among, all] = [leads(heads), leads(candidates)]
  const lines = new Set(heads.flatMap((of) => of.reading.lead.map((word) => `${brandKey(of)} ${word}`)))
  const isOfLine = (of: Read, word: string) =>
    brandKey(of) !== '' && lines.has(`${brandKey(of)} ${word}`) && 2 * among.get(word)! >= all.get(word)!
  return candidates.filter((candidate) => {
    const { lead } = candidate.reading
    const after = lead.slice(lead.indexOf(kind) + 1)
    const isSort = (word: string) => isLight(word) || (!asked.has(word) && isOfLine(candidate, word))
    return isKind(candidate, kind) || (lead.includes(kind) && after.every(isSort))
  })
}

/** Whether a listing stands on a shelf that the text names: what is there is what it says. */
const isOnNamed = ({ shelf }: Read, { isNamed }: Lexicon): boolean => shelf !== undefined && isNamed(shelf)

/** The words that are lines or models of one brand: most listings with it are of that kind, and all these of that brand. */
const linesOf = (alike: readonly Read[], { frequency }: Lexicon): ReadonlySet<string> => {
  const own = new Map<string, string[]>()
  for (const candidate of alike)
    for (const word of new Set(candidate.reading.telling))
      own.set(word, [...(own.get(word) ?? []), brandKey(candidate)])
  const isLine = ([word, brands]: [string, string[]]): boolean =>
    isMost(brands.length, frequency(word)) && brands[0] !== '' && brands.every((brand) => brand === brands[0])
  return new Set([...own].filter(isLine).map(([word]) => word))
}

/** Those of the kind that the text names, without those that other things make another kind: no peanut butter. */
const ofKind = (kind: string, asked: Asked, candidates: readonly Read[], lexicon: Lexicon): readonly Read[] => {
  const alike = alikeOf(kind, asked, candidates)
  const about = alike.filter((candidate) => isAbout(candidate, asked))
  if (about.length === 0) return alike
  const lines = linesOf(alike, lexicon)
  const plain = new Set(without((word) => !lines.has(word), asked, without(lexicon.isThing, asked, about)))
  return about.filter((candidate) => plain.has(candidate) || isOnNamed(candidate, lexicon))
}

/** Where the text names no kind: those that are about it, and of the kind that most of them are. */
const ofMost = (asked: Asked, candidates: readonly Read[]): readonly Read[] => {
  const found = candidates.filter((candidate) => isAbout(candidate, asked))
  const about = found.length > 0 ? found : candidates
  const head = mostFrequent(about.map(({ reading }) => reading.heads[0])) ?? ''
  const alike = about.filter((candidate) => isKind(candidate, head))
  return isMost(alike.length, about.length) ? alike : about
}

const UNKNOWN_SHELF = 'uncategorized'

/** The part of a retailer's taxonomy that is one kind of thing: the shelf above, but no whole department. */
const aisleOf = ({ shelf }: Read): string => {
  const parts = shelf === undefined || shelf.path === UNKNOWN_SHELF ? [] : shelf.path.split('/')
  return parts.slice(0, Math.max(2, parts.length - 1)).join('/')
}

/**
 * Those that stand where most of them do, at each retailer by its own taxonomy; on a shelf that the text names, where there is
 * one. What is of a product type (GPC) that is found there belongs to it too.
 */
const onShelf = (candidates: readonly Read[], lexicon: Lexicon): readonly Read[] => {
  const named = candidates.filter((candidate) => isOnNamed(candidate, lexicon))
  const retailers = new Set(candidates.map(({ known }) => known.retailer_id))
  const aisles = new Map(
    [...retailers].map((retailer_id) => {
      const own = (of: readonly Read[]) =>
        of
          .filter(({ known }) => known.retailer_id === retailer_id)
          .map(aisleOf)
          .filter(Boolean)
      return [retailer_id, mostFrequent(own(named)) ?? mostFrequent(own(candidates))]
    }),
  )
  const stands = (candidate: Read) => {
    const [most = '', own] = [aisles.get(candidate.known.retailer_id), aisleOf(candidate)]
    return most === '' || own === '' || `${most}/`.startsWith(`${own}/`) || `${own}/`.startsWith(`${most}/`)
  }
  const types = new Set(candidates.filter(stands).map(({ known }) => known.gpc_id))
  return candidates.filter(
    (candidate) => stands(candidate) || (candidate.known.gpc_id !== null && types.has(candidate.known.gpc_id)),
  )
}

/** Those of the size that the text names, as far as any is; all where it names none. */
const ofSize = (size: Contents | null, candidates: readonly Read[]): readonly Read[] => {
  if (size === null) return candidates
  const fits = candidates.map((candidate) => (candidate.size === null ? 1 : contentsFit(size, candidate.size)))
  const best = Math.max(...fits)
  return candidates.filter((_, at) => fits[at] === best)
}

/**
 * How well a name fits: the weight of the text's words, each by its place in the name, as a share of their whole weight and
 * as one of theirs and that of the words beside them; the mean of both. Rare words weigh more: ln(1 + listings / listings
 * with the word).
 */
const confidenceOf = ({ reading }: Read, asked: Asked, lexicon: Lexicon): number => {
  const weight = (word: string) => Math.log(1 + lexicon.listing_count / Math.max(1, lexicon.frequency(word)))
  const sum = (words: readonly string[], by: (word: string) => number) =>
    words.reduce((total, word) => total + by(word), 0)
  const place = (word: string) => reading.places.get(word) ?? UNSAID
  const beside = [...reading.places.keys()].filter(
    (word) => !asked.has(word) && !reading.brand.has(word) && !/\d/.test(word),
  )
  const said = sum(asked.all, (word) => weight(word) * place(word))
  const all = sum(asked.all, weight)
  const both = all + sum(beside, (word) => weight(word) * place(word))
  return all === 0 ? UNSAID : Math.min(MOST_CONFIDENCE, (said / all + said / both) / 2)
}

/** What makes a thing another kind: `peanut butter`, and where it stands and its size if only these differ. */
const kindOf = (candidate: Read, asked: Asked, isAlike: boolean): string =>
  [
    foreignWords(candidate, asked)
      .filter((word) => candidate.reading.lead.includes(word) && word !== candidate.reading.heads[0])
      .at(-1),
    candidate.reading.heads[0],
    ...(isAlike ? [aisleOf(candidate), candidate.size?.total] : []),
  ]
    .filter(Boolean)
    .join(' ')

/**
 * Ranks what a text finds by what it means, before any price is looked at: by the kind of thing that the text names or most
 * candidates are, where it stands, and its size; then by the share of the name that was asked for. Equals stay in their order.
 */
export const rankByRelevance = (q: string, found: readonly Candidate[], lexicon: Lexicon): Ranked[] => {
  const isSized = readContents(q) !== null
  const candidates = found.map((candidate) => {
    const { product_name, brand } = candidate.known
    const name = product_name ?? ''
    return { ...candidate, reading: readName(name, brand), size: isSized ? readContents(name) : null }
  })
  const asked = readAsked(q, candidates, lexicon)
  const kind = kindAsked(asked, candidates)
  const alike = new Set(kind === undefined ? ofMost(asked, candidates) : ofKind(kind, asked, candidates, lexicon))
  const meant = new Set(ofSize(asked.size, onShelf([...alike], lexicon)))
  return candidates
    .map((candidate) => ({
      number: candidate.number,
      match_confidence: confidenceOf(candidate, asked, lexicon),
      kind: kindOf(candidate, asked, alike.has(candidate)),
      is_meant: meant.has(candidate) || candidate.is_named,
      is_named: candidate.is_named,
    }))
    .sort(
      (a, b) =>
        Number(b.is_named) - Number(a.is_named) ||
        Number(b.is_meant) - Number(a.is_meant) ||
        b.match_confidence - a.match_confidence,
    )
    .map(({ is_named: _, ...ranked }) => ranked)
}
