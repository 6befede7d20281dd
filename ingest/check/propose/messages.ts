import type { Column } from '../../feeds/columns.ts'
import { percent } from '../columns/values.ts'

/*
 * The messages of a proposal: what is missing or uncertain, what was found, and what to write in the mapping. Each
 * begins with the column or key it is about.
 */

/** Part of a mapping as it is written in the file, without the outer braces. */
const written = (part: object): string =>
  JSON.stringify(part).slice(1, -1).replaceAll('":', '": ').replaceAll(',"', ', "')

const columns = (part: object): string => `"columns": {${written(part)}}`
const constants = (part: object): string => `"constants": {${written(part)}}`
const hinted = (hints: readonly string[]): string => (hints.length === 0 ? '' : ` (${hints.join('; ')})`)

const MAX_EXAMPLE = 40

/** Up to three distinct values. */
export const examples = (values: readonly string[]): string =>
  [...new Set(values)]
    .slice(0, 3)
    .map((value) => (value.length > MAX_EXAMPLE ? `${value.slice(0, MAX_EXAMPLE)}...` : value))
    .join(', ')

export const noPlatform = (hints: readonly string[], isPerFile: boolean): string =>
  `platform: no column names the retailer${hinted(hints)}. Add ${constants({ platform: '...' })}` +
  `${isPerFile ? ', for each file if they differ' : ''}.`

export const noSocialPlatform = (network: string | undefined): string =>
  `platform: no column names the network, tiktok or youtube${hinted(network ? [`the file name contains ${network}`] : [])}. ` +
  `Add ${constants({ platform: network ?? '...' })}.`

export const noCountry = (hints: readonly string[], country: string, currency: string | null): string =>
  `country: no column has the country${hinted(hints)}. Add ${constants({ country, ...(currency ? { currency } : {}) })}.`

export const noCurrency = (currency: string): string =>
  `currency: nothing in the files states the currency. Add ${constants({ currency })}.`

export const currencyFromSign = (code: string, seen: string, codes: readonly string[]): string =>
  `currency: ${seen}, which is read as ${code}; it could also be ${codes.filter((other) => other !== code).join(', ')}.`

export const platformFromHost = (source: string, hosts: readonly string[]): string =>
  `platform: the site that "${source}" leads to (${examples(hosts)}).`

export const noTime = (column: Column, years: readonly number[]): string =>
  `${column}: no column and no file name has a date${hinted(years.length > 0 ? [`only the year ${years.join(', ')}`] : [])}. ` +
  `Add ${constants({ [column]: `${years[0] ?? 2024}-MM-DD` })} for each file.`

export const monthOnly = (column: Column, month: string): string =>
  `${column}: the file name has only a month (${month}); its first day is used. ` +
  `For another day, add ${constants({ [column]: `${month}-15` })}.`

export const dayFromName = (column: Column, day: string): string => `${column}: from the file name (${day}).`

export const ambiguousName = (column: Column, day: string, patterns: readonly string[]): string =>
  `${column}: the file name fits more than one date order; ${day} is assumed. ` +
  `For another order, write "name_pattern": ${patterns.map((pattern) => JSON.stringify(pattern)).join(' or ')}.`

export const ambiguousTime = (column: Column, source: string, example: string, formats: readonly string[]): string =>
  `${column}: every value of "${source}" fits more than one date format (${example}); ${formats[0]} is assumed. ` +
  `Write "timestamp_format": ${formats.map((format) => `"${format}"`).join(' or ')}.`

export const noYear = (column: Column, source: string, example: string): string =>
  `${column}: "${source}" has no year (${example}). Add "year": 2024, or the year it is from.`

export const yearFromName = (column: Column, source: string, year: number): string =>
  `${column}: "${source}" has no year; ${year} is taken from the file name.`

export const noZone = (column: Column, source: string, example: string): string =>
  `${column}: "${source}" has no time zone (${example}) and is read as UTC. ` +
  'If it is local time, add "timezone": "America/Toronto", or the zone it is in.'

