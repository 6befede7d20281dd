/** Words that do not change the meaning of a column name. */
const FILLERS = new Set(
  (
    'product prod prd item itm listing offer article produit the a of de du la le des en d l current actual name nom text txt value val ' +
    'raw formatted display col column field no nr nbr num number numero base long full main default web online page ' +
    'usa my data info attribute attr final latest std standard fld x v new'
  ).split(' '),
)

// Removes plurals; `scraped_on` is the same as `scraped_at`.
const stem = (word: string): string =>
  word === 'on' ? 'at' : word.length > 3 ? word.replace(/ies$/, 'y').replace(/([^su])s$/, '$1') : word

/** The words of a column name in snake_case, camelCase or plain text: lower case, without accents or plurals. */
export const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stem)

/** Names of a column: common ones, ambiguous ones, and words that rule it out. */
export type Synonyms = { common: readonly string[]; ambiguous?: readonly string[]; not?: readonly string[] }

type SplitName = { words: readonly string[]; joined: string }

const readName = (name: string): SplitName => {
  const words = wordsOf(name)
  return { words, joined: words.join('') }
}

const memo = new Map<readonly string[], SplitName[]>()

const readNames = (names: readonly string[]): SplitName[] => {
  const cached = memo.get(names)
  if (cached) return cached
  const read = names.map(readName)
  memo.set(names, read)
  return read
}

/** How well the best of these names matches a column name that has other words too; 0 if none does. */
const fitOf = ({ words }: SplitName, names: readonly string[]): number => {
  let best = 0
  for (const name of readNames(names)) {
    if (!name.words.every((word) => words.includes(word))) continue
    const rest = words.filter((word) => !name.words.includes(word))
    const isEnd = name.words.at(-1) === words.at(-1)
    const fit = rest.every((word) => FILLERS.has(word)) ? 0.88 : isEnd ? 0.66 : 0.55
    best = Math.max(best, fit + 0.01 * Math.min(name.words.length, 4))
  }
  return best
}

const COMMON = 0.95
const AMBIGUOUS = 0.6
const RULED_OUT = 0.3

/** Whether a column name has a word that rules the column out, as `image_url` for `url`. */
export const isRuledOut = (column: string, { not = [] }: Synonyms): boolean => {
  const words = wordsOf(column)
  return readNames(not).some((name) => name.words.every((word) => words.includes(word)))
}

/** How well a column name matches a canonical column, from 0 to 1; 1 for the canonical name itself. */
export const nameScore = (column: string, target: string, { common, ambiguous = [], not = [] }: Synonyms): number => {
  const read = readName(column)
  const isOne = (names: readonly string[]) => readNames(names).some(({ joined }) => joined === read.joined)
  if (read.joined === readName(target).joined) return 1
  if (isOne(common)) return COMMON
  if (isOne(ambiguous)) return AMBIGUOUS
  const partly = Math.max(COMMON * fitOf(read, common), AMBIGUOUS * fitOf(read, ambiguous))
  return isRuledOut(column, { common, not }) ? partly * RULED_OUT : partly
}
