import { singular, unaccented } from '../contract/text.ts'
import { withoutParts } from './absence.ts'
import { withoutGeneral } from './general-words.ts'
import { isModifier } from './modifiers.ts'
import { intersection } from './postings.ts'
import type { SearchIndex } from './search-index.ts'
import { otherWordings, type Wording, withoutAim } from './wordings.ts'
import { searchWords } from './words.ts'

const same = (text: string): Wording => ({ text, left_out: [] })

/** The words of a request in another order, unless one at the end says no more there. */
const inOrder = (words: readonly (string | undefined)[]): Wording => {
  const text = words.join(' ')
  return { ...same(text), ...(withoutGeneral(text) === text ? { isReordered: true } : {}) }
}

/** What a thing is for or made of, after it, which names say before it: `pasta made from lentils`, `Entferner für Augen-Make-up`. */
const MADE_OF = /^(.*\S)\s+(?:made\s+(?:from|of|out of|with)|for|aus|für)\s+(\S+(?:\s+\S+)?)$/iu

/** What a thing is covered or filled with, after it: `raisins coated in chocolate`. */
const COVERED =
  /^(.*\S)\s+(coated|covered|dipped|enrobed|filled|infused|stuffed|topped|wrapped)\s+(?:in|with)\s+(\S+(?:\s+\S+)?)$/i

/** What a thing is against, as German names put it: `Shampoo gegen Schuppen`. */
const AGAINST = /^(.*\S)\s+gegen\s+(\S+)$/iu

/** Other forms of a thing, or what its shelf is called, of some only after the number of a model, where nothing is what a text says. */
const OTHER_FORMS: readonly (readonly [pattern: RegExp, other: string])[] = [
  [/(?<!\S)(\S+) powder$/i, 'ground $1'],
  [/\bground (\S+)$/i, '$1 powder'],
  [/(?<=\p{L}\d\S*\s+)(?:ssd|solid state drive)s?$/iu, 'hard drive'],
  [/(?<=\p{L}\d\S*\s+)boards?$/iu, 'motherboard'],
  [/\blager(?: beer)?s?$/i, 'beer'],
]

/** A text in the order of names: `lentils pasta`. */
const inNameOrder = (text: string): string =>
  text.replace(MADE_OF, '$2 $1').replace(COVERED, '$3 $2 $1').replace(AGAINST, 'anti$2 $1')

/** A text that says the thing before its brand, in the order of names: `pens bic black` is `bic black pens`; none of others. */
const brandFirst = (text: string, { vocabulary }: SearchIndex): Wording[] => {
  const terms = text.split(/\s+/)
  const isOf = (term: string | undefined, is: (word: string) => boolean): boolean => {
    const [first, ...others] = searchWords(term ?? '').words
    return first !== undefined && others.length === 0 && is(first.word)
  }
  const place = terms.findIndex((term, at) => at > 0 && isOf(term, vocabulary.isBrand))
  if (place <= 0) return []
  const isThing = (word: string): boolean => vocabulary.withHead(word).length > 0 && !isModifier(word)
  const [brand, rest] = [terms[place]!, terms.toSpliced(place, 1)]
  const [first, last] = [isOf(rest[0], isThing), isOf(rest.at(-1), isThing)]
  return [
    ...(first && place === 1 ? [[brand, ...rest.slice(1), rest[0]!]] : []),
    ...(last ? [[brand, ...rest]] : []),
  ].map(inOrder)
}

/** A text with its last word first, if what is before that is more often what names are of: `sake junmai` is `junmai sake`. */
const lastFirst = (text: string, { vocabulary, withWord }: SearchIndex): Wording[] => {
  const terms = text.split(/\s+/)
  const [before, last] = terms.slice(-2).map((term) => singular(unaccented(term)))
  if (vocabulary.isCompounding || isModifier(before ?? '') || !LETTERS_ONLY.test(last ?? '')) return []
  if (withWord(last!).length === 0) return []
  const [share, lastShare] = [before!, last!].map((word) => vocabulary.headShare(word) ?? 0)
  const ordered = inOrder([terms.at(-1), ...terms.slice(0, -1)])
  return share! > lastShare! ? [{ ...ordered, isOtherForm: true }] : []
}

/** A form of a thing, or what it is for, before it: names that put the thing first say `lavavajillas en pastillas`. */
const FORM_OF = /^(\S+)\s+(?:de|para|pour)\s+(\S+)$/i

const thingFirst = (text: string, { vocabulary }: SearchIndex): Wording[] =>
  vocabulary.isHeadFirst && FORM_OF.test(text)
    ? [{ ...same(text.replace(FORM_OF, '$2 en $1')), isOtherForm: true, isReordered: true }]
    : []

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
    ...brandFirst(text, index).flatMap((one) => [one, ...otherWordings(one.text)]),
    same(ordered),
    ...OTHER_FORMS.map(([pattern, other]) => ({ ...same(text.replace(pattern, other)), isOtherForm: true as const })),
    same(withoutJoints(ordered, index)),
    ...withoutAim(text),
    ...lastFirst(text, index),
    ...thingFirst(text, index),
  ]
  return [
    ...new Map(
      others.filter((one) => one.text.toLowerCase() !== text.toLowerCase()).map((one) => [one.text, one]),
    ).values(),
  ]
}
