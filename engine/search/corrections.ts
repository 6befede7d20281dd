import { singular } from '../contract/text.ts'
import { editDistance } from './edit-distance.ts'
import { isModifier, isPart } from './modifiers.ts'
import { intersection, type Postings } from './postings.ts'
import type { SearchIndex } from './search-index.ts'
import { typosOf } from './typos.ts'

/** Two errors are corrected in words of this length, and in those of so many letters that sound alike: `vinager`, `lettus`. */
const MIN_LENGTH_OF_TWO = 8
const MIN_LENGTH_ALIKE = 6
/** A letter that is or is not doubled is half an error: `peper`. */
const DOUBLED = 0.5
/** Words with the same first letters that are compared with a word of two errors. */
const [SAME_LETTERS, MAX_COMPARED] = [3, 2000]

/** How likely a correction is: by how often the word occurs, less for each error. */
const likelihood = (count: number, errors: number): number => Math.log(1 + count) - 2.5 * errors

export type WordLookup = Pick<SearchIndex, 'withWord' | 'wordsFrom'>

/** How many listings of those with other words of a query have a word; no more than `max` are counted. */
export const countBeside = (index: WordLookup, beside: readonly Postings[], word: string, max: number): number =>
  intersection([index.withWord(word), ...beside], null, max).length

/** The likeliest of the words that listings have with the other words of the query; of all if they have none. */
const likeliest = (
  index: WordLookup,
  words: Iterable<string>,
  errorsOf: (word: string) => number,
  beside: readonly Postings[],
): string[] => {
  const indexed = [...words].filter((word) => index.withWord(word).length > 0)
  const together = beside.length === 0 ? [] : indexed.filter((word) => countBeside(index, beside, word, 1) > 0)
  let best: { word: string; score: number } | undefined
  for (const word of together.length > 0 ? together : indexed) {
    const count = index.withWord(word).length
    const score = likelihood(count, errorsOf(word))
    if (!best || score > best.score || (score === best.score && word < best.word)) best = { word, score }
  }
  return best ? [best.word] : []
}

const undoubled = (word: string): string => word.replace(/(.)\1+/g, '$1')
/** Without letters that are not heard: `sourdough`, `light`. */
const heardOf = (word: string): string => word.replace(/(?<=[aeo]u|i)gh(?=t?$)/g, '')
const soundOf = (word: string): string =>
  undoubled(
    heardOf(word)
      .replace(/[ckqxz]/g, 's')
      .replace(/[aeiouy]/g, ''),
  )

/** The errors by letters, or one for letters that are not heard and those by the others. */
const spelledErrors = (word: string, other: string): number => {
  const errors = editDistance(word, other, 2)
  const heard = heardOf(other)
  return heard === other ? errors : Math.min(errors, 1 + editDistance(word, heard, 1))
}

/** Such a vowel before the last `s` ends the singular, too, or the word is no plural: `whiskas` is neither `whisky` nor `whisk`. */
const VOWEL_BEFORE_S = /[aiou](?=s$)/

/** The word as it should be spelt: with the same first letter and one error, or two in a long word; none if there is none. */
export const corrected = (
  index: WordLookup,
  typed: string,
  beside: readonly Postings[],
  mayBeModifier = true,
): string[] => {
  const word = singular(typed)
  const end = word === typed ? '' : (VOWEL_BEFORE_S.exec(typed)?.[0] ?? '')
  const typos = typosOf(typed, 1)
  const errorsOf = (other: string) => (undoubled(word) === undoubled(other) ? DOUBLED : spelledErrors(word, other))
  const isAlike = (other: string) => typed.length >= MIN_LENGTH_OF_TWO || soundOf(word) === soundOf(other)
  const one = [...typos].map(singular)
  const near = typed.length < MIN_LENGTH_ALIKE ? [] : index.wordsFrom(word.slice(0, SAME_LETTERS), MAX_COMPARED)
  const two = near.filter((other) => other !== word && errorsOf(other) <= 2 && isAlike(other))
  const all = new Set([...one, ...two].filter((other) => other.endsWith(end) || typos.has(other)))
  return likeliest(
    index,
    mayBeModifier ? all : [...all].filter((other) => !isModifier(other) && !isPart(other)),
    errorsOf,
    beside,
  )
}

/** Whether words differ only in a letter that is doubled or, if they are long, in vowels. */
export const soundsSame = (word: string, other: string): boolean =>
  undoubled(word) === undoubled(other) ||
  (word.length >= MIN_LENGTH_OF_TWO && editDistance(word, other, 1) === 1 && soundOf(word) === soundOf(other))
