import { type Draft, guessed, reference, take, takeSql } from './draft.ts'
import * as messages from './messages.ts'
import { examples } from './messages.ts'
import { wordsOf } from './names.ts'
import type { SampledColumn } from './sample.ts'
import { countryOf, currencyOf, filledOf, isNumber, isUrl, shareOf } from './values.ts'

/** Common words in file names that are not a retailer's name. */
const COMMON = new Set(
  (
    'product price listing observation item catalog catalogue data dataset csv tsv json jsonl ndjson parquet gz zst feed export store shop ' +
    'day daily month monthly week weekly snapshot panel history historical record transaction sample sales sale offer page full all raw ' +
    'cleaned clean latest new old final part file report output us usa ca canada can en fr list pricelist us ca social post video ' +
    'trending scrape scraped crawl grocery observed change promo inventory stock test master complete damaged jan feb mar apr may jun jul aug sep oct nov dec'
  ).split(' '),
)

/** The uncommon words of each path, which may name the retailer. */
const wordsOfPaths = (draft: Draft): string[][] =>
  draft.files.map(({ path }) => wordsOf(path).filter((word) => /^\p{L}{3,}$/u.test(word) && !COMMON.has(word)))

const PLATFORM_KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/

const platformSql = (source: SampledColumn): string =>
  `trim(regexp_replace(lower(strip_accents(${reference(source)})), '[^a-z0-9]+', '-', 'g'), '-')`

/** A column of shop or seller numbers, which may be retailers or branches of one. */
const numberColumn = (draft: Draft): SampledColumn | undefined =>
  draft.columns.find(
    ({ name, values }) =>
      !draft.used.has(name) &&
      shareOf(filledOf(values), isNumber) > 0.9 &&
      wordsOf(name).some((word) => ['store', 'shop', 'merchant', 'vendor', 'retailer', 'magasin'].includes(word)) &&
      !wordsOf(name).includes('count'),
  )

const describePlatform = (draft: Draft): void => {
  const source = guessed(draft, 'platform')
  if (source) {
    const isKey = (value: string) => PLATFORM_KEY.test(value.toLowerCase())
    if (filledOf(source.values).every(isKey)) take(draft, 'platform', source)
    else takeSql(draft, 'platform', platformSql(source), source)
    return
  }
  const numbers = numberColumn(draft)
  const words = wordsOfPaths(draft)
  const seen = words[0]!.filter((word) => words.every((pathWords) => pathWords.includes(word)))
  // Of a few files, each may be named after its own retailer.
  const each = seen.length === 0 && words.length <= 4 ? words.flatMap(([word]) => word ?? []) : []
  const hints = [
    ...(numbers ? [`"${numbers.name}" has only numbers: ${examples(numbers.values)}`] : []),
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

const COUNTRY_OF = { USD: 'us', CAD: 'ca' } as const

/** Hints in the files that suggest a country. */
const hintsOfCountry = (draft: Draft): { country: 'us' | 'ca'; seen: string }[] => {
  const currency = guessed(draft, 'currency')
  const codes = new Set(currency ? filledOf(currency.values).map(currencyOf) : [])
  codes.delete('$')
  const [code] = codes
  const url = guessed(draft, 'url')
  const addresses = url ? filledOf(url.values).filter(isUrl) : []
  const words = draft.columns.flatMap(({ name }) => (draft.used.has(name) ? wordsOf(name) : []))
  const paths = draft.files.map(({ path }) => wordsOf(path))
  const priced = draft.description.constants?.currency as 'USD' | 'CAD' | undefined
  const isInEveryPath = (word: string) => paths.every((pathWords) => pathWords.includes(word))
  return [
    ...(codes.size === 1 && code && code !== '$'
      ? [{ country: COUNTRY_OF[code], seen: `"${currency!.name}" is ${code}` }]
      : []),
    ...(priced ? [{ country: COUNTRY_OF[priced], seen: `prices end in ${priced}` }] : []),
    ...(shareOf(addresses, (value) => /\.ca(?:\/|$|:)/i.test(value)) > 0.8
      ? [{ country: 'ca' as const, seen: 'URLs end in .ca' }]
      : []),
    ...(words.includes('usd') ? [{ country: 'us' as const, seen: 'a column name contains USD' }] : []),
    ...(words.includes('cad') ? [{ country: 'ca' as const, seen: 'a column name contains CAD' }] : []),
    ...(isInEveryPath('ca') || isInEveryPath('canada')
      ? [{ country: 'ca' as const, seen: 'the file name contains ca' }]
      : []),
    ...(isInEveryPath('us') || isInEveryPath('usa')
      ? [{ country: 'us' as const, seen: 'the file name contains us' }]
      : []),
  ]
}

const describeCountry = (draft: Draft): void => {
  const source = guessed(draft, 'country')
  if (source) {
    take(draft, 'country', source)
    const words = [...new Set(filledOf(source.values))].filter((word) => !/^(?:us|ca)$/i.test(word))
    const values = Object.fromEntries(words.flatMap((word) => (countryOf(word) ? [[word, countryOf(word)!]] : [])))
    if (words.length > 0) draft.description.values = { ...draft.description.values, country: values }
    return
  }
  const hints = hintsOfCountry(draft)
  const countries = new Set(hints.map(({ country }) => country))
  const [country] = countries.size === 1 ? countries : []
  if (country) draft.suggested.country = country
  draft.decisions.push(
    messages.noCountry(
      hints.map(({ seen }) => seen),
      country ?? '...',
    ),
  )
}

const describeCurrency = (draft: Draft): void => {
  const source = guessed(draft, 'currency')
  if (source === undefined || draft.description.constants?.currency) return
  take(draft, 'currency', source)
  const filled = filledOf(source.values)
  const foreign = filled.filter((value) => currencyOf(value) === undefined)
  if (foreign.length > 0)
    draft.decisions.push(messages.foreignCurrency(source.name, foreign.length / filled.length, foreign))
}

/** Maps the retailer, country and currency, or requests a decision. */
export const describePlace = (draft: Draft): void => {
  if (draft.feed === 'social_posts') describeSocialPlatform(draft)
  else {
    describePlatform(draft)
    describeCountry(draft)
    if (draft.feed === 'price_observations') describeCurrency(draft)
  }
}
