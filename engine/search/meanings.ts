import { singular } from '../contract/text.ts'
import { inTurn } from '../contract/turn.ts'
import { corrected, countBeside, soundsSame, type WordLookup } from './corrections.ts'
import { editDistance } from './edit-distance.ts'
import { intersection, type Postings, postingsOf, union } from './postings.ts'
import type { SearchIndex } from './search-index.ts'
import type { ShelfRange } from './shelf-postings.ts'
import { synonymsOf } from './synonyms.ts'
import { typosOf } from './typos.ts'
import { MIN_HEAD_SHARE } from './vocabulary.ts'
import { type SearchWord, searchWords } from './words.ts'

/** What a word of a query may mean in a catalogue. */
export type Meaning = {
  /** As it was written, and in normal form. */
  typed: string
  word: string
  term: number
  /** The words of names that it may be: itself, joined to a neighbour, in two, another word for the same, or as it should be spelt. */
  words: readonly string[]
  /** The listings with one of these words. */
  titles: Postings
  /** Those with the word itself; another list only if there are others. */
  exact: Postings
  /** The shelves whose names have the word. */
  shelves: readonly ShelfRange[]
}

/** Looks up the shelves with a word in their names. */
export type ShelvesWith = (word: string) => readonly ShelfRange[]

/** Shorter words resemble too many others to be completed or corrected. */
const MIN_LENGTH = 5
/** A word of so few listings may be misspelt there, too, if so many times as many have what it would be: `tomatoe`. */
const [MAX_RARE, MIN_TIMES] = [20, 8]
/** Of the listings with the other words of a query so many are counted, and at least so many must have a word that it lacks. */
const [MAX_BESIDE, MIN_COMPANIONS, MIN_COMPANION_SHARE] = [1000, 2, 0.8]
const MIN_COMPANION_LENGTH = 3
const MAX_COMPLETIONS = 64
const MAX_COMPLETED_LETTERS = 4
/** Each part of a word in two. */
const MIN_PART = 3
/** Shorter words that are two are too like others. */
const MIN_JOINED = 8
const MAX_PAIR = 10_000
/** Names of screens, tyres and fans may leave the unit out: `32 full hd tv`. */
const UNIT_LEFT_OUT = /^(\d{2}(?=in)|\d{3}(?=mm))(?:in|mm)$/
const LETTERS_ONLY = /^\p{L}+$/u

const completions = (index: WordLookup, word: string): string[] =>
  index.wordsFrom(word, MAX_COMPLETIONS).filter(({ length }) => length <= word.length + MAX_COMPLETED_LETTERS)

const isHeadNoun = ({ vocabulary }: SearchIndex, word: string): boolean =>
  (vocabulary.headShare(word) ?? 0) >= MIN_HEAD_SHARE

/** The two words that others write as one; none if a part is unknown. */
const inTwo = (index: WordLookup, typed: string): string[] => {
  for (let cut = MIN_PART; cut <= typed.length - MIN_PART; cut += 1) {
    const parts = [singular(typed.slice(0, cut)), singular(typed.slice(cut))]
    if (parts.every((part) => index.withWord(part).length > 1)) return parts
  }
  return []
}

/** Endings of words that may be one word in two numbers, in the singular of English, where names put the noun first or write compounds. */
type Endings = readonly (readonly [ending: RegExp, other: string])[]
/** `quiches` is both that of `quiche` and of `quich`; `tomatoes` is `tomato`. */
const ENGLISH: Endings = [
  [/(?<=x|ch|sh|ss|z|[a-z]{3}o)e$/, ''],
  [/(?<=[a-z]{3}o)$/, 'e'],
]
/** `limones` is `limon`, `nueces` is `nuez`, `limoes` is `limao`, `gateaux` is `gateau`, `integrais` is `integral`, `camperos` is `camperas`. */
const ROMANCE: Endings = [
  [/(?<=[lnrdzj])e$/, ''],
  [/(?<=[lnrdzj])$/, 'e'],
  [/ce$/, 'z'],
  [/z$/, 'ce'],
  [/[oa]e$/, 'ao'],
  [/ao$/, 'oe'],
  [/ais$/, 'al'],
  [/al$/, 'ais'],
  [/(?<=e?au|ou|eu)x$/, ''],
  [/(?<=eau|ou|eu)$/, 'x'],
  [/(?<=[a-z]{2}(?:[ai]d|er|ic|iv|os))a$/, 'o'],
  [/(?<=[a-z]{2}(?:[ai]d|er|ic|iv|os))o$/, 'a'],
]
/** `kekse` is `keks`, `matt` is `matte`, `laktosefreie` is `laktosefrei`. */
const GERMAN: Endings = [
  [/(?<=[a-z]{3}frei)e[nrs]?$/, ''],
  [/(?<=[a-z]{3}frei)$/, 'e'],
  [/(?<=[a-z]{3}frei)$/, 'er'],
  [/(?<=[a-z]{3}[b-df-hj-np-tv-z])e$/, ''],
  [/(?<=[a-z]{3}[b-df-hj-np-tv-z])$/, 'e'],
]
/** Hardly any name has a form if so many times as many have the other. */
const MIN_TIMES_RARE = 20
/** `windeln` is `windel`, if hardly any name has `windeln`: `mandel` is a flavour, `mandeln` are nuts. */
const RARE_GERMAN: Endings = [
  [/(?<=e[lr]?)n$/, ''],
  [/(?<=e[lr]?)$/, 'n'],
]

