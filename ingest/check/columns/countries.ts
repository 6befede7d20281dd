import { memoized, readData } from './kinds.ts'
import { LANGUAGES, wordsOf } from './names.ts'

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

/** The currency of the country that a word means. */
export const currencyNamed = (word: string): string | undefined => currencyOfCountry(countryOf(word) ?? '')

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

const bestBy = (hints: readonly CountryHint[]): string[] => {
  const scores = new Map<string, number>()
  for (const { countries, weight } of hints)
    for (const code of countries) scores.set(code, (scores.get(code) ?? 0) + weight)
  const most = Math.max(...scores.values())
  return [...scores].flatMap(([code, score]) => (score === most ? code : []))
}

/**
 * The country that most hints suggest, of several the one with most shops, and whether it is the only one for hints that
 * decide; null without a hint.
 */
export const likelyCountry = (hints: readonly CountryHint[]): { country: string; isOnly: boolean } | null => {
  const best = bestBy(hints)
  const country = HOMES.find((code) => best.includes(code)) ?? best[0]
  const decided = bestBy(hints.filter(({ weight }) => weight >= 1))
  return country === undefined ? null : { country, isOnly: decided.length === 1 && decided[0] === country }
}

/** The countries of well-known shops that have one name nearly everywhere, by it; none of those of many countries. */
const SHOPS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(readData<Record<string, string>>('shops.json')).flatMap(([countries, names]) =>
    names.split(', ').map((name) => [name, countries === '' ? [] : countries.split(' ')] as const),
  ),
)

const shopWords = memoized(() => new Set([...SHOPS.keys()].map((name) => wordsOf(name).join(''))))

export const isShop = (name: string): boolean => shopWords().has(wordsOf(name).join(''))

/** The hint that names of shops are: the countries of most of these that are well known. */
export const shopHint = (names: readonly string[], weight: number): CountryHint[] => {
  const shops = [...new Set(names)].filter((name) => SHOPS.get(name)?.length)
  const isIn = (code: string) => (shop: string) => SHOPS.get(shop)!.includes(code)
  const countries = [...new Set(shops.flatMap((shop) => SHOPS.get(shop)!))]
  const common = countries.filter((code) => 2 * shops.filter(isIn(code)).length > shops.length)
  return common.length === 0 ? [] : [{ countries: common, seen: `the shop ${shops.find(isIn(common[0]!))}`, weight }]
}

type Signs = { letters: [pattern: string, language: string][]; words: Record<string, string> }

const signs = readData<Signs>('scripts.json')
const LETTERS = signs.letters.map(([pattern, language]) => ({ pattern: new RegExp(pattern, 'iu'), language }))
const WORDS = Object.entries(signs.words).map(([language, words]) => ({
  pattern: new RegExp(`(?<![\\p{L}.])(?:${words.replaceAll(', ', '|')})(?!\\p{L})`, 'iu'),
  language,
}))

/** A language shows in more than this share of the texts, by its words in at least two. */
const MIN_EVIDENCE = { letters: 0.2, words: 0.1, texts: 2, ofEnglish: 2 }

/** The language whose letters or small words the texts use; null where these do not show it, or English as much. */
export const languageOfLetters = (texts: readonly string[]): string | null => {
  const countOf = ({ pattern }: { pattern: RegExp }) => texts.filter((text) => pattern.test(text)).length
  const letters = LETTERS.find((letter) => countOf(letter) > MIN_EVIDENCE.letters * texts.length)
  if (letters) return letters.language
  const counted = WORDS.map((word) => ({ language: word.language, count: countOf(word) }))
  const english = counted.find(({ language }) => language === 'en')!.count
  const least = Math.max(MIN_EVIDENCE.texts - 1, MIN_EVIDENCE.words * texts.length, MIN_EVIDENCE.ofEnglish * english)
  const [best] = counted.filter(({ count }) => count > least).toSorted((a, b) => b.count - a.count)
  return best?.language ?? null
}
