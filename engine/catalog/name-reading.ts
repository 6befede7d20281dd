import { searchUnit } from './search-units.ts'
import { searchWords, wordsOfName } from './search-words.ts'
import { singular } from './text.ts'

/**
 * Words that distinguish things of one kind and do not make a thing another kind: grade, state, size, colour. In the
 * singular, English then French.
 */
const LIGHT_WORDS: ReadonlySet<string> = new Set(
  (
    'all assorted authentic basic best bulk choice classic deluxe double essential extra family fancy fine genuine ' +
    'gourmet great homestyle imported local mixed natural new old organic original plain premium pure quality real ' +
    'regular selected signature simple simply single special super traditional twin ultra value variety ' +
    'boneless club cold cooked creamy crunchy cultured crushed chopped cut diced dried dry filtered fresh freshly frozen grated ground half ' +
    'homogenized lactose-free lean light lightly lite minced no not partly pasteurized peeled piece pitted pressed raw ' +
    'reduced ripe salted seedless smooth shredded skim skimmed skinless slice sliced thick thin trimmed uncooked unpeeled ' +
    'unsalted unsweetened virgin whole big giant jumbo large medium mini small pack package per pkg size sized ' +
    'beige black blue brown charcoal clear dark graphite green grey gray navy pink purple red silver teal white yellow colour color ' +
    'biologique blanc blanche brun brune congele cru ecreme entier entiere frais fraiche grand grande hache hachee jaune ' +
    'leger legere moyen moyenne naturel naturelle noir noire paquet petit petite pur rape rapee rouge sale tranche ' +
    'tranchee vert verte'
  ).split(' '),
)
/** What things come in, where it does not name the thing. */
const PACKAGING: ReadonlySet<string> = new Set(
  'approx bag bottle box bunch can canned carton container each ea jar jug pouch sold stick tin tray tub unit'.split(
    ' ',
  ),
)
/** The like in several words, whose nouns are no kind of thing either. */
const LIGHT_PHRASES =
  /\b(?:(?:low|reduced|no|zero|less|non)[ -](?:added )?(?:fat|salt|sugar|sodium|calorie|gmo)s?|(?:fat|sugar|salt|sodium|lactose|gluten|cage|nut)[ -]?free|free[ -](?:run|range)|grass[ -]fed|grade a+|club pack|bone[ -]in|skin[ -]on|(?:partly|2%|1%) skimmed|m\.?f\.?)(?!\w)/gi

/** Words that join others in French; the English ones are stop words of the search already. */
const JOINING: ReadonlySet<string> = new Set('de du des la le les au aux et en un une al con'.split(' '))

/** What follows these words is what a thing is for, comes with, lies in or is made of. */
const PURPOSE =
  /(?<=\S)\s+(?:with|without|w\/?o?|for|fits|compatible with|designed|from|in|up to|includ\w+|by|featuring|made|holds|avec|sans|pour|dans)(?=\s).*$/i
