import { singular, unaccented } from '../contract/text.ts'
import type { Wording } from './wordings.ts'

/** What a thing is without, anywhere in a text: `without skin or bones`, `no gluten`, `ohne Kerne`. */
const ABSENT =
  /(?<=\S)\s+(?:without|with no|with zero|no|ohne|frei von)\s+(?:any\s+|added\s+|the\s+)?(\p{L}+)(?:\s+(?:or|and|nor|oder|und)\s+(?:no\s+|ohne\s+)?(\p{L}+))?(?=\s|$)/iu

/** Parts of fruits and nuts of which the participle says that they are gone: `pitted` is without pits. */
const REMOVED: ReadonlyMap<string, string> = new Map(
  Object.entries({ core: 'cored', hull: 'hulled', peel: 'peeled', pit: 'pitted', shell: 'shelled', stone: 'pitted' }),
)
/** Endings of German plurals. */
const PLURAL = /e?[nrs]?$/

/** The words that say alone that a thing is without something. */
const absences = (part: string): string[] => {
  const word = singular(unaccented(part))
  const stem = word.replace(PLURAL, '')
  const participle = REMOVED.get(word)
  return [
    ...(participle === undefined ? [] : [participle]),
    `${word}less`,
    `un${word}ed`,
    ...[word, stem].flatMap((each) => [`${each}frei`, `${each}los`]),
  ]
}

/**
 * A text that says what a thing is without in the words of names, before the thing: `seedless grapes`, `gluten free bread`. Only words
 * that the catalogue has.
 */
export const withoutParts = (text: string, isIndexed: (word: string) => boolean): Wording[] => {
  const [found, ...parts] = ABSENT.exec(text) ?? []
  if (found === undefined) return []
  const rest = text.replace(found, '').trim()
  const inWords = parts.filter(Boolean).map((part) => {
    const single = absences(part!).filter(isIndexed)
    return [...single, `${singular(part!)} free`, `no ${part}`]
  })
  const most = Math.max(...inWords.map(({ length }) => length))
  return Array.from({ length: most }, (_, rank) => ({
    text: [...inWords.map((words) => words[Math.min(rank, words.length - 1)]), rest].join(' '),
    left_out: [],
  }))
}