export const noId = (keys: readonly string[]): string =>
  keys.length === 0
    ? 'listing_id: no column identifies a listing, and none names the product. Add "columns": {"listing_id": "..."} or "listing_id_from": ["...", "..."].'
    : `listing_id: no column has the retailer's id; rows with the same ${keys.map((key) => `"${key}"`).join(', ')} ` +
      'are treated as one listing. Edit "listing_id_from" if other columns identify it.'

export const idWithin = (id: string, place: string): string =>
  `listing_id: "${id}" has several prices at the same time, one for each "${place}", so both columns identify a listing. ` +
  `If each "${place}" is a separate retailer, write ${columns({ platform: place, listing_id: id })} instead.`

export const idShared = (id: string, share: number): string =>
  `listing_id: ${percent(share)} of the rows have another price for the same "${id}" and time; one price a day is kept.`

export const noPostId = 'post_id: no column identifies a post. Add "columns": {"post_id": "..."}.'

export const noPrice = 'price: no column has a price. Add "columns": {"price": "..."} or {"price": {"sql": "..."}}.'

export const priceFromTotal = (total: string, quantity: string, sql: string): string =>
  `price: no column has a unit price; "${total}" looks like the total for "${quantity}" units. ` +
  `If it is, add ${columns({ price: { sql } })}.`

export const saleOrFull = (sale: string, full: string): string =>
  `price: "${sale}" where it is above 0, otherwise "${full}". To ignore sales, write ${columns({ price: full })}.`

export const unitsOrCents = (source: string, values: readonly string[], sql: string): string =>
  `price: "${source}" has whole numbers (${examples(values)}), which are read as units of the currency. ` +
  `If they are cents, write ${columns({ price: { sql } })}.`

export const dollarsOrCents = (source: string, values: readonly string[], sql: string): string =>
  `price: "${source}" has only whole numbers (${examples(values)}), which are read as dollars. ` +
  `If they are cents, write ${columns({ price: { sql } })}.`

export const mixedDecimals = (source: string, values: readonly string[]): string =>
  `price: "${source}" has both decimal commas and decimal points (${examples(values)}); both are read.`

export const notPrices = (source: string, share: number, values: readonly string[]): string =>
  `price: ${percent(share)} of "${source}" is not a price (${examples(values)}).`

export const rejected = (why: string, share: number, allowed: number): string =>
  `max_quarantine: about ${percent(share)} of the rows have ${why} and would be refused; the limit is 1 %. ` +
  `If this is expected, add "max_quarantine": ${allowed}.`

export const withoutPrice = (source: string, share: number): string =>
  `max_quarantine: about ${percent(share)} of the rows have no price in "${source}"; they are refused and counted.`

export const standardForm = (name: string): string =>
  `columns: the files are of a standard form, ${name}, and are read by it.`

export const changePoints =
  'kind: no listing repeats a price from one date to the next. If each row is a price change that is valid until the next row, add "kind": "change_points".'

export const noCategory =
  'category_path: no column has a category, so every product that no other file describes is in "uncategorized". ' +
  `For one category, add ${constants({ category_path: 'Groceries' })}.`

export const noCategoryRoot = `category_root: no column has a category. Add ${constants({ category_root: '...' })}.`

export const numberedCategories = (source: string, values: readonly string[]): string =>
  `category_root: "${source}" has numbers (${examples(values)}), which are used as they are. ` +
  'To name them, add "values": {"category_root": {"1": "..."}}.'

export const leftOut = (part: string, records: number | null): string =>
  `${part} ${records === null ? 'is not read' : `has ${records} records that are not read`}. Check and map it by itself if it has prices.`

export const nestedRecords = (source: string): string =>
  `columns: "${source}" is a list of records inside each record and is not read. If it contains prices or dates, write one record for each.`

export const historyRead = (path: string, unused: readonly string[]): string =>
  `json_path: each dated record at ${path} is a row; the outer records have the product. ` +
  `Their prices and stock are not used${hinted(unused.map((name) => `"${name}"`))}.`

export const doubtful = (column: Column, source: string, values: readonly string[]): string =>
  `${column}: column "${source}" is used because of its name, but contains ${examples(values)}. ` +
  `To ignore it, write ${columns({ [column]: { sql: 'NULL' } })}.`

export const badBarcodes = (source: string, share: number): string =>
  `gtin: only ${percent(share)} of "${source}" have a valid check digit; it is not used.`
