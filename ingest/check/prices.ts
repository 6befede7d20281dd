import { profile } from './values.ts'

/** How the prices in a column are written. */
export type PriceForm = {
  /** The mapping key `price_text`: values have currency symbols, thousands separators or cent signs. */
  price_text: boolean
  /** The mapping key `decimal_comma`: `4,99`. */
  decimal_comma: boolean
  /** Whether the column holds numbers rather than text; whole numbers in Parquet are read as cents. */
  isTyped: boolean
  isCents: boolean
  /** A currency code printed with the number, such as `12.99 USD`. */
  code: 'USD' | 'CAD' | null
  /** The share of non-blank values that are one price, and the share of all rows with a price above 0. */
  share: number
  positive: number
  /** Up to three values that are not a price. */
  refused: readonly string[]
  /** Whether both decimal commas and decimal points occur, so that some values will be misread. */
  isMixed: boolean
}

const SPACE = '[\\u0020\\u00a0\\u202f\\u2009]'
const SYMBOL = '(?:(?:US|CA|C|CDN)?(?!¢)\\p{Sc})'
const CODE = /(?:\b|(?<=\d))(USD|CAD|CDN)\b/i
const COMMA_DECIMAL = /^(?:\d{1,3}(?:[.'\u0020\u00a0\u202f\u2009]\d{3})+|\d+),\d{1,2}$/
const POINT_DECIMAL = /^(?:\d{1,3}(?:[,'\u0020\u00a0\u202f\u2009]\d{3})+|\d*)\.\d+$/
const PLAIN = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

const bareOf = (text: string): string =>
  text
    .trim()
    .replace(CODE, '')
    .replace(new RegExp(`^${SPACE}*${SYMBOL}?${SPACE}*|${SPACE}*${SYMBOL}?${SPACE}*$`, 'gu'), '')

/** The amount of a printed price in currency units; null if the text is not exactly one price. */
export const printedPrice = (text: string, isComma: boolean): number | null => {
  if (PLAIN.test(text.trim())) return Number(text)
  const bare = bareOf(text)
  const cents = bare.match(/^(\d+(?:\.\d+)?)\s*¢$/)
  if (cents) return Number(cents[1]) / 100
  const grouped = isComma
    ? /^\d{1,3}(?:[.'\s]\d{3})+(?:,\d+)?$|^\d*(?:,\d+)?$/
    : /^\d{1,3}(?:[,'\s]\d{3})+(?:\.\d+)?$|^\d*(?:\.\d+)?$/
  if (bare === '' || !grouped.test(bare)) return null
  const digits = isComma ? bare.replace(/[.'\s]/g, '').replace(',', '.') : bare.replace(/[,'\s]/g, '')
  return digits === '' || digits === '.' ? null : Number(digits)
}

const INTEGER_TYPE = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/i

const codeOf = (filled: readonly string[]): 'USD' | 'CAD' | null => {
  const codes = new Set(filled.map((value) => value.match(CODE)?.[1]?.toUpperCase() ?? ''))
  if (codes.size !== 1 || codes.has('')) return null
  return codes.has('USD') ? 'USD' : 'CAD'
}

/** Guesses how a sample of prices is written; `type` is the DuckDB type of a Parquet column. */
export const guessPrices = (values: readonly string[], type?: string): PriceForm => {
  const { filled, rows } = profile(values)
  const isTyped = type !== undefined && !/^VARCHAR/i.test(type)
  const isCents = isTyped && INTEGER_TYPE.test(type)
  const bare = filled.map(bareOf)
  const commas = bare.filter((value) => COMMA_DECIMAL.test(value)).length
  const points = bare.filter((value) => POINT_DECIMAL.test(value)).length
  const decimal_comma = !isTyped && commas > points
  const read = filled.map((value) => printedPrice(value, decimal_comma))
  const isPlain = (value: string) => PLAIN.test(decimal_comma ? value.replace(',', '.') : value)
  const refused = filled.filter((_, index) => read[index] === null)
  return {
    price_text: !isTyped && filled.some((value, index) => read[index] !== null && !isPlain(value)),
    decimal_comma,
    isTyped,
    isCents,
    code: codeOf(filled),
    share: filled.length === 0 ? 0 : 1 - refused.length / filled.length,
    positive: rows === 0 ? 0 : read.filter((price) => price !== null && price > 0).length / rows,
    refused: [...new Set(refused)].slice(0, 3),
    isMixed: !isTyped && Math.min(commas, points) > 0,
  }
}
