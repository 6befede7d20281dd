import { digitsOf } from '../../../engine/index.ts'
import { currenciesOf, unitsOf } from '../../feeds/currency-signs.ts'
import { identifier, literal } from '../../feeds/sql-text.ts'
import { plainText } from '../../text/plain.ts'
import type { SampledColumn } from '../read/sample.ts'
import { hintOf, isCommaCountry } from './countries.ts'
import { filledOf, readData, shareOf } from './kinds.ts'
import { nameScore, wordsOf } from './names.ts'

/** How the prices in a column are written. */
export type PriceForm = {
  /** The mapping key `price_text`: values have currency signs, thousands separators or cent signs. */
  price_text: boolean
  /** The mapping key `decimal_comma`: `4,99`. */
  decimal_comma: boolean
  /** Whether the column holds numbers rather than text, and whole ones. */
  isTyped: boolean
  isWhole: boolean
  /** The currencies that every printed sign or code can mean, most likely first; empty without signs, or if they differ. */
  currencies: readonly string[]
  /** The share of non-blank values with a sign or code, and the signs. */
  signed: number
  signs: readonly string[]
  /** The share of non-blank values that are one price, and the share of all rows with a price above 0. */
  share: number
  positive: number
  /** The most decimals of a value. */
  decimals: number
  /** Up to three values that are not a price. */
  refused: readonly string[]
  /** Whether both decimal commas and decimal points occur. */
  isMixed: boolean
}

