import { memoized, readData } from './kinds.ts'
import { LANGUAGES } from './names.ts'

/** Countries by code, each with its currency and languages, most important first, and the zone of most people if it has several. */
const COUNTRIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(readData<Record<string, string>>('countries.json')).map(([code, text]) => [code, text.split(' ')]),
)

export const currencyOfCountry = (code: string): string | undefined => COUNTRIES.get(code)?.[0]

/** The languages of all countries. */
export const languagesOfCountries = (): string[] =>
  [...COUNTRIES.values()].flatMap((words) => words.filter((word) => /^[a-z]{2}$/.test(word)))

/** Whether a country writes decimal commas. */
export const isCommaCountry = (country: string): boolean => {
  const language = COUNTRIES.get(country)?.find((word) => /^[a-z]{2}$/.test(word)) ?? 'en'
  return (1.5).toLocaleString(`${language}-${country}`, { numberingSystem: 'latn' }).includes(',')
}

/** A time zone of a country. */
export const zoneOf = (country: string | null): string => {
  // The types of Node lack what it has since version 20.
  const locale = country === null ? null : (new Intl.Locale(`und-${country}`) as { timeZones?: string[] })
  const main = COUNTRIES.get(country ?? '')?.find((word) => word.includes('/'))
  return main ?? locale?.timeZones?.[0] ?? 'America/Toronto'
}

/** Names that no list of languages has. */
const OTHER_NAMES = readData<Record<string, string>>('country-names.json')

/** A name in lower case, without accents, and with `and` for `&`. */
const folded = (name: string): string =>
  name.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/\s&\s/g, ' and ').normalize('NFC')

/** The countries' names in all languages, and their codes. */
const countryNames = memoized((): Map<string, string> => {
  const names = new Map(Object.entries(OTHER_NAMES))
  for (const language of LANGUAGES.keys()) {
    const display = new Intl.DisplayNames([language], { type: 'region' })
    for (const code of COUNTRIES.keys()) names.set(folded(display.of(code.toUpperCase()) ?? code), code)
  }
  for (const [name, code] of [...names]) names.set(`the ${name}`, code)
  for (const code of COUNTRIES.keys()) names.set(code, code)
  return names
})

/** The country that a code or a name in any language means. */
export const countryOf = (word: string): string | undefined => countryNames().get(folded(word))

/** A reason to believe in some countries. */
export type CountryHint = { countries: readonly string[]; seen: string; weight: number }

/** The hint that a currency or a language is. */
export const hintOf = (word: string, seen: string, weight: number): CountryHint => ({
  countries: [...COUNTRIES].flatMap(([code, words]) => (words.includes(word) ? code : [])),
  seen,
  weight,
})

/** The hint that decimal commas are. */
export const commaHint = (weight: number): CountryHint => ({
  countries: [...COUNTRIES.keys()].filter(isCommaCountry),
  seen: 'prices have decimal commas',
  weight,
})

/** Of countries with a common language or currency, those with most shops first. */
const HOMES = 'us de es fr it nl mx br ar cn sa ru rs gr ro kr gb tr my ir'.split(' ')

/** The country that most hints suggest, of several the one with most shops, and whether it is the only one; null without a hint. */
export const likelyCountry = (hints: readonly CountryHint[]): { country: string; isOnly: boolean } | null => {
  const scores = new Map<string, number>()
  for (const { countries, weight } of hints)
    for (const code of countries) scores.set(code, (scores.get(code) ?? 0) + weight)
  const most = Math.max(...scores.values())
  const best = [...scores].flatMap(([code, score]) => (score === most ? code : []))
  const country = HOMES.find((code) => best.includes(code)) ?? best[0]
  return country === undefined ? null : { country, isOnly: best.length === 1 }
}

const SCRIPTS = readData<[pattern: string, language: string][]>('scripts.json').map(([pattern, language]) => ({
  letters: new RegExp(pattern, 'iu'),
  language,
}))
const MIN_SCRIPT = 0.2

/** The language whose letters or small words the texts use; null where these do not show it. */
export const languageOfLetters = (texts: readonly string[]): string | null => {
  const script = SCRIPTS.find(
    ({ letters }) => texts.filter((text) => letters.test(text)).length > MIN_SCRIPT * texts.length,
  )
  return script?.language ?? null
}
