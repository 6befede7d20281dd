import { readFileSync } from 'node:fs'
import { gtin } from '../../../engine/index.ts'
import { currenciesOf } from '../../feeds/currency-signs.ts'
import { plainText } from '../../text/plain.ts'

/** A data file, by its path from this folder. */
export const readData = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T

/** A function that computes each value once, when it is first needed. */
export const memoized = <Value, Key = void>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const computed = new Map<Key, Value>()
  return (key) => {
    if (!computed.has(key)) computed.set(key, compute(key))
    return computed.get(key)!
  }
}

/** A text of at most so many characters. */
export const shortened = (text: string, max_length: number): string =>
  text.length > max_length ? `${text.slice(0, max_length - 3)}...` : text

/** What values of a kind match, or which kinds they are of and not of, and what they are called. */
type ValuePattern = { pattern?: string; any?: string[]; not?: string[]; what: string }

const KINDS = new Map(Object.entries(readData<Record<string, ValuePattern>>('kinds.json')))
const PATTERNS = new Map([...KINDS].map(([kind, { pattern = '' }]) => [kind, new RegExp(pattern, 'iu')]))

/** Whether a value is of a kind of `kinds.json`. */
export const isOf = (kind: string, value: string): boolean => {
  const { any, not = [] } = KINDS.get(kind)!
  const matches = any ? any.some((other) => isOf(other, value)) : PATTERNS.get(kind)!.test(plainText(value))
  return matches && !not.some((other) => isOf(other, value))
}

/** The regular expression of a kind that is no combination of others, for texts in lower case. */
export const patternOf = (kind: string): string => PATTERNS.get(kind)!.source

/** What values of a kind are called. */
export const nameOfKind = (kind: string): string => KINDS.get(kind)?.what ?? 'any text'

/** How files write a missing value. */
const BLANK = /^(?:|na|n\/a|#n\/a|nan|null|none|nil|-+|\?|unknown|inconnu|\[\]|\{\})$/i

/** The non-blank values, trimmed. */
export const filledOf = (values: readonly string[]): string[] =>
  values.map((value) => value.trim()).filter((value) => !BLANK.test(value))

/** The words that stand for a missing value, such as `None`. */
export const blankWordsOf = (values: readonly string[]): string[] => [
  ...new Set(values.map((value) => value.trim()).filter((value) => value !== '' && BLANK.test(value))),
]

/** The share of values that pass a test, from 0 to 1; 0 if there are none. */
export const shareOf = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.length === 0 ? 0 : values.filter(test).length / values.length

export const percent = (share: number): string => {
  const rounded = share < 0.1 ? Math.round(share * 1000) / 10 : Math.round(share * 100)
  if (rounded === 0 && share > 0) return 'under 0.1 %'
  return rounded === 100 && share < 1 ? 'over 99 %' : `${rounded} %`
}

export const isId = (value: string): boolean =>
  /^[\p{L}\p{N}._:/#=-]{1,64}$/u.test(value) && (/[\p{N}_-]/u.test(value) || !/^\p{Lu}?\p{Ll}+$/u.test(value))

/** The digit runs in a text or a list of texts that may be barcodes; none in `3.76002E+12`. */
const codesIn = (value: string): string[] =>
  plainText(value)
    .match(/\d[\d -]{5,17}\d|\d{6,14}/g)
    ?.map((code) => code.replace(/\D/g, '')) ?? []

/** Whether a text holds enough digits for a barcode. */
export const isDigits = (value: string): boolean => codesIn(value).length > 0 && !/\de\+?\d/i.test(value)

/** Whether a text holds a barcode with a valid check digit; lost leading zeros are allowed. */
export const isBarcode = (value: string): boolean =>
  codesIn(value).some((code) => code.length <= 14 && (gtin(code).valid || gtin(code.padStart(12, '0')).valid))

export const isCurrency = (value: string): boolean =>
  currenciesOf(value).length > 0 && (value.length > 1 || /\p{Sc}/u.test(value))

const HOST = /(?:^|href=["']?)(?:https?:)?\/\/(?:www\d?\.)?([^/:?#"'>]+)/i

/** The hosts of addresses, without `www`. */
export const hostsIn = (values: readonly string[]): string[] =>
  values.flatMap((value) => HOST.exec(value)?.[1]?.toLowerCase() ?? [])

/** In the order of what a word that could mean several means. */
const STOCK = ['preorder', 'backorder', 'discontinued', 'out_of_stock', 'in_stock'] as const

/** The availability that a word means, in the terms of the feed format. */
export const stockOf = (value: string): (typeof STOCK)[number] | undefined => STOCK.find((kind) => isOf(kind, value))
