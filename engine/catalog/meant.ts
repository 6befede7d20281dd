import { type Contents, contentsFit } from './contents.ts'
import { isLight } from './name-reading.ts'
import { countBy, isMost, type Lexicon, mostFrequent, type QueryReading, type Read, UNSAID } from './query-reading.ts'

/** Plain things represent their kind where they are at least this share of it. */
const PLAIN_SHARE = 0.1

/** Whether one of the nouns of a name is a word. */
const isKind = ({ reading }: Read, kind: string): boolean => reading.heads.includes(kind)

/**
 * The word of the text that says what kind of thing is meant: its noun, if that is the noun of a name that has the whole
 * phrase; else the one that is the noun of most names. Undefined where it is of none, as for brands and models.
 */
const kindOfQuery = (query: QueryReading, candidates: readonly Read[]): string | undefined => {
  const named = candidates.find(({ is_named }) => is_named)
  if (named) return named.reading.heads[0]
  const topics = query.words.filter((word) => !query.brand.includes(word))
  const { heads, lead } = query.reading
  const phrase = lead.filter((word) => topics.includes(word))
  const head = heads.find((word) => topics.includes(word))
  const hasPhrase = (candidate: Read) => phrase.every((word) => candidate.reading.lead.includes(word))
  if (head && candidates.some((candidate) => isKind(candidate, head) && hasPhrase(candidate))) return head
  const nouns = candidates.flatMap(({ reading }) => reading.heads)
  const counts = countBy(nouns.filter((word) => query.has(word) && !query.brand.includes(word)))
  const order = (word: string) => topics.indexOf(word)
  return [...counts].sort(([a, some], [b, others]) => others - some || order(b) - order(a) || (a < b ? -1 : 1))[0]?.[0]
}

/** Whether the text is about what the thing is, rather than about what it is for or comes with. */
const isAbout = ({ reading }: Read, { about, brand }: QueryReading): boolean =>
  brand.every((word) => reading.brand.has(word) || reading.lead.includes(word)) &&
  about.every((word) => (reading.places.get(word) ?? UNSAID) >= UNSAID)

/** Those that hold no foreign word of some sort, unless they are too few to represent their kind. */
const without = (isForeign: (word: string) => boolean, candidates: readonly Read[]): readonly Read[] => {
  const plain = candidates.filter(({ foreign }) => !foreign.some(isForeign))
  return plain.length > 0 && plain.length >= PLAIN_SHARE * candidates.length ? plain : candidates
}

const add = <T>(sets: Map<string, Set<T>>, key: string, values: readonly T[]): void => {
  const set = sets.get(key) ?? new Set()
  for (const value of values) set.add(value)
  sets.set(key, set)
}

/**
 * Those of a kind. A line may follow the noun: `Laptop Cobalt` is a laptop where the same brand has a `Cobalt Laptop`, and
 * most that are called so are laptops.
 */
const alikeOf = (kind: string, query: QueryReading, candidates: readonly Read[]): readonly Read[] => {
  const heads = candidates.filter((candidate) => isKind(candidate, kind))
  const leads = (of: readonly Read[]) => countBy(of.flatMap(({ reading }) => [...new Set(reading.lead)]))
  const [among, all] = [leads(heads), leads(candidates)]
  const lines = new Map<string, Set<string>>()
  for (const { brand, reading } of heads) if (brand !== '') add(lines, brand, reading.lead)
  const isOfLine = ({ brand }: Read, word: string) =>
    lines.get(brand)?.has(word) === true && 2 * among.get(word)! >= all.get(word)!
  return candidates.filter((candidate) => {
    const { lead } = candidate.reading
    const after = lead.slice(lead.indexOf(kind) + 1)
    const isSort = (word: string) => isLight(word) || (!query.has(word) && isOfLine(candidate, word))
    return isKind(candidate, kind) || (lead.includes(kind) && after.every(isSort))
  })
}

/** Whether a listing is on a shelf that the text names: what is there is of the kind. */
const isOnNamed = ({ shelf }: Read, { isNamed }: Lexicon): boolean => shelf !== undefined && isNamed(shelf)