/** Of German adjectives. */
const ADJECTIVE_ENDING = /(?<=[a-z]{3})e[nrsm]?$/

/** The other words for a compound by those for its last part: `erdbeermarmelade` is `erdbeerkonfiture`. */
const otherCompounds = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - 2 * MIN_PART) }, (_, index) => index + MIN_PART).flatMap((cut) =>
    synonymsOf(word.slice(cut)).map((other) => word.slice(0, cut) + other),
  )

/** The compounds of a word and its neighbours without the ending of an adjective: `feuchte Tücher` are `Feuchttücher`. */
const compoundsOf = ([before, next]: readonly (string | undefined)[], typed: string): string[] =>
  [
    [before, typed],
    [typed, next],
  ].flatMap(([adjective, noun]) =>
    adjective && noun && ADJECTIVE_ENDING.test(adjective)
      ? [singular(adjective.replace(ADJECTIVE_ENDING, '') + noun)]
      : [],
  )

/** The other forms of a word in the languages that a catalogue may have. */
const formsOf = ({ withWord, vocabulary }: SearchIndex, { word, typed }: SearchWord): string[] => {
  const { isHeadFirst, isCompounding } = vocabulary
  const inNumber = (endings: Endings): string[] =>
    endings.filter(([ending]) => ending.test(word)).map(([ending, other]) => word.replace(ending, other))
  const count = withWord(word).length
  const isRarer = (other: string): boolean => withWord(other).length >= MIN_TIMES_RARE * count
  return [
    ...inNumber([...ENGLISH, ...(isHeadFirst ? ROMANCE : []), ...(isCompounding ? GERMAN : [])]),
    ...(isCompounding ? inNumber(RARE_GERMAN).filter(isRarer) : []),
    ...(typed === `${word}es` ? [`${word}e`] : []),
    ...(isCompounding && count === 0 ? otherCompounds(word) : []),
  ]
}

const existing = (index: WordLookup, words: readonly string[]): string[] =>
  [...new Set(words)].filter((word) => index.withWord(word).length > 0)

/** Two words, one of which no listing has, as the one word that they are with an error: `peper corns`. */
const joinedWithError = (
  index: WordLookup,
  words: readonly SearchWord[],
  listed: readonly Postings[],
  position: number,
): string[] =>
  [position - 1, position].flatMap((first) => {
    const [one, next] = [words[first], words[first + 1]]
    if (!one || !next || (listed[first]!.length > 0 && listed[first + 1]!.length > 0)) return []
    const joined = one.typed + next.typed
    return joined.length < MIN_JOINED || !LETTERS_ONLY.test(joined)
      ? []
      : existing(index, [...typosOf(joined, 1)].map(singular))
  })

/** What a word of few listings may be misspelt for; only what sounds the same where it need not be. */
const misspelt = (
  index: WordLookup,
  { typed, word }: SearchWord,
  beside: readonly Postings[],
  mustBe: boolean,
): string[] => {
  const count = index.withWord(word).length
  if (count === 0 || count > MAX_RARE || typed.length < MIN_LENGTH || !LETTERS_ONLY.test(typed)) return []
  return corrected(index, typed, beside).filter(
    (other) => index.withWord(other).length >= MIN_TIMES * count && (mustBe || soundsSame(word, other)),
  )
}

/**
 * The words with one error less that hardly any listing with the other words of the query lacks, and so one of the first of them has:
 * `gran marnier`, `bok choi`.
 */