const SPACES = "[\\s\\u00a0\\u202f\\u2009']"
const COMMA_DECIMAL = /^(?:\d{1,3}(?:[.'\s]\d{3})+|\d+),\d{1,2}$/
const POINT_DECIMAL = /^(?:\d{1,3}(?:[,'\s]\d{3})+|\d*)\.(?:\d{1,2}|\d{4,})$/
const PLAIN = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const AMOUNT = new RegExp(
  `^((?:[^\\d.,+-]|(?<=\\p{L})\\.)*?)\\s*([+-]?(?:\\d(?:[\\d.,]|${SPACES}(?=\\d))*|\\.\\d+))\\s*(\\D*)$`,
  'u',
)
/** Marks of a footnote after a price. */
const FOOTNOTE = /\s*[*†]+$/
/** What goods by weight or piece cost: `62.22/Kg`, `$1.99 per lb`, `0.59 each`; an amount for 100 g is no price. */
const UNIT = /\s*(?:\/|\bper\s)\s*\p{L}{1,8}\.?$|\s+(?:each|ea)\.?$/iu

/** `units` is what one of the number is worth in units of the currency. */
type Printed = { number: string; signs: string[]; units: number }

/** Splits a printed price into its number and the signs around it; null if other text stands there. */
const printedParts = (text: string): Printed | null => {
  const [, before = '', number = '', after = ''] =
    AMOUNT.exec(plainText(text).trim().replace(FOOTNOTE, '').replace(UNIT, '')) ?? []
  const signs = [before, after].map((sign) => sign.trim()).filter((sign) => sign !== '')
  if (number === '') return null
  if (signs.join() === '¢') return { number, signs: [], units: 0.01 }
  // `90p` are pence; pulas have a capital before the number.
  if (after === 'p' || !signs.every((sign) => currenciesOf(sign).length > 0)) return null
  return { number, signs, units: signs.reduce((units, sign) => units * unitsOf(sign), 1) }
}

const GROUPED_COMMA = /^[+-]?(?:\d{1,3}(?:[.'\s]\d{3})+(?:,\d+)?|\d*(?:,\d+)?)$/
const GROUPED_POINT = /^[+-]?(?:\d{1,3}(?:[,'\s]\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d*(?:\.\d+)?)$/

const amountOf = (number: string, isComma: boolean): number | null => {
  // The reader takes a comma before two last digits for a decimal one in any case.
  if (!isComma && /^\d+,\d\d$/.test(number)) return Number(number.replace(',', '.'))
  if (!(isComma ? GROUPED_COMMA : GROUPED_POINT).test(number)) return null
  const digits = isComma ? number.replace(/[.'\s]/g, '').replace(',', '.') : number.replace(/[,'\s]/g, '')
  return /\d/.test(digits) ? Number(digits) : null
}

/** More decimals than any price has. */
const MAX_EXACT = 8

/** The amount of a printed price in currency units; null if the text is not exactly one price. */
export const printedPrice = (text: string, isComma: boolean): number | null => {
  if (PLAIN.test(text.trim()) && !(isComma && /\.\d{3}$/.test(text.trim()))) return Number(text)
  const parts = printedParts(text)
  const amount = parts && amountOf(parts.number, isComma)
  return amount && parts ? Number((amount * parts.units).toFixed(MAX_EXACT)) : amount
}

/** A price that is printed twice, once for readers of screens: `$29.99$29.99`. */
const REPEATED = /^\s*((?=.*(?:\p{Sc}|[.,]\d\d))\D{0,5}\d[\d.,' ]*\D{0,5}?)\s*\1\s*$/u
const MIN_REPEATED = 0.5
/** Longer texts are no prices, and take long to compare with themselves. */
const MAX_REPEATED = 80

const onceOf = (value: string): string | undefined =>
  value.length > MAX_REPEATED ? undefined : REPEATED.exec(value)?.[1]

/** A column of which most prices are printed twice, with the expression that reads them once; others as they are. */
const withoutRepeats = (column: SampledColumn): SampledColumn => {
  const { values, name, sql } = column
  const repeated = values.filter((value) => onceOf(value) !== undefined).length
  if (sql !== undefined || repeated === 0 || repeated < MIN_REPEATED * filledOf(values).length) return column
  const text = identifier(name)
  const half = `trim(left(${text}, len(${text}) // 2))`
  const once = `CASE WHEN ${half} = trim(right(${text}, len(${text}) // 2)) THEN ${half} ELSE ${text} END`
  return { ...column, sql: once, values: values.map((value) => onceOf(value) ?? value) }
}

/** A column of amounts in several units of a currency by its name, such as `price_toman`, with that word after each. */
const withUnits = (column: SampledColumn): SampledColumn => {
  const { values, name, sql = identifier(name) } = column
  const word = wordsOf(name).find((word) => unitsOf(word) !== 1)
  if (word === undefined || !filledOf(values).every((value) => /^[^\p{L}]*$/u.test(value))) return column
  const marked = `nullif(trim(${sql}::VARCHAR), '') || ${literal(` ${word}`)}`
  const marks = values.map((value) => (value.trim() === '' ? value : `${value} ${word}`))
  return { ...column, sql: marked, values: marks, type: 'VARCHAR' }
}

/** Patterns and their replacements in prices within a text, such as `from 5 €`, `5 to 9 €` or `<b>5 €</b>`. */
const PRINTED = readData<[pattern: string, replacement: string][]>('printed-prices.json').map(([pattern, to]) => ({
  pattern: new RegExp(pattern, 'giu'),
  to,
}))
const MIN_PRINTED = 0.02
const MIN_PRINTED_NAME = 0.5

const isAmount = (value: string): boolean => printedPrice(value, false) !== null || printedPrice(value, true) !== null

/** Whether a text has the sign of a currency, or begins with one in letters: `S/.  939`. */
const isMarked = (value: string): boolean =>
  /\p{Sc}/u.test(value) || currenciesOf(/^\s*(\p{L}[^\d\s]{1,4})\s*\d/u.exec(value)?.[1] ?? '').length > 0

const mayHavePrices = ({ name, alias, values }: SampledColumn): boolean =>
  (['price', 'list_price', 'unit_price'] as const).some(
    (column) => nameScore(alias ?? name, column) > MIN_PRINTED_NAME,
  ) || shareOf(values, isMarked) > 0.5

/** A size beside the price of a unit, as in `Botella 1 L | 4,65 €/L`. */
const SIZE_AND_RATE = /^(\D*\d.*?)\s*\|\s*(\D{0,3}\d[\d.,]*\s?\D{0,3}\/\s?[a-zA-Z]+\.?)$/
const MIN_PARTS = 0.9
/** In longer texts the pattern would be searched for long. */
const MAX_PARTED = 100

/** The two columns of one with sizes and prices of a unit; others as they are. */
export const withParts = (column: SampledColumn): SampledColumn[] => {
  const { name, values, sql = identifier(name) } = column
  const parts = values.map((value) => (value.length > MAX_PARTED ? null : SIZE_AND_RATE.exec(value.trim())) ?? [])
  if (filledOf(parts.map(([all = '']) => all)).length < Math.max(1, MIN_PARTS * values.length)) return [column]
  return ['size', 'unit price'].map((alias, at) => ({
    name: `${name}.${at}`,
    alias,
    values: parts.map((part) => part[at + 1] ?? ''),
    sql: `regexp_extract(trim(${sql}), ${literal(SIZE_AND_RATE.source)}, ${at + 1})`,
  }))
}

const CENTS = /^(?:cents?|cts|minor)$/
/** Some marketplaces write prices as whole numbers of this part of a unit, which makes most amounts larger than any price. */
const SCALE = 100_000
const MIN_SCALED = 1e10

/** Whether a column has whole numbers alone. */
export const areWhole = ({ values }: SampledColumn): boolean => {
  const filled = filledOf(values)
  return filled.length > 0 && filled.every((value) => /^\d+$/.test(value))
}

/** A column that counts parts of a unit, by default cents, with the expression that turns them into amounts. */
export const asAmounts = (column: SampledColumn, parts = 100): SampledColumn => ({
  ...column,
  values: column.values.map((value) => (/^\s*\d+\s*$/.test(value) ? (Number(value) / parts).toFixed(2) : value)),
  sql: `${column.sql ? `(${column.sql})` : identifier(column.name)}::DECIMAL(${parts === SCALE ? 18 : 12}, 0) / ${parts}`,
  type: 'DECIMAL(12, 2)',
})

/** How many of the parts that a column counts make a unit: 100 if its name says cents, the scale if its amounts are huge multiples of it, else null. */
const partsIn = (column: SampledColumn): number | null => {
  const { name, values, sql } = column
  if (sql !== undefined || !areWhole(column) || !mayHavePrices(column)) return null
  if (wordsOf(name).some((word) => CENTS.test(word))) return 100
  const filled = filledOf(values).map(Number)
  const isScaled = filled.every((amount) => amount % SCALE === 0) && shareOf(filled, (one) => one > MIN_SCALED) > 0.5
  return isScaled ? SCALE : null
}

/** A column of prices with the expression that reads them where they are printed in ways that readers do not know. */
export const withPlainPrices = (column: SampledColumn): SampledColumn => {
  const parts = partsIn(column)
  if (parts !== null) return asAmounts(column, parts)
  const once = withUnits(withoutRepeats(column))
  const amounts = (values: readonly string[]) => shareOf(filledOf(values), isAmount)
  if (once.sql !== undefined || amounts(column.values) === 1 || !mayHavePrices(column)) return once
  let [values, sql]: [readonly string[], string] = [column.values, `trim(${identifier(column.name)})`]
  for (const { pattern, to } of PRINTED) {
    const replaced = values.map((value) => (isAmount(value) ? value : value.trim().replace(pattern, to).trim()))
    if (shareOf(replaced, (value) => !values.includes(value)) < MIN_PRINTED) continue
    values = replaced
    sql = `trim(regexp_replace(${sql}, ${literal(pattern.source)}, ${literal(to.replace(/\$(\d)/g, '\\$1'))}, 'gi'))`
  }
  return amounts(values) < Math.max(0.5, amounts(column.values) + MIN_PRINTED) ? once : { ...column, values, sql }
}

const INTEGER_TYPE = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/i

/** Whether a column has decimal commas: judged by most values, and where only three digits follow, by the currency. */
const hasComma = (numbers: readonly string[], [currency]: readonly string[]): boolean => {
  const count = (pattern: RegExp) => numbers.filter((number) => pattern.test(number)).length
  const [commas, points] = [count(COMMA_DECIMAL), count(POINT_DECIMAL)]
  if (commas !== points) return commas > points
  if (count(/^\d{1,3}(?:\.\d{3}){2,}$/) > 0) return true
  const isWhole = currency !== undefined && (digitsOf(currency) === 0 || /^(?:UZS|KHR)$/.test(currency))
  // `1.644` is a price of fuel, `14.655` rupiahs.
  if (count(/^\d{1,3}\.\d{3}$/) > 0) return isWhole
  // `7,600` and `$1,299` are thousands, most of which are round, `1,644` is a price of fuel.
  return (
    !isWhole &&
    (currency === undefined || shareOf(hintOf(currency, '', 0).countries, isCommaCountry) > 0.5) &&
    count(/^\d,\d\d[1-9]$/) * 2 > numbers.length &&
    count(/^\d,\d{3}$/) === numbers.length &&
    numbers.length > 2
  )
}

/** Guesses how a sample of prices is written; `type` is the DuckDB type of a Parquet column. */
export const guessPrices = (values: readonly string[], type?: string): PriceForm => {
  const filled = filledOf(values)
  const per = (count: number, of: number) => (of === 0 ? 0 : count / of)
  const isTyped = type !== undefined && !/^VARCHAR/i.test(type)
  const parts = filled.map(printedParts)
  const signs = [...new Set(parts.flatMap((part) => part?.signs ?? []))]
  const meanings = signs.map(currenciesOf)
  const currencies = (meanings[0] ?? []).filter((code) => meanings.every((codes) => codes.includes(code)))
  const numbers = parts.flatMap((part) => (part && part.units >= 1 ? part.number : []))
  const isMixed =
    !isTyped && [COMMA_DECIMAL, POINT_DECIMAL].every((form) => numbers.some((number) => form.test(number)))
  const decimal_comma = !isTyped && !isMixed && hasComma(numbers, currencies)
  const read = filled.map((value) => printedPrice(value, decimal_comma))
  const isPlain = (value: string) => PLAIN.test(decimal_comma ? value.replace(',', '.') : value)
  const refused = filled.filter((_, index) => read[index] === null)
  // `3395.0` is a whole amount.
  const decimals = numbers.map((number) => {
    const text = number.split(decimal_comma ? ',' : '.')[1] ?? ''
    // `5.489999999999998` is noise of computing.
    const fraction = text.length > MAX_EXACT ? Number(`0.${text}`).toFixed(MAX_EXACT).slice(2) : text
    return fraction.replace(/0+$/, '').length
  })
  return {
    price_text: isMixed || (!isTyped && filled.some((value, index) => read[index] !== null && !isPlain(value))),
    decimal_comma,
    isTyped,
    isWhole: isTyped && INTEGER_TYPE.test(type),
    currencies,
    signed: per(parts.filter((part) => part && part.signs.length > 0).length, filled.length),
    signs,
    share: filled.length === 0 ? 0 : 1 - refused.length / filled.length,
    positive: per(read.filter((price) => price !== null && price > 0).length, values.length),
    decimals: decimals.reduce((most, count) => Math.max(most, count), 0),
    refused: [...new Set(refused)].slice(0, 3),
    isMixed,
  }
}
