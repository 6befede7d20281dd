import { readdirSync } from 'node:fs'
import { groupBy } from '../../../engine/index.ts'
import type { Column } from '../../feeds/columns.ts'
import { currenciesOf, SIGNS } from '../../feeds/currency-signs.ts'
import { isOf, memoized, readData } from './kinds.ts'

/**
 * A column, or words that change what a name means: fillers do not, places and variants distinguish listings, those of
 * files name no retailer, `after` has what something changed to, dimensions are measures of
 * a thing, and `net` says that prices are without tax.
 */
export type NamedColumn =
  | Column
  | (
      | 'filler'
      | 'place'
      | 'variant'
      | 'price_decrease'
      | 'sale'
      | 'fraction'
      | 'quantity'
      | 'dimension'
      | 'total'
      | 'text'
      | 'file'
      | 'after'
      | 'net'
    )

/** The names of a column in a language, separated by commas: sure ones, possible ones, and words that rule it out. */
export type LanguageNames = { names?: string; maybe?: string; not?: string }

/** What a file of a language has. In a language with compounds a name may end a longer word: `Verkaufspreis`. */
export type Language = Partial<Record<NamedColumn, LanguageNames>> & { compounds?: boolean }

/** The names of columns by language. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  readdirSync(new URL('languages/', import.meta.url))
    .sort()
    .map((file) => [file.replace('.json', ''), readData<Language>(`languages/${file}`)]),
)

// Removes English and French plurals; `scraped_on` is the same as `scraped_at`.
const stem = (word: string): string =>
  word === 'on' ? 'at' : word.length > 3 ? word.replace(/ies$/, 'y').replace(/([^su])s$/, '$1') : word

const FOLDED: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ə: 'e' }

/** Words for prices at the end of others, as in `acmeprice`, of languages without compounds. */
const JOINED = /(?<=\p{L}{2})(price|fiyat|precio|preco|prezzo|harga)(?=s?(?!\p{L}))/gu

/** The words of a name in snake_case, camelCase or plain text: lower case, without accents. */
export const fullWordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[ıłøßæœđə]/g, (letter) => FOLDED[letter]!)
    .replace(JOINED, ' $1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** The same without plurals. */
export const wordsOf = memoized((name: string) => fullWordsOf(name).map(stem))

const joinedOf = (name: string): string => wordsOf(name).join('')

/** A name, and whether it is one as a part of a longer word, too. */
type SplitName = { words: readonly string[]; joined: string; weight: number; mayEnd: boolean }

/** The names of one column in all languages. */
type ColumnNames = {
  exact: ReadonlyMap<string, number>
  /** Names by their first word. */
  byWord: ReadonlyMap<string, readonly SplitName[]>
  /** Names that may end a longer word, and those that rule the column out. */
  endings: readonly SplitName[]
  not: readonly SplitName[]
}

/** How well names match: sure ones, possible ones, and what remains where a word rules the column out. */
export const SURE = 0.95
export const POSSIBLE = 0.6
const RULED_OUT = 0.3

/** Scripts without spaces between words. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const MIN_ENDING = 4

const splitNames = (text: string | undefined, weight: number, compounds: boolean | undefined): SplitName[] =>
  (text?.split(', ') ?? []).map((name) => {
    const joined = joinedOf(name)
    const mayEnd = SPACELESS.test(joined) ? joined.length > 1 : compounds === true && joined.length >= MIN_ENDING
    return { words: wordsOf(name), joined, weight, mayEnd }
  })

const namesOf = memoized((column: NamedColumn): ColumnNames => {
  const all = [...LANGUAGES.values()].flatMap(({ [column]: { names, maybe } = {}, compounds }) => [
    ...splitNames(names, SURE, compounds),
    ...splitNames(maybe, POSSIBLE, compounds),
  ])
  return {
    exact: new Map(all.toSorted((a, b) => a.weight - b.weight).map(({ joined, weight }) => [joined, weight])),
    byWord: groupBy(all, ({ words }) => words[0] ?? ''),
    endings: all.filter(({ mayEnd }) => mayEnd),
    not: [...LANGUAGES.values()].flatMap(({ [column]: { not } = {}, compounds }) => splitNames(not, 0, compounds)),
  }
})

const CURRENCY_WORDS: ReadonlySet<string> = new Set([...SIGNS.keys()].flatMap(wordsOf))

/** Whether a word is the code of a currency. */
export const isCurrencyCode = (word: string): boolean => word.length === 3 && currenciesOf(word).length > 0

const isMoneyWord = (word: string): boolean => CURRENCY_WORDS.has(word) || isCurrencyCode(word)

/** How well the best of the names matches a column name that has other words too; 0 if none does. */
const partialScore = (words: readonly string[], { byWord, endings }: ColumnNames): number => {
  const isFiller = (word: string) => namesOf('filler').exact.has(word) || isMoneyWord(word)
  let best = 0
  for (const name of [...new Set(words)].flatMap((word) => byWord.get(word) ?? [])) {
    if (!name.words.every((part) => words.includes(part))) continue
    const rest = words.filter((part) => !name.words.includes(part))
    const fit = rest.every(isFiller) ? 0.88 : name.words.at(-1) === words.at(-1) ? 0.66 : 0.55
    best = Math.max(best, name.weight * (fit + 0.01 * Math.min(name.words.length, 4)))
  }
  const joined = words.filter((word) => !isFiller(word)).join('')
  for (const { joined: ending, weight } of endings)
    if (joined.endsWith(ending)) best = Math.max(best, weight * 0.8)
    else if (SPACELESS.test(ending) && joined.startsWith(ending)) best = Math.max(best, weight * 0.6)
  return best
}

/** Whether a column name has a word that rules a column out, as `image_url` for `url`. */
export const isRuledOut = (name: string, column: NamedColumn): boolean => {
  const words = wordsOf(name)
  const joined = words.join('')
  return namesOf(column).not.some(
    (name) => name.words.every((word) => words.includes(word)) || (name.mayEnd && joined.includes(name.joined)),
  )
}

/** Whether a name has a currency before `per`: `gasoline_usd_per_liter`. */
export const isRate = (name: string): boolean =>
  wordsOf(name).some((word, at, words) => isCurrencyCode(word) && words[at + 1] === 'per')

/** Whether a name has a unit after a slash, and what shows a price before it: `Price/kg`, `Harga (Rp/kg)`. */
const isPerUnit = (name: string): boolean => {
  const [before, unit] = /^(.*)\/ ?(\p{L}+)\.?\)?$/su.exec(name)?.slice(1) ?? []
  return !!before && isOf('unit', unit!) && wordsOf(before).some((word) => isMoneyWord(word) || isNamed(word, 'price'))
}

