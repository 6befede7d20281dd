import { singular } from '../contract/text.ts'
import { isGeneralAfter } from './general-words.ts'
import { isModifier, isPackaging } from './modifiers.ts'
import { searchUnit } from './units.ts'
import { searchWords, wordsOfName } from './words.ts'

/** Modifiers of several words, whose nouns do not name a kind of product either. */
const MODIFIER_PHRASES =
  /\b(?:(?:low|reduced|no|zero|less|non)[ -](?:added )?(?:fat|salt|sugar|sodium|calorie|gmo)s?|(?:fat|sugar|salt|sodium|lactose|gluten|cage|nut)[ -]?free|free[ -](?:run|range)|grass[ -]fed|grade a+|(?:dark|medium|light|blonde|french|italian|espresso) roast|club pack|bone[ -]in|skin[ -]on|(?:partly|2%|1%) skimmed|(?:piano|jet|onyx|carbon|midnight) black|(?:rose|champagne) gold|(?:space|slate) gr[ae]y|(?:navy|royal|sky|ocean|ice|sapphire|midnight) blue|(?:ruby|cherry|wine) red|(?:pearl|glacier) white|(?:party|family|fun|king|queen|snack|value|travel|bite|club|(?:soft )?taco) sized?|(?:100% )?(?:whole|multi)[ -]?grains?|(?<=vanilla )beans?(?=\s+\S)|of modena|m\.?f\.?)(?!\w)/gi

/** Connectives of Romance languages; the English ones are stop words of the search. */
const CONNECTIVES: ReadonlySet<string> = new Set(
  'de du des la le les au aux et en un une al con del el los las do da dos ao di'.split(' '),
)

/** What follows these words is what the product is for, comes with, is packed in or is made of. */
const PURPOSE =
  /(?<=\S)\s+(?:with|without|w\/?o?|for|fits|compatible with|designed|from|in(?! the\b)|up to|includ\w+|by|featuring|made|holds|avec|sans|pour|dans|con|sin|para|sabor|c\/|s\/|com|sem|mit|ohne|für|senza)(?=\s).*$/i
/** What stands before these words says how a thing tastes or looks: `Ketchup Flavour Chips`. */
const LOOKS =
  'flavou?red|flavou?rs?|flv|flavourd|style|scented|covered|coated|crusted|seasoned|glazed|drizzled|stuffed|filled|topped|' +
  'infused|wrapped|dipped'
const FLAVOUR_BEFORE = new RegExp(`^.*[ -](?:${LOOKS})(?=\\s+\\S)`, 'i')
const FLAVOUR_AFTER = new RegExp(`(?:\\S+ (?:&|and) )?\\S+[ -](?:${LOOKS})\\s*$`, 'i')
/** What the former ends with: to look for it first is quick in names without any, however long their words are. */
const IS_LOOK_LAST = new RegExp(`[ -](?:${LOOKS})\\s*$`, 'i')
/** Words that only one family of languages has: the head of a phrase is its first noun in the one, its last in the other. */
const HEAD_FIRST =
  /(?:^|\s)(?:de|del|con|sin|para|en|el|la|los|las|y|du|des|au|aux|avec|sans|pour|et|da|com|sem|di|della|senza)(?=\s)/gi
const HEAD_LAST = /(?:^|\s)(?:with|and|the|of|for|in|from|by)(?=\s)/gi
/** A French phrase: the product comes first, its kind after `de` or `au`. */
const FRENCH = /\S\s+(?:(?:de|du|des|da|au|aux|à|en)\s|d['’])/i

/** From the first letter of a word, so that a long text without spaces is read once. */
const COMPOUNDED = /(?<!\p{L})\p{L}{2,}(?=-\p{L})/gu
const BRACKETS = /\([^)]*\)|\[[^\]]*\]|（[^）]*）|【[^】]*】/g
/** A dash is captured, so that a split tells which parts follow one. */
const SEPARATORS = /(\s+[-–—]\s+)|,(?!\d)|[;|]|:\s/
/** A phrase of at most so many words before a dash may be a brand. */
const MAX_BRAND_WORDS = 3
const HAS_DIGIT = /\d/
const TERMS = /\S+/g
const LETTERS = /\p{L}+/gu
const MIN_WORD_LENGTH = 4
/** Numbers with a possible unit or an inch mark, and lengths of sides: `48 x 36`. */
const MEASURES = /(?<!\S)\d+(?:[.,]\d+)?(?:["”″]?(?: x |x)\d\S*|["”″]|[ -]?(?:fl\.? ?)?([a-z]+)\.?)(?!\S)/gi
const MAX_LENGTH = 300

