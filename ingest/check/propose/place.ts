import { domainToASCII } from 'node:url'
import { currenciesOf } from '../../feeds/currency-signs.ts'
import {
  type CountryHint,
  countryOf,
  currencyOfCountry,
  hintOf,
  languageOfLetters,
  likelyCountry,
} from '../columns/countries.ts'
import { filledOf } from '../columns/kinds.ts'
import { hasWord, isNamed, languagesOf, wordsOf } from '../columns/names.ts'
import { ownName } from '../columns/wide.ts'
import type { SampledColumn } from '../read/sample.ts'
import {
  type Draft,
  decide,
  examples,
  guessed,
  inBrackets,
  note,
  reference,
  sourceOf,
  state,
  take,
  takeSql,
} from './draft.ts'

const PLATFORM_KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** A retailer's key as `platform` has it. */
export const platformKey = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)

const isKey = (value: string): boolean => PLATFORM_KEY.test(value.toLowerCase())
const isLatin = (value: string): boolean => !/[^\p{Script=Latin}\P{L}]/u.test(value)

/** A name of any script in the letters of host names: `xn--...`. */
const hostKey = (name: string): string =>
  isLatin(name)
    ? platformKey(name)
    : domainToASCII(name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')).slice(0, 64)

const MAX_NAMES = 200

/** Maps a column of names: keys as they are, other names in lower case with hyphens, other scripts as in host names. */
const takePlatform = (draft: Draft, source: SampledColumn): void => {
  const names = [...new Set(filledOf(source.values))]
  const isLatinAll = names.every(isLatin)
  const text = reference(source)
  const key = `left(trim(regexp_replace(lower(strip_accents(${text})), '[^a-z0-9]+', '-', 'g'), '-'), 64)`
  const called = names.map((name) => [name, platformKey(ownName(name))] as const)
  if (draft.files[0]?.options.unpivot && called.some(([name, own]) => wordsOf(name).join('-') !== own)) {
    take(draft, 'platform', source)
    state(draft, 'values', { platform: Object.fromEntries(called) })
  } else if (names.every(isKey)) take(draft, 'platform', source)
  else if (isLatinAll) takeSql(draft, 'platform', key, source)
  else if (names.length > MAX_NAMES) {
    const code = `CASE WHEN regexp_matches(${text}, '[^\\x00-\\x{024f}]') THEN 's-' || left(md5(${text}), 12) ELSE ${key} END`
    takeSql(draft, 'platform', code, source)
  } else {
    take(draft, 'platform', source)
    const keys = names.filter((name) => !isKey(name)).map((name) => [name, hostKey(name)])
    state(draft, 'values', { platform: Object.fromEntries(keys) })
  }
}

const HOST = /(?:^|href=["']?)(?:https?:)?\/\/(?:www\d?\.)?([^/:?#"'>]+)/i
const SECOND_LEVEL = /^(?:com?|net|org|gov|edu|ac)$/

/** The hosts that the links of the files lead to. */
const hostsOf = (draft: Draft): string[] => [
  ...new Set((guessed(draft, 'url')?.filled ?? []).flatMap((value) => HOST.exec(value)?.[1]?.toLowerCase() ?? [])),
]

/** The sites of hosts without their endings: `shop.example.com.tr` is `example`. */
const sitesOf = (hosts: readonly string[]): string[] => {
  const sites = hosts.map((host) => {
    const parts = host.split('.').slice(0, -1)
    if (parts.length > 1 && SECOND_LEVEL.test(parts.at(-1)!)) parts.pop()
    return parts.at(-1) ?? host
  })
  return [...new Set(sites)]
}

/** The only site that the links of the files lead to, as a retailer's key. */
export const siteOf = (draft: Draft): string | null => {
  const sites = sitesOf(hostsOf(draft))
  return sites.length === 1 ? platformKey(sites[0]!) : null
}

/** A column of shop or seller numbers, which may be retailers or branches of one. */
const isShopNumber = (draft: Draft, column: SampledColumn): boolean => {
  const words = wordsOf(column.name)
  const isShop = words.some((word) => /^(?:store|shop|merchant|vendor|retailer|magasin)$/.test(word))
  return isShop && !words.includes('count') && !draft.used.has(column.name) && sourceOf(column).share('number') > 0.9
}

/** Whether a word of a file's path may be the name of a retailer. */
const isRetailer = (word: string): boolean =>
  /^\p{L}{3,}$/u.test(word) && !hasWord(word, 'file') && !isNamed(word, 'price') && !isNamed(word, 'product_name')

/** Words that all paths have. */
const commonWords = ({ files }: Draft): string[] => {
  const [first = [], ...others] = files.map(({ path }) => wordsOf(path))
  return first.filter((word) => others.every((words) => words.includes(word)))
}

const MAX_SITES = 40
const MAX_FILES = 4

const describePlatform = (draft: Draft) => {
  const [source, url] = [guessed(draft, 'platform'), guessed(draft, 'url')]
  if (source) return takePlatform(draft, source)
  const hosts = hostsOf(draft)
  const sites = sitesOf(hosts)
  if (sites.length > 1 && sites.length < MAX_SITES && url && draft.columns.length < 6) {
    const host = `regexp_extract(lower(${reference(url)}), '//(?:www\\.)?([^/:?#"'']+)', 1)`
    takeSql(draft, 'platform', `replace(${host}, '.', '-')`, url)
    return note(draft, 'platformFromHost', { source: url.name, hosts })
  }
  const numbers = draft.columns.find((column) => isShopNumber(draft, column))
  const seen = commonWords(draft).filter(isRetailer)
  // Of a few files, each may be named after its own retailer.
  const isFew = seen.length === 0 && draft.files.length <= MAX_FILES
  const each = isFew ? draft.files.flatMap(({ path }) => wordsOf(path).find(isRetailer) ?? []) : []
  const [suggested] = [...(sites.length === 1 ? sites : []), ...seen, ...(each.length === 1 ? each : [])]
    .map(platformKey)
    .filter((key) => PLATFORM_KEY.test(key))
  if (suggested) draft.suggested.platform = suggested
  const hints = [
    ...(numbers ? [`"${numbers.name}" has only numbers: ${examples(numbers.values)}`] : []),
    ...(sites.length === 1 ? [`links lead to ${hosts[0]}`] : []),
    ...(seen.length > 0 ? [`the file name contains ${seen.join(', ')}`] : []),
    ...(each.length > 0 ? [`the file names contain ${each.join(', ')}`] : []),
  ]
  const gaps = { constants: { platform: '...' }, each: each.length > 0 ? ', for each file if they differ' : '' }
  decide(draft, 'noPlatform', { ...gaps, hints: inBrackets(hints) })
}

const describeNetwork = (draft: Draft) => {
  const networks = ['tiktok', 'youtube']
  const source = guessed(draft, 'platform')
  if (source && source.share('network', (value) => networks.includes(value.toLowerCase())) > 0.9)
    return take(draft, 'platform', source)
  const named = networks.find((name) => draft.files.every(({ path }) => path.toLowerCase().includes(name)))
  if (named) draft.suggested.platform = named
  const hints = inBrackets(named ? [`the file name contains ${named}`] : [])
  decide(draft, 'noNetwork', { hints, constants: { platform: named ?? '...' } })
}

/** The currencies that files state, most likely first, and where. */
type Stated = { codes: readonly string[]; seen: string } | null

/** The currencies that a column, the signs of prices, or the name of the price column states. */
const statedCurrencies = (draft: Draft): Stated => {
  const [column, price] = [guessed(draft, 'currency'), guessed(draft, 'price')]
  const words = [...new Set(column?.filled ?? [])]
  const meant = words.length === 1 ? currenciesOf(words[0]!) : words.flatMap((word) => currenciesOf(word).slice(0, 1))
  if (column && meant.length > 0)
    return { codes: [...new Set(meant)], seen: `"${column.name}" is ${words.slice(0, 3).join(', ')}` }
  if (price === undefined) return null
  const { currencies, signs } = price.price()
  if (currencies.length > 0) return { codes: currencies, seen: `prices have ${signs.join(', ')}` }
  const inName = price.name
    .split(/[\s_()[\]/,.-]+/)
    .flatMap((word) => (word.length > 1 || /\p{Sc}/u.test(word) ? currenciesOf(word) : []))
  return inName.length > 0 ? { codes: inName, seen: `the name "${price.name}"` } : null
}

/** The language of a file: of its column names, unless they are English, else of the letters of its titles. */
const languageOf = (draft: Draft): string | null => {
  const votes = new Map<string, number>()
  for (const { column, source } of draft.guesses.values())
    for (const code of languagesOf(source, column)) if (code !== 'en') votes.set(code, (votes.get(code) ?? 0) + 1)
  const [best] = [...votes].sort((a, b) => b[1] - a[1])
  const names = draft.columns.map(({ name }) => name)
  const texts = [guessed(draft, 'product_name')?.filled, guessed(draft, 'platform')?.filled, names]
  const letters = texts.map((some = []) => languageOfLetters(some)).find((code) => code !== null) ?? null
  // Japanese columns often have names that Chinese has too, but its titles have kana.
  return best === undefined || (best[0] === 'zh' && letters === 'ja') ? letters : best[0]
}

const MIN_ENDING = 0.3

/** The ending of hosts that is a country's: the only one of them, which not only a few hosts have. */
const endingOf = (hosts: readonly string[]): string | undefined => {
  const endings = hosts.map((host) => host.split('.').at(-1)!).filter((ending) => countryOf(ending) !== undefined)
  const [ending, ...others] = new Set(endings)
  return others.length === 0 && endings.length >= MIN_ENDING * hosts.length ? ending : undefined
}

/** The country of a column of locales such as `it-IT`. */
const localesOf = ({ columns }: Draft): { code: string | undefined; seen: string }[] => {
  const isLocale = (value: string) => /^[a-z]{2}[-_][A-Z]{2}$/.test(value)
  const found = columns.map(sourceOf).find(({ distinct, share }) => distinct === 1 && share('locale', isLocale) === 1)
  const locale = found?.filled[0]
  return locale ? [{ code: countryOf(locale.slice(3)), seen: `"${found.name}" is ${locale}` }] : []
}

/** Hints in the files that suggest a country. */
const hintsOf = (draft: Draft, stated: Stated): CountryHint[] => {
  const codes = stated?.codes ?? []
  const ending = endingOf(hostsOf(draft))
  const named = commonWords(draft).filter((word) => word.length > 3 || ['us', 'usa', 'ca', 'uk'].includes(word))
  const found = [
    ...(ending ? [{ code: countryOf(ending), seen: `URLs end in .${ending}` }] : []),
    ...localesOf(draft),
    ...named.map((word) => ({ code: countryOf(word), seen: `the file name contains ${word}` })),
  ]
  const language = languageOf(draft)
  const languageName = language && new Intl.DisplayNames(['en'], { type: 'language' }).of(language)
  return [
    ...codes.map((code) => hintOf(code, stated!.seen, codes.length === 1 ? 3 : 1.5)),
    ...found.flatMap(({ code, seen }) => (code ? [{ countries: [code], seen, weight: 2 }] : [])),
    ...(language ? [hintOf(language, `texts are in ${languageName}`, 1)] : []),
  ]
}

/** The currency that the files state, or that a country has; null if neither is known. */
const currencyIn = (country: string | null, stated: Stated): string | null => {
  const own = (country && currencyOfCountry(country)) || null
  if (!stated || stated.codes.length === 0) return own
  return own && stated.codes.includes(own) ? own : stated.codes[0]!
}

/** The country that a column states first, or else the likely one. */
const countryIn = (draft: Draft, hints: readonly CountryHint[]): string | null =>
  guessed(draft, 'country')
    ?.filled.map(countryOf)
    .find((code) => code !== undefined) ?? likelyCountry(hints)

/** Finds the likely country and the currency of the prices, which decides how their numbers are read. */
export const guessCurrency = (draft: Draft): void => {
  const stated = statedCurrencies(draft)
  draft.country = countryIn(draft, hintsOf(draft, stated))
  draft.currency = currencyIn(draft.country, stated)
}

/** A sign that could mean more currencies than these, such as `$`, states none. */
const MAX_MEANINGS = 6

const describeCountry = (draft: Draft, stated: Stated): void => {
  const [source, column] = [guessed(draft, 'country'), guessed(draft, 'currency')]
  const hints = source ? [] : hintsOf(draft, stated)
  const country = countryIn(draft, hints)
  const currency = currencyIn(country, stated)
  const isStated = column !== undefined || (stated !== null && stated.codes.length <= MAX_MEANINGS)
  // Dollars are the currency of these countries, which need none in a mapping.
  const isUsual = country === 'us' || country === 'ca'
  if (column) take(draft, 'currency', column)
  else if (isStated && currency) {
    state(draft, 'constants', { currency })
    const others = stated!.codes.filter((code) => code !== currency).join(', ')
    if (others !== '') note(draft, 'currencyFromSign', { seen: stated!.seen, code: currency, others })
  } else if (currency && !isUsual) draft.suggested.currency = currency
  if (source) {
    take(draft, 'country', source)
    const words = [...new Set(source.filled)].filter((word) => word.toLowerCase() !== countryOf(word))
    const codes = words.flatMap((word) => (countryOf(word) ? [[word, countryOf(word)!]] : []))
    if (words.length > 0) state(draft, 'values', { country: Object.fromEntries(codes) })
    if (!isStated && !isUsual) decide(draft, 'noCurrency', { constants: { currency: currency ?? '...' } })
    return
  }
  if (country) draft.suggested.country = country
  const missing = isStated || isUsual || !currency ? {} : { currency }
  const seen = inBrackets([...new Set(hints.map((hint) => hint.seen))])
  decide(draft, 'noCountry', { hints: seen, constants: { country: country ?? '...', ...missing } })
}

/** Maps the retailer, country and currency, or requests a decision. */
export const describePlace = (draft: Draft) => {
  if (draft.feed === 'social_posts') return describeNetwork(draft)
  describePlatform(draft)
  describeCountry(draft, draft.feed === 'price_observations' ? statedCurrencies(draft) : null)
}
