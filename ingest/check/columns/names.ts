import { readdirSync, readFileSync } from 'node:fs'
import type { Column } from '../../feeds/columns.ts'
import { SIGNS } from '../../feeds/currency-signs.ts'

/** A column, or words that change what a name means: fillers do not, places and variants distinguish listings. */
export type NamedColumn = Column | 'filler' | 'place' | 'variant' | 'price_decrease'

/** The names of a column in a language, separated by commas: sure ones, possible ones, and words that rule it out. */
export type LanguageNames = { names?: string; maybe?: string; not?: string }

/** What a file of a language has. In a language with compounds a name may end a longer word: `Verkaufspreis`. */
export type Language = Partial<Record<NamedColumn, LanguageNames>> & { compounds?: boolean }

const FOLDER = new URL('languages/', import.meta.url)

/** The names of columns by language. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  readdirSync(FOLDER)
    .sort()
    .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Language]),
)

// Removes English and French plurals; `scraped_on` is the same as `scraped_at`.
const stem = (word: string): string =>
  word === 'on' ? 'at' : word.length > 3 ? word.replace(/ies$/, 'y').replace(/([^su])s$/, '$1') : word

const FOLDED: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ə: 'e' }

/** The words of a column name in snake_case, camelCase or plain text: lower case, without accents or plurals. */
export const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[ıłøßæœđə]/g, (letter) => FOLDED[letter]!)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stem)

type SplitName = { words: readonly string[]; joined: string; weight: number }

/** The names of one column in all languages. */
type ColumnNames = {
  exact: Map<string, number>
  /** Names by their first word. */
  byWord: Map<string, SplitName[]>
  /** Names that may end a longer word, and words that rule a column out, whole or within such a word. */
  endings: SplitName[]
  not: SplitName[]
  notWithin: string[]
}

const SURE = 0.95
const POSSIBLE = 0.6
const RULED_OUT = 0.3

/** Scripts without spaces between words. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const MIN_ENDING = 4

const listed = (names = ''): string[] => (names === '' ? [] : names.split(', '))

const split = (name: string, weight: number): SplitName => {
  const words = wordsOf(name)
  return { words, joined: words.join(''), weight }
}

const mayEnd = ({ joined }: SplitName, hasCompounds: boolean): boolean =>
  SPACELESS.test(joined) ? joined.length > 1 : hasCompounds && joined.length >= MIN_ENDING

const columnNamesOf = (column: NamedColumn): ColumnNames => {
  const columnNames: ColumnNames = { exact: new Map(), byWord: new Map(), endings: [], not: [], notWithin: [] }
  for (const { [column]: entry = {}, compounds = false } of LANGUAGES.values()) {
    const names = [
      ...listed(entry.names).map((name) => split(name, SURE)),
      ...listed(entry.maybe).map((name) => split(name, POSSIBLE)),
    ]
    for (const name of names) {
      columnNames.exact.set(name.joined, Math.max(name.weight, columnNames.exact.get(name.joined) ?? 0))
      const [first = ''] = name.words
      columnNames.byWord.set(first, [...(columnNames.byWord.get(first) ?? []), name])
      if (mayEnd(name, compounds)) columnNames.endings.push(name)
    }
    const not = listed(entry.not).map((name) => split(name, 0))
    columnNames.not.push(...not)
    columnNames.notWithin.push(...not.filter((name) => mayEnd(name, compounds)).map(({ joined }) => joined))
  }
  return columnNames
}

const cachedNames = new Map<NamedColumn, ColumnNames>()

const columnNames = (column: NamedColumn): ColumnNames => {
  const cached = cachedNames.get(column) ?? columnNamesOf(column)
  cachedNames.set(column, cached)
  return cached
}

const CURRENCY_WORDS: ReadonlySet<string> = new Set([...SIGNS.keys()].flatMap(wordsOf))

const isFiller = (word: string): boolean => columnNames('filler').exact.has(word) || CURRENCY_WORDS.has(word)

/** How well the best of the names matches a column name that has other words too; 0 if none does. */
const partialScore = (words: readonly string[], { byWord, endings }: ColumnNames): number => {
  let best = 0
  for (const word of new Set(words))
    for (const name of byWord.get(word) ?? []) {
      if (!name.words.every((part) => words.includes(part))) continue
      const rest = words.filter((part) => !name.words.includes(part))
      const isEnd = name.words.at(-1) === words.at(-1)
      const fit = rest.every(isFiller) ? 0.88 : isEnd ? 0.66 : 0.55
      best = Math.max(best, name.weight * (fit + 0.01 * Math.min(name.words.length, 4)))
    }
  const joined = words.join('')
  for (const { joined: ending, weight } of endings)
    if (joined.endsWith(ending) || (SPACELESS.test(ending) && joined.startsWith(ending)))
      best = Math.max(best, weight * (joined.endsWith(ending) ? 0.8 : 0.6))
  return best
}

/** Whether a column name has a word that rules a column out, as `image_url` for `url`. */
export const isRuledOut = (name: string, column: NamedColumn): boolean => {
  const words = wordsOf(name)
  const { not, notWithin } = columnNames(column)
  const joined = words.join('')
  return (
    not.some((entry) => entry.words.every((word) => words.includes(word))) ||
    notWithin.some((word) => joined.includes(word))
  )
}

/** How well a column name matches a canonical column, from 0 to 1; 1 for the canonical name itself. */
export const nameScore = (name: string, column: NamedColumn): number => {
  const words = wordsOf(name)
  const joined = words.join('')
  if (joined === wordsOf(column).join('')) return 1
  const own = columnNames(column)
  const exact = own.exact.get(joined)
  if (exact !== undefined) return exact
  const partly = partialScore(words, own)
  return isRuledOut(name, column) ? partly * RULED_OUT : partly
}

/** The languages whose sure names of a column have this name. */
export const languagesOf = (name: string, column: NamedColumn): string[] => {
  const joined = wordsOf(name).join('')
  return [...LANGUAGES].flatMap(([code, language]) =>
    listed(language[column]?.names).some((entry) => wordsOf(entry).join('') === joined) ? [code] : [],
  )
}

/** Whether one of a name's words is among the words of a kind. */
export const hasWord = (name: string, kind: 'place' | 'variant'): boolean => {
  const { exact, endings } = columnNames(kind)
  const words = wordsOf(name)
  return words.some(
    (word) => exact.has(word) || endings.some(({ joined }) => SPACELESS.test(joined) && word.endsWith(joined)),
  )
}
