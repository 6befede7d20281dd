import { domainToASCII } from 'node:url'
import { groupBy } from '../../../engine/index.ts'
import { literal } from '../../feeds/sql-text.ts'
import { hostsIn } from '../columns/kinds.ts'
import { isMonth } from '../columns/months.ts'
import { fullWordsOf, hasWord, isNamed, wordsOf } from '../columns/names.ts'
import { ownName } from '../columns/wide.ts'
import {
  type Draft,
  decide,
  type FileColumn,
  guessed,
  inBrackets,
  note,
  noteUnused,
  reference,
  state,
  take,
  takeMeant,
  takeSql,
} from './draft.ts'
import { shopOfTitles } from './titles.ts'

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

const isLatin = (value: string): boolean => !/[^\p{Script=Latin}\P{L}]/u.test(value)

/** A name of any script in the letters of host names: `xn--...`. */
const hostKey = (name: string): string =>
  isLatin(name)
    ? platformKey(name)
    : domainToASCII(name.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')).slice(0, 64)

const MAX_NAMES = 200

/** Maps a column of names: keys as they are, other names in lower case with hyphens, other scripts as in host names. */
const takePlatform = (draft: Draft, source: FileColumn): void => {
  const names = [...new Set(source.filled)]
  const text = reference(source)
  const key = `left(trim(regexp_replace(lower(strip_accents(${text})), '[^a-z0-9]+', '-', 'g'), '-'), 64)`
  const own = (name: string) => hostKey(ownName(name))
  if (draft.files[0]?.options.unpivot && names.some((name) => wordsOf(name).join('-') !== own(name)))
    takeMeant(draft, 'platform', source, own)
  else if (names.every((name) => PLATFORM_KEY.test(name.toLowerCase()))) take(draft, 'platform', source)
  else if (names.every(isLatin)) takeSql(draft, 'platform', key, source)
  else {
    // A file may have more names than its sample.
    const named = names.length > MAX_NAMES ? [] : names.filter((name) => !isLatin(name))
    const cases = named.map((name) => `WHEN ${text} = ${literal(name)} THEN ${literal(hostKey(name))} `).join('')
    const code = `CASE ${cases}WHEN regexp_matches(${text}, '[^\\x00-\\x{024f}]') THEN 's-' || left(md5(${text}), 12) ELSE ${key} END`
    takeSql(draft, 'platform', code, source)
  }
}

const MIN_UNSIGNED = 3

/** Whether some shop has no currency with any of its prices where others have one: it may have another. */
export const hasUnsignedShop = (price: FileColumn, shop: FileColumn | undefined): boolean => {
  const prices = price.values.flatMap((text, row) =>
    text.trim() === '' ? [] : { text, shop: shop?.values[row] ?? '' },
  )
  const shops = [...groupBy(prices, (one) => one.shop).values()]
  return shops.some((own) => own.length >= MIN_UNSIGNED && !own.some(({ text }) => /[\p{Sc}\p{L}]/u.test(text)))
}

const SECOND_LEVEL = /^(?:com?|net|org|gov|edu|ac)$/

/** The hosts that the links of the files lead to. */
export const hostsOf = (draft: Draft): string[] => [...new Set(hostsIn(guessed(draft, 'url')?.filled ?? []))]

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

/** Whether a word of a file's path may be the name of a retailer. */
const isRetailer = (word: string): boolean =>
  /^\p{L}{3,}$/u.test(word) &&
  !isMonth(word) &&
  !hasWord(word, 'file') &&
  !isNamed(word, 'price') &&
  !isNamed(word, 'product_name')

/** Words that all paths have, as they stand there: the name of a shop may look like a plural. */
export const commonWords = ({ files }: Draft): string[] => {
  const [first = [], ...others] = files.map(({ path }) => fullWordsOf(path))
  return first.filter((word) => others.every((words) => words.includes(word)))
}

const MAX_SITES = 40
/** Rows without an address would have no retailer. */
const MIN_ADDRESSED = 0.95

/** The retailers whose product codes have names of their own. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['asin', 'amazon'],
  ['tcin', 'target'],
])

/** Maps the retailer, or requests a decision. */
export const describePlatform = (draft: Draft) => {
  const [source, url] = [guessed(draft, 'platform'), guessed(draft, 'url')]
  if (source) {
    noteUnused(draft, 'platform', source)
    return takePlatform(draft, source)
  }
  if (draft.given.platform) return state(draft, 'constants', { platform: draft.given.platform })
  const hosts = hostsOf(draft)
  const sites = sitesOf(hosts)
  if (sites.length > 1 && sites.length < MAX_SITES && url && url.fill > MIN_ADDRESSED) {
    const host = `regexp_extract(lower(${reference(url)}), '//(?:www\\.)?([^/:?#"'']+)', 1)`
    takeSql(draft, 'platform', `replace(${host}, '.', '-')`, url)
    return note(draft, 'platformFromHost', { source: url.name, hosts })
  }
  const seen = commonWords(draft).filter(isRetailer)
  const ofCodes = draft.columns.flatMap(({ name }) => wordsOf(name).flatMap((word) => CODES.get(word) ?? []))
  const ofTitles = shopOfTitles(draft)
  const [suggested] = [...(ofTitles ? [ofTitles] : []), ...(sites.length === 1 ? sites : []), ...ofCodes, ...seen]
    .map(platformKey)
    .filter((key) => PLATFORM_KEY.test(key))
  if (suggested) draft.suggested.platform = suggested
  const hints = [
    ...(ofTitles ? [`the text above the table has ${ofTitles}`] : []),
    ...(sites.length === 1 ? [`links lead to ${hosts[0]}`] : []),
    ...(seen.length > 0 ? [`the file name contains ${seen.join(', ')}`] : []),
  ]
  decide(draft, 'noPlatform', { constants: { platform: '...' }, hints: inBrackets(hints) })
}

/** Maps the network of posts, or requests a decision. */
export const describeNetwork = (draft: Draft) => {
  const networks = ['tiktok', 'youtube']
  const source = guessed(draft, 'platform')
  if (source && source.share('network', (value) => networks.includes(value.toLowerCase())) > 0.9)
    return take(draft, 'platform', source)
  const network = networks.find((name) => draft.files.every(({ path }) => path.toLowerCase().includes(name)))
  if (network) draft.suggested.platform = network
  const hints = inBrackets(network ? [`the file name contains ${network}`] : [])
  decide(draft, 'noNetwork', { hints, constants: { platform: network ?? '...' } })
}
