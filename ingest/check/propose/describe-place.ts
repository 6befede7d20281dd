import { domainToASCII } from 'node:url'
import { countryOf, likelyCountry } from '../columns/countries.ts'
import { wordsOf } from '../columns/names.ts'
import { filledOf, isNumber, shareOf } from '../columns/values.ts'
import type { SampledColumn } from '../read/sample.ts'
import { type Draft, guessed, reference, take, takeSql } from './draft.ts'
import * as messages from './messages.ts'
import { examples } from './messages.ts'
import { currencyIn, hintsOfCountry, hostsOf, type Stated, siteName, statedCurrencies } from './place-hints.ts'

/** Common words in file names that are not a retailer's name. */
const COMMON = new Set(
  (
    'product price listing observation item catalog catalogue data dataset csv tsv json jsonl ndjson parquet xml xlsx gz zst feed export store ' +
    'shop day daily month monthly week weekly snapshot panel history historical record transaction sample sales sale offer page full all raw ' +
    'cleaned clean latest new old final part file report output us usa ca canada can en fr list pricelist us ca social post video ' +
    'trending scrape scraped crawl grocery observed change promo inventory stock test master complete damaged wide long imputed good ' +
    'jan feb mar apr may jun jul aug sep oct nov dec'
  ).split(' '),
)

/** The uncommon words of each path, which may name the retailer. */
const wordsOfPaths = (draft: Draft): string[][] =>
  draft.files.map(({ path }) => wordsOf(path).filter((word) => /^\p{L}{3,}$/u.test(word) && !COMMON.has(word)))

const PLATFORM_KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Words in lower case with hyphens; names in other scripts become a code of their own. */
const platformSql = (source: SampledColumn): string => {
  const text = reference(source)
  const key = `trim(regexp_replace(lower(strip_accents(${text})), '[^a-z0-9]+', '-', 'g'), '-')`
  return filledOf(source.values).every(isLatin)
    ? `left(${key}, 64)`
    : `CASE WHEN regexp_matches(${text}, '[^\\x00-\\x{024f}]') THEN 's-' || left(md5(${text}), 12) ELSE left(${key}, 64) END`
}

/** A column of shop or seller numbers, which may be retailers or branches of one. */
const numberColumn = (draft: Draft): SampledColumn | undefined =>
  draft.columns.find(
    ({ name, values }) =>
      !draft.used.has(name) &&
      shareOf(filledOf(values), isNumber) > 0.9 &&
      wordsOf(name).some((word) => ['store', 'shop', 'merchant', 'vendor', 'retailer', 'magasin'].includes(word)) &&
      !wordsOf(name).includes('count'),
  )

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

const MAX_NAMES = 200

/** Maps a column of names: keys as they are, other names in lower case with hyphens, other scripts as in host names. */
const takePlatform = (draft: Draft, source: SampledColumn): void => {
  const names = [...new Set(filledOf(source.values))]
  if (names.every(isKey)) take(draft, 'platform', source)
  else if (names.every(isLatin) || names.length > MAX_NAMES) takeSql(draft, 'platform', platformSql(source), source)
  else {
    take(draft, 'platform', source)
    const keys = names.flatMap((name) => (isKey(name) ? [] : [[name, hostKey(name)] as const]))
    draft.description.values = { ...draft.description.values, platform: Object.fromEntries(keys) }
  }
}

