import { currenciesOf } from '../../feeds/currency-signs.ts'
import { type CountryHint, countryOf, currencyOfCountry, hintOfCurrency, hintOfLanguage } from '../columns/countries.ts'
import { languagesOf, wordsOf } from '../columns/names.ts'
import { guessPrices } from '../columns/prices.ts'
import { filledOf, shareOf } from '../columns/values.ts'
import { type Draft, guessed } from './draft.ts'

const HOST = /(?:^|href=["']?)(?:https?:)?\/\/(?:www\d?\.)?([^/:?#"'>]+)/i

export const hostsOf = (draft: Draft): string[] => {
  const url = guessed(draft, 'url')
  return url ? filledOf(url.values).flatMap((value) => HOST.exec(value)?.[1]?.toLowerCase() ?? []) : []
}

const SECOND_LEVEL = /^(?:com?|net|org|gov|edu|ac)$/

/** The name of a site without its endings: `shop.example.com.tr` is `example`. */
export const siteName = (host: string): string => {
  const parts = host.split('.').slice(0, -1)
  if (parts.length > 1 && SECOND_LEVEL.test(parts.at(-1)!)) parts.pop()
  return parts.at(-1) ?? host
}

/** The currencies that the files state: in a column, by the signs of prices, or in the name of the price column. */
export const statedCurrencies = (draft: Draft): { codes: readonly string[]; seen: string } | null => {
  const column = guessed(draft, 'currency')
  const words = column ? [...new Set(filledOf(column.values))] : []
  const codes = [...new Set(words.flatMap((word) => currenciesOf(word).slice(0, 1)))]
  if (column && codes.length > 0) {
    const meant = words.length === 1 ? currenciesOf(words[0]!) : codes
    return { codes: meant, seen: `"${column.name}" is ${words.slice(0, 3).join(', ')}` }
  }
  const price = guessed(draft, 'price')
  if (price === undefined) return null
  const { currencies, signs } = guessPrices(price.values, price.type)
  if (currencies.length > 0) return { codes: currencies, seen: `prices have ${signs.join(', ')}` }
  const inName = price.name
    .split(/[\s_()[\]/,.-]+/)
    .flatMap((word) => (word.length > 1 || /\p{Sc}/u.test(word) ? currenciesOf(word) : []))
  return inName.length > 0 ? { codes: inName, seen: `the name "${price.name}"` } : null
}

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Thai}/u, 'th'],
  [/[ґєії]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/[پچژگ]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/[əƏ]/u, 'az'],
  [/[ğışİ]/u, 'tr'],
  [/[ąęłńśźż]/u, 'pl'],
  [/[ěřů]/u, 'cs'],
  [/[ăâîșț]/u, 'ro'],
  [/[őű]/u, 'hu'],
  [/[ãõ]/u, 'pt'],
  [/[ñ¿]/u, 'es'],
  [/[ơưđạảấầ]/u, 'vi'],
  [/[āēīūģķļņ]/u, 'lv'],
  [/\p{Script=Han}/u, 'zh'],
]

const MIN_SCRIPT = 0.2

/** The language of a file: of its column names, unless they are English, else of the letters of its titles. */
const languageOf = (draft: Draft): string | null => {
  const votes = new Map<string, number>()
  for (const { column, source } of draft.guesses.values())
    for (const code of languagesOf(source, column)) votes.set(code, (votes.get(code) ?? 0) + 1)
  votes.delete('en')
  const [best] = [...votes].sort((a, b) => b[1] - a[1])
  if (best) return best[0]
  const names = draft.columns.map(({ name }) => name)
  for (const texts of [guessed(draft, 'product_name')?.values, guessed(draft, 'platform')?.values, names]) {
    const filled = filledOf(texts ?? [])
    const script = SCRIPTS.find(([letters]) => shareOf(filled, (text) => letters.test(text)) > MIN_SCRIPT)
    if (script) return script[1]
  }
  return null
}

/** Hints in the files that suggest a country. */
export const hintsOfCountry = (draft: Draft, stated: Stated): CountryHint[] => {
  const hosts = hostsOf(draft)
  const endings = new Set(hosts.map((host) => host.split('.').at(-1)!))
  const [ending = ''] = endings.size === 1 ? endings : []
  const country = ending === 'uk' ? 'gb' : ending
  const paths = draft.files.map(({ path }) => wordsOf(path))
  const named = (paths[0] ?? []).filter((word) => paths.every((words) => words.includes(word)))
  const inPath = named.flatMap((word) => {
    const code = word.length > 3 || ['us', 'usa', 'ca', 'uk'].includes(word) ? countryOf(word) : undefined
    return code ? [{ countries: [code], seen: `the file name contains ${word}`, weight: 2 }] : []
  })
  const language = languageOf(draft)
  const codes = stated?.codes ?? []
  return [
    ...codes.map((code) => ({ ...hintOfCurrency(code, stated!.seen), weight: codes.length === 1 ? 3 : 1.5 })),
    ...(currencyOfCountry(country) ? [{ countries: [country], seen: `URLs end in .${ending}`, weight: 2 }] : []),
    ...inPath,
    ...(language ? [hintOfLanguage(language)] : []),
  ]
}

/** The currencies that files state, most likely first, and where. */
export type Stated = ReturnType<typeof statedCurrencies>

/** The currency that the files state, or that a country has; null if neither is known. */
export const currencyIn = (country: string | null, stated: Stated): string | null => {
  const own = (country && currencyOfCountry(country)) ?? null
  if (!stated || stated.codes.length === 0) return own
  return own && stated.codes.includes(own) ? own : stated.codes[0]!
}
