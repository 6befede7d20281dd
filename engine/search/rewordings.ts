import { singular } from '../contract/text.ts'
import { withoutParts } from './absence.ts'
import { intersection } from './postings.ts'
import type { SearchIndex } from './search-index.ts'
import { otherWordings, type Wording } from './wordings.ts'
import { searchWords } from './words.ts'

const same = (text: string): Wording => ({ text, left_out: [] })

/** What a thing is for or made of, after it, which names say before it: `pasta made from lentils`, `Entferner für Augen-Make-up`. */
const MADE_OF = /^(.*\S)\s+(?:made\s+(?:from|of|out of|with)|for|aus|für)\s+(\S+(?:\s+\S+)?)$/iu

/** Spices that are ground, which names write in either way. */
const GROUND: readonly (readonly [pattern: RegExp, other: string])[] = [
  [/(?<!\S)(\S+) powder$/i, 'ground $1'],
  [/\bground (\S+)$/i, '$1 powder'],
]

/** A text in the order of names: `lentils pasta`. */
const inNameOrder = (text: string): string => text.replace(MADE_OF, '$2 $1')

/** A text that says the thing before its brand, in the order of names: `pens bic black` is `bic black pens`; none of others. */
const brandFirst = (text: string, { vocabulary }: SearchIndex): Wording[] => {
  const [first = '', second = '', ...rest] = text.split(/\s+/)
  const [thing, brand] = [first, second].map((one) => searchWords(one).words)
  const isOfBrand = brand!.length === 1 && vocabulary.isBrand(brand![0]!.word)
  const isThing = thing!.length === 1 && vocabulary.withHead(thing![0]!.word).length > 0
  return isOfBrand && isThing ? [same([second, ...rest, first].join(' '))] : []
}

/** A word of so few listings may be written as two in others. */
const MAX_RARE = 20
const MIN_PART = 3
const MAX_PAIR = 1000
/** Longer texts without a space are no words. */
const LETTERS_ONLY = /^\p{L}{1,40}$/u

/** The two words that a word of few listings is in more of them: `oxi clean`; the word itself if there are none. */
const apart = (typed: string, index: SearchIndex): string => {
  const count = index.withWord(singular(typed)).length
  if (count > MAX_RARE || !LETTERS_ONLY.test(typed)) return typed
  for (let cut = MIN_PART; cut <= typed.length - MIN_PART; cut += 1) {
    const parts = [typed.slice(0, cut), typed.slice(cut)]
    const lists = parts.map((part) => index.withWord(singular(part)))
    if (lists.every(({ length }) => length > 0) && intersection(lists, null, MAX_PAIR).length > 0)
      return parts.join(' ')
  }
  return typed
}

/** A text with the words apart that others write as two. */
const withoutJoints = (text: string, index: SearchIndex): string =>
  text
    .split(/\s+/)
    .map((word) => apart(word.toLowerCase(), index))
    .join(' ')

/**
 * What a request may mean where nothing is what it says, in other words: other names for the thing, what it is without, and the order
 * and the joints of the words of names.
 */
export const rewordings = (text: string, index: SearchIndex): Wording[] => {
  const ordered = inNameOrder(text)
  const isIndexed = (word: string): boolean => index.withWord(singular(word)).length > 0
  const others = [
    ...otherWordings(text),
    ...withoutParts(text, isIndexed).map((one) => ({ ...one, text: inNameOrder(one.text) })),
    ...brandFirst(text, index),
    same(ordered),
    ...GROUND.map(([pattern, other]) => ({ ...same(text.replace(pattern, other)), isOtherForm: true as const })),
    same(withoutJoints(ordered, index)),
  ]
  return [
    ...new Map(
      others.filter((one) => one.text.toLowerCase() !== text.toLowerCase()).map((one) => [one.text, one]),
    ).values(),
  ]
}
