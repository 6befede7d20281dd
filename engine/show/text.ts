import type { Unit } from '../contract/field.ts'
import { CURRENCY_CHOICES, digitsOf, isCurrency, MAX_DECIMALS } from '../contract/places.ts'
import { DAY_MS, HOUR_MS } from '../contract/time.ts'
import type { TableColumn } from './answer-fields.ts'
import { day, moment, periodText } from './words.ts'

const USUAL_DECIMALS = 2

export const ABSENT = '–'

/** How values are written. */
export type TextStyle = {
  /** The currency of the answer. */
  currency: unknown
  /** Plain as on terminals, or typeset as on pages and in plots: dates in words, a true minus, long lists cut. */
  face: 'plain' | 'typeset'
  /** Whether the unit is part of the text, rather than of the head of a column. */
  hasUnit: boolean
  /** Default those of the unit. */
  decimals?: number | undefined
}

const DECIMALS: Readonly<Partial<Record<Unit, number>>> = {
  percent: 2,
  points: 2,
  ratio: 4,
  index: 4,
  figure: 4,
  confidence: 2,
  hours: 1,
  stars: 2,
}

const hasDigits = (currency: unknown): currency is string => typeof currency === 'string' && isCurrency(currency)

const decimalsIn = (value: unknown): number =>
  typeof value === 'number' ? (String(Number(value.toFixed(MAX_DECIMALS))).split('.')[1]?.length ?? 0) : 0

// A reduce, since columns may have more values than a call takes arguments.
const mostDecimals = (values: readonly unknown[], least: number): number =>
  values.reduce<number>((max, value) => Math.max(max, decimalsIn(value)), least)

/** The decimals of money: those of the currency, and more where one has more, in USD and CAD the four of a unit price. */
const moneyDecimals = (values: readonly unknown[], currency: unknown): number => {
  const usual = hasDigits(currency) ? digitsOf(currency) : USUAL_DECIMALS
  const most = mostDecimals(values, usual)
  const isElsewhere = hasDigits(currency) && !CURRENCY_CHOICES.includes(currency)
  return most > usual && !isElsewhere ? MAX_DECIMALS : most
}

/** The decimals of numbers of a unit, all of them written alike; amounts in other units than money have those of the longest. */
export const decimalsOf = (unit: Unit | undefined, values: readonly unknown[], currency?: unknown): number => {
  if (unit === 'money') return moneyDecimals(values, currency)
  if (unit === 'amount') return mostDecimals(values, 0)
  return (unit && DECIMALS[unit]) ?? 0
}

const formats = new Map<string, Intl.NumberFormat>()
const formatOf = (decimals: number, isSigned: boolean): Intl.NumberFormat => {
  const key = `${decimals} ${isSigned}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: isSigned ? 'exceptZero' : 'auto',
    })
  formats.set(key, format)
  return format
}

/** A number with grouped thousands and a true minus. */
export const number = (value: number, decimals = 0): string => formatOf(decimals, false).format(value).replace('-', '−')

/** A number of things: "1 listing", "20 listings". */
export const counted = (count: number, noun: string): string => `${number(count)} ${noun}${count === 1 ? '' : 's'}`

const currencySigns = new Map<string, string>([['CAD', 'C$']])

/** The sign of a currency in English, such as `€`, or its code where it has none; empty without a currency. */
const currencySign = (currency: unknown): string => {
  if (!hasDigits(currency)) return ''
  const kept = currencySigns.get(currency)
  if (kept !== undefined) return kept
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0)
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency
  currencySigns.set(currency, sign)
  return sign
}

/** A sign before an amount and after its minus: `€3.15`, `UAH 3.15`. */
const withSign = (sign: string, text: string): string =>
  text.replace(/^[-−]?/, (minus) => `${minus}${sign}${/[\p{L}.]$/u.test(sign) ? '\u00a0' : ''}`)

const SIGNS: Readonly<Partial<Record<Unit, string>>> = {
  percent: '%',
  points: 'pts',
  days: 'days',
  hours: 'h',
  seconds: 's',
  stars: 'of 5',
}

/** The sign of a unit, as it is in texts and heads of columns; empty where the name of the field says enough. */
export const unitSign = (unit: Unit | undefined, currency: unknown): string =>
  unit === 'money' ? currencySign(currency) : ((unit && SIGNS[unit]) ?? '')

/** How long ago something was, in whole days. */
export const agoText = (days: number): string => (days === 0 ? 'today' : `${counted(days, 'day')} ago`)

const numberText = (value: number, { kind, unit, isSigned = false }: ValueField, style: TextStyle): string => {
  if (unit === 'age') return agoText(value)
  const { currency, face, hasUnit, decimals = decimalsOf(unit, [value], currency) } = style
  const plain = formatOf(kind === 'integer' ? 0 : decimals, isSigned).format(value)
  const text = face === 'plain' ? plain : plain.replace('-', '−')
  const sign = hasUnit ? unitSign(unit, currency) : ''
  if (sign === '') return text
  if (unit === 'money') return withSign(sign, text)
  if (unit === 'percent') return `${text}${sign}`
  return `${text} ${unit === 'days' && value === 1 ? 'day' : sign}`
}

/** What an entry of a list is called: a record by its title, its name or its first text. */
const entryText = (entry: unknown): string => {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  const { title, name, ...others } = entry as Record<string, unknown>
  return String(
    title ?? name ?? Object.values(others).find((text) => typeof text === 'string') ?? JSON.stringify(entry),
  )
}

/** What of a field decides its text. */
export type ValueField = Pick<TableColumn, 'kind' | 'unit' | 'isSigned'> & { name?: string }

/** A typeset list shows the names of this many entries. */
const MAX_LISTED = 6

const listText = (entries: readonly unknown[], isWhole: boolean): string => {
  const listed = isWhole ? entries : entries.slice(0, MAX_LISTED)
  const more = entries.length - listed.length
  return `${listed.map(entryText).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A value of an answer as text: a dash where there is none, changes with their sign, entries of lists by their names. */
export const textOf = (value: unknown, field: ValueField, style: TextStyle): string => {
  const isPlain = style.face === 'plain'
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return ABSENT
  if (typeof value === 'number') return numberText(value, field, style)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return listText(value, isPlain)
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (field.kind === 'time') return isPlain ? text.slice(0, 16).replace('T', ' ') : moment(text)
  if (isPlain) return text
  return field.kind === 'date' ? day(text) : field.name === 'period' ? periodText(text) : text
}

/** A value of an answer with its unit. */
export const valueText = (
  value: unknown,
  field: ValueField,
  { currency }: { currency?: unknown },
  face: TextStyle['face'],
): string => textOf(value, field, { currency, face, hasUnit: true })

/** Writes the values of a column, all with the same decimals; by default without the unit, which its head has. */
export const columnWriter = (field: ValueField, values: readonly unknown[], style: Omit<TextStyle, 'hasUnit'>) => {
  const decimals = decimalsOf(field.unit, values, style.currency)
  return (value: unknown, hasUnit = false): string => textOf(value, field, { decimals, ...style, hasUnit })
}

/** From two days on an age is in days. */
const MAX_HOURS = 48

/** An age in milliseconds: `26 h`, from two days on `3 d`. A time that is still to come has none. */
export const ageText = (age: number): string =>
  age < MAX_HOURS * HOUR_MS ? `${Math.round(Math.max(0, age) / HOUR_MS)} h` : `${number(age / DAY_MS)} d`