const companions = (index: SearchIndex, { typed, word }: SearchWord, beside: readonly Postings[]): string[] => {
  if (beside.length === 0 || typed.length < MIN_COMPANION_LENGTH || !LETTERS_ONLY.test(typed)) return []
  const together = intersection(beside, null, MAX_BESIDE)
  const least = Math.max(MIN_COMPANIONS, MIN_COMPANION_SHARE * together.length)
  if (together.length < MIN_COMPANIONS || countBeside(index, beside, word, 1) > 0) return []
  const names = [...together.slice(0, MIN_COMPANIONS)].map((number) => index.listing(number).product_name ?? '')
  const words = new Set(names.flatMap((name) => searchWords(name).words.map((one) => one.word)))
  const near = [...words].filter((other) => other[0] === word[0] && editDistance(word, other, 1) === 1)
  return near.filter((other) => countBeside(index, beside, other, MAX_BESIDE) >= least)
}

/** What the word at a position may mean; `listed` are the listings with each. Only a word that no listing has is completed or corrected, or one of few, if `areFewWrong`. */
const meaningOf = (
  index: SearchIndex,
  { words, listed }: { words: readonly SearchWord[]; listed: readonly Postings[] },
  position: number,
  shelvesWith: ShelvesWith,
  areFewWrong: boolean,
): Meaning => {
  const { typed, word, term } = words[position]!
  const exact = listed[position]!
  const shelves = [word, ...synonymsOf(word)].flatMap((name) => shelvesWith(name))
  const neighbours = [words[position - 1]?.typed, words[position + 1]?.typed]
  const joined = [neighbours[0] && neighbours[0] + typed, neighbours[1] && typed + neighbours[1]]
  const forms = formsOf(index, words[position]!)
  const beside = listed.filter(({ length }, place) => place !== position && length > 0)
  // What another word of the query says is no correction.
  const spellings = [
    ...misspelt(index, words[position]!, beside, areFewWrong),
    ...(areFewWrong ? companions(index, words[position]!, beside) : []),
  ].filter((other) => !words.some((one) => one.word === other))
  const withError = joinedWithError(index, words, listed, position)
  const joint = [
    ...joined.flatMap((each) => (each ? [singular(each)] : [])),
    ...(exact.length > 0 ? withError : []),
    ...(index.vocabulary.isCompounding ? compoundsOf(neighbours, typed) : []),
  ]
  const bare = UNIT_LEFT_OUT.exec(word)?.slice(1) ?? []
  const variants = existing(index, [word, ...bare, ...joint, ...forms, ...synonymsOf(word), ...spellings])
  const meaning = (others: readonly string[], titles: Postings, on = shelves): Meaning => ({
    typed,
    word,
    term,
    words: others,
    titles,
    exact,
    shelves: on,
  })
  if (variants.length === 1 && variants[0] === word) return meaning(variants, exact)
  const anyOf = (others: readonly string[], on = shelves) =>
    meaning(others, others.length === 0 ? exact : union(others.map((other) => index.withWord(other))), on)
  if (variants.length > 0 || shelves.length > 0 || typed.length < MIN_LENGTH || !LETTERS_ONLY.test(typed))
    return anyOf(variants)
  const parts = inTwo(index, typed)
  if (parts.length > 0) {
    const both = intersection(
      parts.map((part) => index.withWord(part)),
      null,
      MAX_PAIR,
    )
    if (both.length > 0) return meaning(parts, postingsOf(both))
    // A compound of other nouns is another thing: `Dinkelbier` is no `Dinkelbrei`.
    if (index.vocabulary.isCompounding && isHeadNoun(index, parts.at(-1)!)) return anyOf([])
  }
  const isLast = position === words.length - 1
  const completed = isLast ? completions(index, typed) : []
  // The last word names the product, so it is not corrected to an adjective: `slicer` does not become `sliced`.
  const others = completed.length > 0 ? completed : corrected(index, typed, beside, !isLast)
  return anyOf([...others, ...withError], others.flatMap(shelvesWith))
}

/** What each word of a query may mean in a catalogue. Other work has its turn between words, since correcting one takes a while. */
export const meaningsOf = (
  index: SearchIndex,
  words: readonly SearchWord[],
  shelvesWith: ShelvesWith,
  areFewWrong = false,
): Promise<Meaning[]> => {
  const listed = words.map(({ word }) => index.withWord(word))
  return inTurn([...words.keys()], (position) =>
    meaningOf(index, { words, listed }, position, shelvesWith, areFewWrong),
  )
}

/** Whether names or shelves have the word. */
export const isFound = ({ titles, shelves }: Meaning): boolean => titles.length > 0 || shelves.length > 0