/** The words of a name, of which the last may be in one with another in scripts without spaces: `軽油単価`. */
export const wordsBefore = (name: string, column: NamedColumn): string[] =>
  wordsOf(name).flatMap((word) => {
    const ending = namesOf(column).endings.find(({ joined }) => SPACELESS.test(joined) && word.endsWith(joined))?.joined
    return ending === undefined || ending === word ? [word] : [word.slice(0, -ending.length), ending]
  })

/** Whether a name is the sign of a currency, at most with a word for prices without tax: `руб.`, `€ без ПДВ`. */
const isSign = (name: string): boolean => {
  const isMoney = (word: string) => !/^[a-z]{3}$/i.test(word) && currenciesOf(word).length > 0
  const words = name.split(/\s+/)
  const others = words.filter((word) => !isMoney(word)).join(' ')
  return words.some(isMoney) && (others === '' || isNamed(others, 'net'))
}

/** How well a column name matches a canonical column, from 0 to 1; 1 for the canonical name itself. */
export const nameScore = (name: string, column: NamedColumn): number => {
  if (joinedOf(name) === joinedOf(column)) return 1
  const names = namesOf(column)
  // `avg_eur` is an average price, `eur` alone may be a rate of exchange.
  const words = wordsOf(name).map((word, _, { length }) => (length > 1 && isCurrencyCode(word) ? 'price' : word))
  const rate = column === 'unit_price' && (isRate(name) || isPerUnit(name)) ? POSSIBLE : undefined
  const sign = column === 'price' && isSign(name) ? POSSIBLE : undefined
  const exact = names.exact.get(joinedOf(name)) ?? names.exact.get(words.join('')) ?? rate ?? sign
  return exact ?? partialScore(wordsOf(name), names) * (isRuledOut(name, column) ? RULED_OUT : 1)
}

const namedWords = memoized(
  () =>
    new Set(
      [...LANGUAGES.values()]
        .flatMap((language) => Object.values(language))
        .flatMap((entry) => (typeof entry === 'object' ? [entry.names, entry.maybe, entry.not] : []))
        .flatMap((names) => wordsOf(names ?? '')),
    ),
)

/** Whether a word is in the names of columns of any language. */
export const isWordOfNames = (word: string): boolean => namedWords().has(word) || CURRENCY_WORDS.has(word)

/** Whether a name is one of the sure names of a column. */
export const isNamed = (name: string, column: NamedColumn): boolean => nameScore(name, column) >= SURE

/** The languages whose sure names of a column have this name. */
export const languagesOf = (name: string, column: NamedColumn): string[] =>
  [...LANGUAGES].flatMap(([code, { [column]: entry }]) =>
    (entry?.names?.split(', ') ?? []).some((other) => joinedOf(other) === joinedOf(name)) ? code : [],
  )

/** Whether one of a name's words is among the words of a kind. */
export const hasWord = (name: string, kind: NamedColumn): boolean => {
  const { exact, endings } = namesOf(kind)
  const ends = (word: string) => endings.some(({ joined }) => SPACELESS.test(joined) && word.endsWith(joined))
  return wordsOf(name).some((word) => exact.has(word) || ends(word))
}