/** Weights of words by position: in the leading phrase, elsewhere, in what the product is for or comes with. */
const POSITION_WEIGHTS = { leading: 1, elsewhere: 0.5, purpose: 0.25 } as const

/** A parsed product name, in folded words in the singular. */
export type ParsedName = {
  /** The leading phrase, which names the product: without numbers and units and, unless nothing is left, without the brand. */
  lead: readonly string[]
  /** The possible head nouns, which name the kind: that of the leading phrase, then that of its part before a measure. */
  heads: readonly string[]
  /**
   * The phrases that may name the product, each without the brand, modifiers and what it is for: the leading one, its part
   * before a measure, and the one after a dash, since what is before that may be a brand.
   */
  parts: readonly (readonly string[])[]
  /** Of these the one before a measure. */
  measured: readonly string[]
  /** Of these the one after a dash. */
  dashed: readonly string[]
  /** The words before a hyphen, which are what the word after it is made with or for: `Butter-Kekse`. */
  compounded: ReadonlySet<string>
  /** Whether the leading phrase names the product first, as in French; null where the name does not tell its language. */
  isHeadFirst: boolean | null
  /** All words in their order. */
  order: readonly string[]
  brand: ReadonlySet<string>
  /** Each word of the name and the brand with the weight of its position. */
  weights: ReadonlyMap<string, number>
  /** The words without numbers, units, the brand, modifiers and packaging. */
  significant: readonly string[]
}

/** Letters between digits, or digits between letters. */
const IS_CODE = /\p{L}\d+\p{L}|\d\p{L}+\d/u

/** A term without the letters of codes, as in `WH-1000XM4` and `TS32GSDHC10`. Longer runs of other letters are words: `14-Inch`, `Omega-3`. */
const withoutCodes = (term: string): string => {
  if (!HAS_DIGIT.test(term)) return term
  const isCode = IS_CODE.test(term)
  return term.replace(LETTERS, (letters) => (isCode || letters.length < MIN_WORD_LENGTH ? ' ' : letters))
}

const isContentWord = (word: string): boolean =>
  !HAS_DIGIT.test(word) && word.length > 1 && !CONNECTIVES.has(word) && searchUnit(word) === undefined

/** Splits a text into words, with or without a cache. */
type Splitter = typeof searchWords

/** All words of a text in their order, each measure as one word. */
const wordsOf = (text: string, split: Splitter): string[] =>
  split(HAS_DIGIT.test(text) ? text.replace(TERMS, withoutCodes) : text).title.split(' ')

/** The content words of a text in their order: no numbers, units, codes, connectives or single letters. */
export const contentWords = (text: string, split: Splitter = searchWords): string[] =>
  wordsOf(text, split).filter(isContentWord)

/** The words of a text that are of modifiers of several words. */
export const phraseModifiers = (text: string): ReadonlySet<string> =>
  new Set(contentWords(text.match(MODIFIER_PHRASES)?.join(' ') ?? ''))

/** The text before the first measure: in `Shampoo 12 oz Citrus` the words after it name the variety. */
const beforeMeasure = (phrase: string): string => {
  for (const { index, 1: unit } of phrase.matchAll(MEASURES))
    if (unit === undefined || searchUnit(singular(unit.toLowerCase())) !== undefined) return phrase.slice(0, index)
  return ''
}

/** The head noun of a phrase: in English its last word that is no modifier, in French the first. */
const headOf = (words: readonly string[], isFrench: boolean): string => {
  const significant = words.filter((word) => !isModifier(word))
  const nouns = significant.length > 0 ? significant : words
  return (isFrench ? nouns[0] : nouns.at(-1)) ?? ''
}

/** Whether a text names things first, by the function words in it; null where as many speak for either. */
const languageOf = (text: string): boolean | null => {
  const score = (text.match(HEAD_FIRST)?.length ?? 0) - (text.match(HEAD_LAST)?.length ?? 0)
  return score === 0 ? null : score > 0
}

/** The words of a phrase that may name a product; all of them where there are only modifiers. */
const namingOf = (words: readonly string[]): readonly string[] => {
  const nouns = words.filter((word) => !isModifier(word))
  return nouns.length > 0 ? nouns : words
}

type Segment = { phrase: string; words: readonly string[]; isAfterDash: boolean }