/** A name of any script in the letters of host names: `xn--...`. */
const hostKey = (name: string): string =>
  isLatin(name)
    ? platformKey(name)
    : domainToASCII(name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')).slice(0, 64)

/** The only site that the links of the files lead to, as a retailer's key. */
export const siteOf = (draft: Draft): string | null => {
  const sites = new Set(hostsOf(draft).map(siteName))
  return sites.size === 1 ? platformKey([...sites][0]!) : null
}

const MAX_SITES = 40

const describePlatform = (draft: Draft): void => {
  const source = guessed(draft, 'platform')
  if (source) {
    takePlatform(draft, source)
    return
  }
  const numbers = numberColumn(draft)
  const words = wordsOfPaths(draft)
  const seen = words[0]!.filter((word) => words.every((pathWords) => pathWords.includes(word)))
  // Of a few files, each may be named after its own retailer.
  const each = seen.length === 0 && words.length <= 4 ? words.flatMap(([word]) => word ?? []) : []
  const hosts = [...new Set(hostsOf(draft))]
  const sites = [...new Set(hosts.map(siteName))]
  const url = guessed(draft, 'url')
  if (sites.length > 1 && sites.length < MAX_SITES && url && draft.columns.length < 6) {
    const host = `regexp_extract(lower(${reference(url)}), '//(?:www\\.)?([^/:?#"'']+)', 1)`
    takeSql(draft, 'platform', `replace(${host}, '.', '-')`, url)
    draft.notes.push(messages.platformFromHost(url.name, hosts))
    return
  }
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
  draft.decisions.push(messages.noPlatform(hints, each.length > 0))
}

const SOCIAL = ['tiktok', 'youtube']

const describeSocialPlatform = (draft: Draft): void => {
  const source = guessed(draft, 'platform')
  if (source && shareOf(filledOf(source.values), (value) => SOCIAL.includes(value.toLowerCase())) > 0.9) {
    take(draft, 'platform', source)
    return
  }
  const paths = draft.files.map(({ path }) => path.toLowerCase())
  const network = SOCIAL.find((name) => paths.every((path) => path.includes(name)))
  if (network) draft.suggested.platform = network
  draft.decisions.push(messages.noSocialPlatform(network))
}

/** Dollars are the currency of these countries, which need none in a mapping. */
const isUsual = (country: string | undefined): boolean => country === 'us' || country === 'ca'

const describeCountryColumn = (draft: Draft, source: SampledColumn): string | undefined => {
  take(draft, 'country', source)
  const filled = [...new Set(filledOf(source.values))]
  const words = filled.filter((word) => word.toLowerCase() !== countryOf(word))
  const values = Object.fromEntries(words.flatMap((word) => (countryOf(word) ? [[word, countryOf(word)!]] : [])))
  if (words.length > 0) draft.description.values = { ...draft.description.values, country: values }
  return filled.map(countryOf).find((code) => code !== undefined)
}

const describeCountry = (draft: Draft, stated: Stated): void => {
  const source = guessed(draft, 'country')
  const column = guessed(draft, 'currency')
  const hints = source ? [] : hintsOfCountry(draft, stated)
  const country = source ? (describeCountryColumn(draft, source) ?? null) : likelyCountry(hints)
  const currency = currencyIn(country, stated)
  const isStated = column !== undefined || (stated !== null && stated.codes.length <= MAX_MEANINGS)
  if (column) take(draft, 'currency', column)
  else if (isStated && currency) {
    draft.description.constants = { ...draft.description.constants, currency }
    if (stated && stated.codes.length > 1)
      draft.notes.push(messages.currencyFromSign(currency, stated.seen, stated.codes))
  } else if (currency && !isUsual(country ?? undefined)) draft.suggested.currency = currency
  if (source) {
    if (!isStated && !isUsual(country ?? undefined)) draft.decisions.push(messages.noCurrency(currency ?? '...'))
    return
  }
  if (country) draft.suggested.country = country
  const seen = [...new Set(hints.map((hint) => hint.seen))]
  const missing = isStated || isUsual(country ?? undefined) ? null : currency
  draft.decisions.push(messages.noCountry(seen, country ?? '...', missing))
}

/** A sign that could mean more currencies than these, such as `$`, states none. */
const MAX_MEANINGS = 6

/** Finds the currency of the prices, which decides how their numbers are read. */
export const guessCurrency = (draft: Draft): void => {
  const stated = statedCurrencies(draft)
  const country = guessed(draft, 'country')
  const code = country
    ? filledOf(country.values)
        .map(countryOf)
        .find((found) => found !== undefined)
    : undefined
  draft.currency = currencyIn(code ?? likelyCountry(hintsOfCountry(draft, stated)), stated)
}

/** Maps the retailer, country and currency, or requests a decision. */
export const describePlace = (draft: Draft): void => {
  if (draft.feed === 'social_posts') describeSocialPlatform(draft)
  else {
    describePlatform(draft)
    const stated = draft.feed === 'price_observations' ? statedCurrencies(draft) : null
    describeCountry(draft, stated)
  }
}
