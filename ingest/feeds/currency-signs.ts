import { readFileSync } from 'node:fs'
import { CURRENCIES } from '../../engine/index.ts'

const signs = JSON.parse(readFileSync(new URL('currency-signs.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

/** What prices are marked with besides codes of ISO 4217, and the currencies that it may mean, most likely first. */
export const SIGNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(signs).map(([sign, codes]) => [sign, codes.split(' ')]),
)

/** The currencies, separated by spaces, that a sign or a code may mean; in upper case, without dots around it. */
export const currenciesBySign: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(signs).map(([sign, codes]) => [sign.toUpperCase().replace(/^\.+|\.+$/g, ''), codes]),
  ),
  ...Object.fromEntries([...CURRENCIES].map((code) => [code, code])),
}

/** The currencies that a sign or code can mean; none for another text. */
export const currenciesOf = (text: string): readonly string[] =>
  currenciesBySign[
    text
      .trim()
      .toUpperCase()
      .replace(/^\.+|\.+$/g, '')
  ]?.split(' ') ?? []

/** Words for several units of a currency, and how many: tomans of ten rials, and the ten thousands of East Asia. */
const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ...['تومان', 'تومن', 'TOMAN', 'TOMANS'].map((word) => [word, 10] as const),
  ...['万円', '万元', '만원'].map((word) => [word, 10_000] as const),
])

/** For SQL: how many units of its currency a word counts, by the word in upper case. */
export const unitsByWord: Readonly<Record<string, string>> = Object.fromEntries(
  [...MULTIPLES].map(([word, units]) => [word, String(units)]),
)

/** How many units of its currency a word counts; 1 for all but a few. */
export const unitsOf = (word: string): number => MULTIPLES.get(word.trim().toUpperCase()) ?? 1