/** The segments of a name, which dashes and commas separate. */
const segmentsOf = (name: string, split: Splitter): Segment[] => {
  const pieces = name.split(SEPARATORS)
  return pieces.flatMap((piece, index) => {
    if (index % 2 > 0) return []
    const phrase = piece.replace(PURPOSE, '')
    const plain = phrase.replace(MODIFIER_PHRASES, ' ')
    const words = contentWords(plain, split)
    const before = plain.replace(FLAVOUR_BEFORE, ' ')
    const unflavoured = contentWords(IS_LOOK_LAST.test(before) ? before.replace(FLAVOUR_AFTER, ' ') : before, split)
    return {
      phrase,
      words: unflavoured.some((word) => !isModifier(word)) ? unflavoured : words,
      isAfterDash: pieces[index - 1] !== undefined,
    }
  })
}

/** Words without the first occurrence of a phrase: `Case Logic Laptop Case` keeps its last word. */
const withoutPhrase = (words: readonly string[], phrase: readonly string[]): readonly string[] => {
  const start =
    phrase.length === 0 ? -1 : words.findIndex((_, from) => phrase.every((word, i) => words[from + i] === word))
  return start < 0 ? words : [...words.slice(0, start), ...words.slice(start + phrase.length)]
}

/** Splits each text once: the segment of a short name is the full name. */
const memoizedSplit = (split: Splitter): Splitter => {
  const splits = new Map<string, ReturnType<Splitter>>()
  return (text) => {
    const key = text.trim()
    const words = splits.get(key) ?? split(key)
    splits.set(key, words)
    return words
  }
}

/** Parses a name of at most MAX_LENGTH characters. */
const parseWith = (name: string, brand: string | null, splitText: Splitter): ParsedName => {
  const split = memoizedSplit(splitText)
  const text = name.replace(BRACKETS, ' ')
  const segments = segmentsOf(text, split)
  const brandWords = brand === null ? [] : contentWords(brand, split)
  const withoutBrand = ({ words }: Segment) => withoutPhrase(words, brandWords)
  // The first segment may be only a brand or a modifier: `Club House - Seasoning`, `Organic, Bananas`.
  const firstNaming = segments.findIndex((part) => withoutBrand(part).some((word) => !isModifier(word)))
  const leadingIndex =
    firstNaming >= 0
      ? firstNaming
      : Math.max(
          0,
          segments.findIndex(({ words }) => words.length > 0),
        )
  const leading = segments[leadingIndex]!
  const lead = withoutBrand(leading).length > 0 ? withoutBrand(leading) : leading.words
  const beforeSize = withoutPhrase(contentWords(beforeMeasure(leading.phrase), split), brandWords)
  const measured = namingOf(beforeSize)
  const next = segments[leadingIndex + 1]
  const dashed = namingOf(next?.isAfterDash && lead.length <= MAX_BRAND_WORDS ? withoutBrand(next) : [])
  const isHeadFirst = FRENCH.test(leading.phrase) ? true : languageOf(text)
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const { word } of split(text).words) if (!weights.has(word)) weights.set(word, weight)
  }
  add(`${leading.phrase} ${brand ?? ''}`, POSITION_WEIGHTS.leading)
  for (const { phrase } of segments) add(phrase, POSITION_WEIGHTS.elsewhere)
  add(text, POSITION_WEIGHTS.purpose)
  const compounded = text.match(COMPOUNDED)?.join(' ') ?? ''
  const significant = withoutPhrase(contentWords(text.replace(MODIFIER_PHRASES, ' '), split), brandWords)
  return {
    lead,
    significant: significant.filter(
      (word, place) =>
        !isModifier(word) &&
        (!isPackaging(word) || lead.includes(word)) &&
        !isGeneralAfter(word, significant.slice(0, place)),
    ),
    heads: [...new Set([lead, beforeSize].map((words) => headOf(words, isHeadFirst === true)))].filter(Boolean),
    parts: [namingOf(lead), measured, dashed].filter(({ length }) => length > 0),
    measured,
    dashed,
    compounded: new Set(compounded === '' ? [] : contentWords(compounded, split)),
    isHeadFirst,
    order: split(text).title.split(' '),
    brand: new Set(brandWords),
    weights,
  }
}

/** Parses a query for a product as if it were a name. Bounded, and never throws. */
export const parseText = (text: string): ParsedName => parseWith(text.slice(0, MAX_LENGTH), null, searchWords)

/** Queries find the same names again and again. */
const cache = new Map<string, ParsedName>()
const MAX_CACHED = 10_000

/** Parses the name of a product. Bounded, and never throws. */
export const parseName = (name: string, brand: string | null = null): ParsedName => {
  const [first, maker] = [name.slice(0, MAX_LENGTH), brand?.slice(0, MAX_LENGTH) ?? null]
  const key = `${maker ?? ''}\n${first}`
  const parsed = cache.get(key) ?? parseWith(first, maker, wordsOfName)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(key, parsed)
  return parsed
}