/** A French phrase: the thing comes first, and after `de` or `au` of which kind it is. */
const FRENCH = /\S\s+(?:(?:de|du|des|au|aux|à|en)\s|d['’])/i

const BRACKETS = /\([^)]*\)|\[[^\]]*\]/g
const PARTING = /\s+[-–—]\s+|,(?!\d)|[;|]|:\s/
const HAS_DIGIT = /\d/
const TERMS = /\S+/g
const LETTERS = /\p{L}+/gu
const MIN_LETTERS = 4
/** Numbers with what may be a unit, or an inch mark. */
const MEASURES = /(?<!\S)\d+(?:[.,]\d+)?(?:["”″]|[ -]?(?:fl\.? ?)?([a-z]+)\.?)(?!\S)/gi
const MAX_LETTERS = 300

/** What the words of a name weigh by their place: in what names the thing, elsewhere, in what it is for or comes with. */
const PLACES = { leading: 1, elsewhere: 0.5, purpose: 0.25 } as const

/** What a name says, in folded words in the singular. */
export type NameReading = {
  /** The leading phrase, which names the thing: its words without numbers, units and, unless nothing is left, the brand. */
  lead: readonly string[]
  /** The nouns that phrase may have, what kind of thing it is: its own, then the one before a measure. */
  heads: readonly string[]
  brand: ReadonlySet<string>
  /** Each word of the name and the brand with the weight of its place. */
  places: ReadonlyMap<string, number>
  /** The words besides numbers, units, the brand and those that distinguish things of one kind. */
  telling: readonly string[]
}

/** Whether a word only distinguishes things of one kind. */
export const isLight = (word: string): boolean => LIGHT_WORDS.has(word)

/** Its letters are those of a code: `WH-1000XM4`. Longer ones are words: `14-Inch`, `Omega-3`. */
const withoutCodes = (term: string): string =>
  HAS_DIGIT.test(term) ? term.replace(LETTERS, (letters) => (letters.length < MIN_LETTERS ? ' ' : letters)) : term

const isNaming = (word: string): boolean =>
  !HAS_DIGIT.test(word) && word.length > 1 && !JOINING.has(word) && searchUnit(word) === undefined

/** How the words of a text are found: those of names are kept. */
type Split = typeof searchWords

/** All words of a text in their order, measures in one word. */
const wordsOf = (text: string, split: Split): string[] =>
  split(HAS_DIGIT.test(text) ? text.replace(TERMS, withoutCodes) : text).title.split(' ')

/** The words of a text that name something, in their order: no numbers, units, codes and single letters. */
export const namingWords = (text: string, split: Split = searchWords): string[] => wordsOf(text, split).filter(isNaming)

/** The words before the first measure: those after `Shampoo 12 oz` say which sort it is. */
const beforeMeasure = (phrase: string): string => {
  for (const { index, 1: unit } of phrase.matchAll(MEASURES))
    if (unit === undefined || searchUnit(singular(unit.toLowerCase())) !== undefined) return phrase.slice(0, index)
  return ''
}

/** The noun of a phrase: of an English one the last word that is not light, of a French one the first. */
const headOf = (words: readonly string[], isFrench: boolean): string => {
  const heavy = words.filter((word) => !isLight(word))
  const nouns = heavy.length > 0 ? heavy : words
  return (isFrench ? nouns[0] : nouns.at(-1)) ?? ''
}

type Part = { phrase: string; words: readonly string[] }

/** The parts of a name between its dashes and commas. */
const partsOf = (name: string, split: Split): Part[] =>
  name.split(PARTING).map((part) => {
    const phrase = part.replace(PURPOSE, '')
    return { phrase, words: namingWords(phrase.replace(LIGHT_PHRASES, ' '), split) }
  })

/** Words without the first occurrence of a phrase: `Case Logic Laptop Case` keeps its last word. */
const withoutPhrase = (words: readonly string[], phrase: readonly string[]): readonly string[] => {
  const at =
    phrase.length === 0 ? -1 : words.findIndex((_, from) => phrase.every((word, i) => words[from + i] === word))
  return at < 0 ? words : [...words.slice(0, at), ...words.slice(at + phrase.length)]
}

/** Splits each text once: the parts of a short name are the whole of it. */
const splitOnce = (split: Split): Split => {
  const seen = new Map<string, ReturnType<Split>>()
  return (text) => {
    const key = text.trim()
    const words = seen.get(key) ?? split(key)
    seen.set(key, words)
    return words
  }
}

const read = (name: string, brand: string | null, splitText: Split): NameReading => {
  const split = splitOnce(splitText)
  const text = name.slice(0, MAX_LETTERS).replace(BRACKETS, ' ')
  const parts = partsOf(text, split)
  const ofBrand = brand === null ? [] : namingWords(brand, split)
  const own = ({ words }: Part) => withoutPhrase(words, ofBrand)
  // A maker or a grade may come alone before the thing: `Club House - Seasoning`, `Organic, Bananas`.
  const naming = parts.findIndex((part) => own(part).some((word) => !isLight(word)))
  const at =
    naming >= 0
      ? naming
      : Math.max(
          0,
          parts.findIndex(({ words }) => words.length > 0),
        )
  const leading = parts[at]!
  const lead = own(leading).length > 0 ? own(leading) : leading.words
  const measured = withoutPhrase(namingWords(beforeMeasure(leading.phrase), split), ofBrand)
  const places = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const { word } of split(text).words) if (!places.has(word)) places.set(word, weight)
  }
  add(`${leading.phrase} ${brand ?? ''}`, PLACES.leading)
  for (const { phrase } of parts) add(phrase, PLACES.elsewhere)
  add(text, PLACES.purpose)
  const telling = withoutPhrase(namingWords(text.replace(LIGHT_PHRASES, ' '), split), ofBrand)
  return {
    lead,
    telling: telling.filter((word) => !isLight(word) && (!PACKAGING.has(word) || lead.includes(word))),
    heads: [...new Set([lead, measured].map((words) => headOf(words, FRENCH.test(leading.phrase))))].filter(Boolean),
    brand: new Set(ofBrand),
    places,
  }
}

/** Reads a text that asks for a product, as if it were its name. Bounded, and never throws. */
export const readText = (text: string): NameReading => read(text, null, searchWords)

/** Questions find the same names over and over. */
const known = new Map<string, NameReading>()
const MAX_KNOWN = 10_000

/** Reads the name of a product. Bounded, and never throws. */
export const readName = (name: string, brand: string | null = null): NameReading => {
  const key = `${brand ?? ''}\n${name}`
  const reading = known.get(key) ?? read(name, brand, wordsOfName)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, reading)
  return reading
}
