import { kindBefore } from './general-words.ts'
import { isContainer, isMaterial, isPart } from './modifiers.ts'
import type { ParsedName } from './parsed-name.ts'
import type { Postings } from './postings.ts'

/** What the words of a catalogue are to its names. */
export type Vocabulary = {
  /** Whether names say first what a thing is where they do not tell their language. */
  isHeadFirst: boolean
  /** Whether compounds are one word, as in German: a name then says the kind before its variety. */
  isCompounding: boolean
  /** In how many of the names that have a word it is the head noun; null for a word of too few names to tell. */
  headShare(word: string): number | null
  /** The possible head nouns of a name, likeliest first. */
  headsOf(name: ParsedName): readonly string[]
  /** Whether a word begins names, as brands and lines do, and is no head noun. */
  isName(word: string): boolean
  /** Whether a word begins most of its names or is their brand, whatever it is in the others. */
  isBrand(word: string): boolean
  /** The listings with a word as the head noun of their name. */
  withHead(word: string): Postings
  /** The listings whose name begins with a word or which have it as their brand. */
  withLead(word: string): Postings
}

type Nouns = Pick<Vocabulary, 'headShare' | 'isHeadFirst' | 'isCompounding'>

const IDEOGRAPHS = /^\p{scx=Hani}{2}$/u
/** A head of two ideographs, with the last of them: the tea in `緑茶`. */
const withLastLetter = (head: string): string[] => (IDEOGRAPHS.test(head) ? [head, head.at(-1)!] : [head])

/** Of fewer names nothing is concluded. */
const MIN_COUNT = 3
/** A word that is the head of fewer names is none: peanut is a head noun, wireless is not. */
export const MIN_HEAD_SHARE = 0.1
/** An earlier word that is the head of at least this share of its names, and of so many more than the last word, is a head. */
const MIN_LIKELY_SHARE = 0.5
export const MIN_EXCESS = 0.1
/** A word that begins at least this share of its names, and is the head of few, is a name rather than a kind. */
const MIN_LEAD_SHARE = 0.4
const MIN_BRAND_SHARE = 0.8

export const isHeadFirstIn = (name: ParsedName, { isHeadFirst }: Pick<Vocabulary, 'isHeadFirst'>): boolean =>
  name.isHeadFirst ?? isHeadFirst

/** The head noun of a phrase: the last word, in some languages the first, that is not known to be none. */
const headOf = (words: readonly string[], isFirst: boolean, headShare: Vocabulary['headShare']): string | undefined => {
  const things = words.filter((word) => !isPart(word))
  const nouns = things.length > 0 ? things : words
  const isHead = (word: string) => (headShare(word) ?? 1) >= MIN_HEAD_SHARE
  return isFirst ? (nouns.find(isHead) ?? nouns[0]) : (nouns.findLast(isHead) ?? nouns.at(-1))
}

const MIN_NOUN_LENGTH = 4

/** The share of a compound, of which its last noun tells what it is, by the longest end that names have: `cremeseife` is a `seife`. */
const compoundShare = (word: string, { headShare }: Nouns): number => {
  for (let start = 0; start === 0 || word.length - start >= MIN_NOUN_LENGTH; start += 1) {
    const share = headShare(word.slice(start))
    if (share !== null) return share
  }
  return 0
}

