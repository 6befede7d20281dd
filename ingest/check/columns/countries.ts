import { readFileSync } from 'node:fs'
import { LANGUAGES } from './names.ts'

/** A country's currency and languages, most important first. */
type Country = { code: string; currency: string; languages: readonly string[] }

const COUNTRIES: readonly Country[] = Object.entries(
  JSON.parse(readFileSync(new URL('countries.json', import.meta.url), 'utf8')) as Record<string, string>,
).map(([code, text]) => {
  const [currency = '', ...languages] = text.split(' ')
  return { code, currency, languages }
})

const byCode = new Map(COUNTRIES.map((country) => [country.code, country]))

export const currencyOfCountry = (code: string): string | undefined => byCode.get(code)?.currency

let names: Map<string, string> | undefined

/** The countries' names in all languages, and their codes. */
const countryNames = (): Map<string, string> => {
  if (names) return names
  names = new Map([
    ['usa', 'us'],
    ['u.s.', 'us'],
    ['u.s.a.', 'us'],
    ['840', 'us'],
    ['can', 'ca'],
    ['124', 'ca'],
    ['uk', 'gb'],
    ['united states of america', 'us'],
  ])
  for (const language of LANGUAGES.keys()) {
    const display = new Intl.DisplayNames([language], { type: 'region' })
    for (const { code } of COUNTRIES) names.set((display.of(code.toUpperCase()) ?? code).toLowerCase(), code)
  }
  for (const { code } of COUNTRIES) names.set(code, code)
  return names
}

/** The country that a code or a name in any language means. */
export const countryOf = (word: string): string | undefined => countryNames().get(word.trim().toLowerCase())

/** A reason to believe in some countries. */
export type CountryHint = { countries: readonly string[]; seen: string; weight: number }

const codesWhere = (test: (country: Country) => boolean): string[] => COUNTRIES.filter(test).map(({ code }) => code)

export const hintOfCurrency = (currency: string, seen: string): CountryHint => ({
  countries: codesWhere((country) => country.currency === currency),
  seen,
  weight: 3,
})

export const hintOfLanguage = (language: string): CountryHint => ({
  countries: codesWhere(({ languages }) => languages.includes(language)),
  seen: `texts are in ${new Intl.DisplayNames(['en'], { type: 'language' }).of(language)}`,
  weight: 1,
})

/** Of countries with a common language or currency, those with most shops. */
const HOMES: ReadonlySet<string> = new Set('us es br de fr it nl cn sa ru rs gr ro kr gb tr my'.split(' '))

/** The most likely country by all hints; null without one that decides. */
export const likelyCountry = (hints: readonly CountryHint[]): string | null => {
  const scores = new Map<string, number>()
  for (const { countries, weight } of hints)
    for (const code of countries) {
      scores.set(code, (scores.get(code) ?? 0) + weight + (HOMES.has(code) ? 0.1 : 0))
    }
  return [...scores].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
