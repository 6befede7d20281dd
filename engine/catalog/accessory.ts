import { fold } from '../contract/text.ts'

const ACCESSORY_WORDS: ReadonlySet<string> = new Set(
  'accessory accessories part parts replacement replacements'.split(' '),
)

/** A kind of food, not a replacement part. */
const MEALS = /\bmeal replacements?\b/g

/** Whether a text has a word for accessories, parts or replacements. */
export const hasAccessoryWord = (text: string): boolean =>
  fold(text)
    .replace(MEALS, '')
    .split(' ')
    .some((word) => ACCESSORY_WORDS.has(word))

/** Whether the name of a shelf covers both products and their accessories: `Costumes & Accessories`, not `Parts & Accessories`. */
export const isMixedName = (name: string): boolean => {
  const mixed = /^(.+) and (\w+)$/.exec(fold(name))
  return mixed !== null && ACCESSORY_WORDS.has(mixed[2]!) && !hasAccessoryWord(mixed[1]!)
}

/** Whether the name of a shelf covers only accessories, parts or replacements: `Watch Accessories`, `Camera Parts`. */
export const isAccessoryName = (name: string): boolean => hasAccessoryWord(name) && !isMixedName(name)