/** The words that are lines or models of one brand: most listings with it are of that kind, and all these of that brand. */
const linesOf = (alike: readonly Read[], { frequency }: Lexicon): ReadonlySet<string> => {
  const counts = countBy(alike.flatMap(({ reading }) => [...new Set(reading.telling)]))
  const brands = new Map<string, Set<string>>()
  for (const { reading, brand } of alike) for (const word of reading.telling) add(brands, word, [brand])
  const isOfOneBrand = (of: ReadonlySet<string>) => of.size === 1 && !of.has('')
  return new Set(
    [...counts].flatMap(([word, count]) =>
      isOfOneBrand(brands.get(word)!) && isMost(count, frequency(word)) ? [word] : [],
    ),
  )
}

/** Those of the kind that the text names, without those that other things make another kind: no peanut butter. */
const ofKind = (kind: string, query: QueryReading, candidates: readonly Read[], lexicon: Lexicon): readonly Read[] => {
  const alike = alikeOf(kind, query, candidates)
  const about = alike.filter((candidate) => isAbout(candidate, query))
  if (about.length === 0) return alike
  const lines = linesOf(alike, lexicon)
  const plain = new Set(without((word) => !lines.has(word), without(lexicon.isThing, about)))
  return about.filter((candidate) => plain.has(candidate) || isOnNamed(candidate, lexicon))
}

/** Where the text names no kind: those that are about it, and of the kind that most of them are. */
const ofMost = (query: QueryReading, candidates: readonly Read[]): readonly Read[] => {
  const found = candidates.filter((candidate) => isAbout(candidate, query))
  const about = found.length > 0 ? found : candidates
  const head = mostFrequent(about.map(({ reading }) => reading.heads[0])) ?? ''
  const alike = about.filter((candidate) => isKind(candidate, head))
  return isMost(alike.length, about.length) ? alike : about
}

/** The shelves of most of a retailer's listings: of those on a shelf that the text names, where there is one. */
const mostAisles = (candidates: readonly Read[], lexicon: Lexicon): Map<number, string> => {
  const aislesOf = (of: readonly Read[]) => {
    const byRetailer = new Map<number, string[]>()
    for (const { listing, aisle } of of) {
      const own = byRetailer.get(listing.retailer_id) ?? []
      if (aisle !== '') own.push(aisle)
      byRetailer.set(listing.retailer_id, own)
    }
    return [...byRetailer].flatMap(([retailer_id, own]) => {
      const most = mostFrequent(own)
      return most === undefined ? [] : ([[retailer_id, most]] as const)
    })
  }
  const named = candidates.filter((candidate) => isOnNamed(candidate, lexicon))
  return new Map([...aislesOf(candidates), ...aislesOf(named)])
}

/**
 * Those on the shelves of most of them, at each retailer by its own taxonomy. What is of a product type (GPC) that is found
 * there belongs to it too.
 */
const onShelf = (candidates: readonly Read[], lexicon: Lexicon): readonly Read[] => {
  const aisles = mostAisles(candidates, lexicon)
  const isThere = ({ listing, aisle }: Read) => {
    const most = aisles.get(listing.retailer_id) ?? ''
    return most === '' || aisle === '' || `${most}/`.startsWith(`${aisle}/`) || `${aisle}/`.startsWith(`${most}/`)
  }
  const there = new Set(candidates.filter(isThere))
  const types = new Set([...there].map(({ listing }) => listing.gpc_id))
  return candidates.filter(
    (candidate) => there.has(candidate) || (candidate.listing.gpc_id !== null && types.has(candidate.listing.gpc_id)),
  )
}

/** Those of the size that the text names, as far as any is; all where it names none. */
const ofSize = (size: Contents | null, candidates: readonly Read[]): readonly Read[] => {
  if (size === null) return candidates
  const fits = candidates.map((candidate) => (candidate.size === null ? 1 : contentsFit(size, candidate.size)))
  const best = Math.max(...fits)
  return candidates.filter((_, at) => fits[at] === best)
}

/** The listings that a text means, and those that are only of another shelf or size. */
export type Meant = { kind: string | undefined; alike: ReadonlySet<Read>; meant: ReadonlySet<Read> }

/** Of the listings that a text finds, those of the kind that it names or most are, on the shelves of most, and of its size. */
export const whatIsMeant = (query: QueryReading, candidates: readonly Read[], lexicon: Lexicon): Meant => {
  const kind = kindOfQuery(query, candidates)
  const alike = kind === undefined ? ofMost(query, candidates) : ofKind(kind, query, candidates, lexicon)
  const meant = ofSize(query.size, onShelf(alike, lexicon))
  return { kind, alike: new Set(alike), meant: new Set([...meant, ...candidates.filter(({ is_named }) => is_named)]) }
}