/** The possible head nouns of a name, likeliest first. */
const headsOf = (name: ParsedName, vocabulary: Nouns): string[] => {
  const isFirst = isHeadFirstIn(name, vocabulary)
  const shareOf = (word: string | undefined) => (word === undefined ? 0 : (vocabulary.headShare(word) ?? 0))
  const isKind = (word: string) => shareOf(word) >= MIN_HEAD_SHARE
  // What hardly stands but as the head is what a name is of, though a flavour follows it: `Kombucha Blood Orange`.
  const least = (head = '') => Math.max(MIN_LIKELY_SHARE, (vocabulary.headShare(head) ?? 1) + MIN_EXCESS)
  const heads = name.parts.flatMap((phrase) => {
    // Where nouns make compounds, a hyphen joins them as well.
    const simple = phrase.filter((word) => !vocabulary.isCompounding || !name.compounded.has(word))
    const part = simple.length > 0 ? simple : phrase
    const last = headOf(part, isFirst, vocabulary.headShare)
    // What stands before a measure may as well be a feature or a colour.
    const head = phrase !== name.measured || last === undefined || isKind(last) ? last : undefined
    // What is last may be the packaging.
    const unpacked = part.filter(
      (word, place) => !isContainer(word) && !(isMaterial(word) && isContainer(part[place + 1] ?? '')),
    )
    const other = unpacked.length < part.length ? headOf(unpacked, isFirst, vocabulary.headShare) : undefined
    // Where nouns make compounds, an earlier one is what the name is of, too, unless it is simple and the last is likelier: `Butter Spekulatius`.
    const first = vocabulary.isCompounding ? headOf(part.filter(isKind), true, vocabulary.headShare) : undefined
    const isLastLikelier =
      last !== undefined &&
      first !== undefined &&
      !last.endsWith(first) &&
      compoundShare(first.slice(1), vocabulary) === 0 &&
      compoundShare(last, vocabulary) >= Math.max(MIN_LIKELY_SHARE, shareOf(first) + MIN_EXCESS)
    const earlier = isLastLikelier ? undefined : first
    const likelier = isFirst ? undefined : part.find((word) => shareOf(word) >= least(last))
    const kindOf = (general: string | undefined) =>
      general === undefined ? undefined : kindBefore(general, part.slice(0, part.lastIndexOf(general)))
    const kind = kindOf(last)
    return [head, kind, kindOf(kind), other, earlier, likelier].filter((word) => word !== undefined)
  })
  return [...new Set(heads.flatMap(withLastLetter))]
}

/** Words of the index that no text has: that a word is the head noun, if it is the last or the first one, or begins the name. */
const MARKS = { last: '=l:', first: '=f:', lead: '=b:', isHeadLast: '=last', isHeadFirst: '=first' } as const
const UNKNOWN: Pick<Vocabulary, 'headShare' | 'isCompounding'> = { headShare: () => null, isCompounding: false }

/** The words by which the index tells what the words of a name are to it. */
export const markedWords = (name: ParsedName): string[] => {
  const [last] = headsOf(name, { ...UNKNOWN, isHeadFirst: false })
  const [first] = headsOf(name, { ...UNKNOWN, isHeadFirst: true })
  const begins = [...new Set([...name.lead.slice(0, 1), ...name.brand])]
  const language = { true: [MARKS.isHeadFirst], false: [MARKS.isHeadLast], null: [] }[`${name.isHeadFirst}`]
  return [
    ...(last === undefined ? [] : withLastLetter(last).map((word) => MARKS.last + word)),
    ...(first === undefined ? [] : withLastLetter(first).map((word) => MARKS.first + word)),
    ...begins.map((word) => MARKS.lead + word),
    ...language,
  ]
}

/** Function words of languages that write compounds as one word. */
const COMPOUNDING = ['mit', 'und', 'fur']

const MAX_REMEMBERED = 50_000

/** Names have the same words again and again. */
const remembering = <T>(read: (word: string) => T): ((word: string) => T) => {
  const values = new Map<string, T>()
  return (word) => {
    const remembered = values.get(word)
    if (remembered !== undefined || values.has(word)) return remembered as T
    if (values.size >= MAX_REMEMBERED) values.clear()
    const value = read(word)
    values.set(word, value)
    return value
  }
}

/** The vocabulary of a catalogue by its index of words. */
export const vocabularyOf = (withWord: (word: string) => Postings): Vocabulary => {
  const count = (word: string) => withWord(word).length
  const [first, last] = [count(MARKS.isHeadFirst), count(MARKS.isHeadLast)]
  const compounding = COMPOUNDING.reduce((sum, word) => sum + count(word), 0)
  const isHeadFirst = first > Math.max(last, compounding)
  const isCompounding = compounding > last && !isHeadFirst
  const withLead = (word: string) => withWord(MARKS.lead + word)
  const withHead = (word: string) => withWord((isHeadFirst ? MARKS.first : MARKS.last) + word)
  const headShare = remembering((word) => {
    const names = withWord(word).length
    return names < MIN_COUNT ? null : withHead(word).length / names
  })
  const heads = new WeakMap<ParsedName, readonly string[]>()
  return {
    isHeadFirst,
    isCompounding,
    withHead,
    withLead,
    headShare,
    headsOf(name) {
      const stored = heads.get(name) ?? headsOf(name, { isHeadFirst, isCompounding, headShare })
      heads.set(name, stored)
      return stored
    },
    isName: remembering(
      (word) =>
        withLead(word).length >= MIN_LEAD_SHARE * withWord(word).length && (headShare(word) ?? 0) < MIN_HEAD_SHARE,
    ),
    isBrand: remembering((word) => withLead(word).length >= MIN_BRAND_SHARE * Math.max(1, withWord(word).length)),
  }
}
