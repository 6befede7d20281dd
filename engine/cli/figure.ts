import type { Unit } from '../field.ts'
import type { TableColumn } from './schema.ts'
import { printable } from './terminal.ts'

export const ABSENT = '–'

const MIN_DECIMALS = 2
const MAX_DECIMALS = 4

/** The number of decimals for a column of numbers: the maximum of its values, from 2 to 4. */
export const decimalsOf = (values: readonly unknown[]): number =>
  values.reduce<number>((max, value) => {
    if (typeof value !== 'number') return max
    return Math.max(max, String(Number(value.toFixed(MAX_DECIMALS))).split('.')[1]?.length ?? 0)
  }, MIN_DECIMALS)

type Named = { title?: unknown; name?: unknown }

/** An entry of a list: what it is called, or its JSON. */
const listed = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value)
  const { title, name } = value as Named
  return String(title ?? name ?? JSON.stringify(value))
}

/** A UTC time to the minute, without the marks of RFC 3339. */
const time = (text: string): string => text.slice(0, 16).replace('T', ' ')

/** A value as text, without its unit: grouped thousands, changes with their sign, yes and no, a dash for null. */
export const figure = (value: unknown, { kind, isSigned }: TableColumn, decimals = decimalsOf([value])): string => {
  if (value === null || value === undefined) return ABSENT
  if (kind === 'integer') return Number(value).toLocaleString('en-US')
  if (kind === 'number')
    return Number(value).toLocaleString('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: isSigned ? 'exceptZero' : 'auto',
    })
  if (kind === 'boolean') return value ? 'yes' : 'no'
  if (kind === 'time') return time(String(value))
  if (Array.isArray(value)) return printable(value.map(listed).join(', '))
  return printable(String(value))
}

/** The sign of an answer's currency; empty where it has none. */
export type CurrencySign = '$' | 'C$' | ''
export const currencySign = ({ currency }: { currency?: unknown }): CurrencySign =>
  currency === 'CAD' ? 'C$' : currency === 'USD' ? '$' : ''

/** The signs of units; the others are plain from the name of the field. */
const signs: Partial<Record<Unit, string>> = { percent: '%', points: 'pts', hours: 'h', seconds: 's', days: 'days' }

/** The sign of a column's unit for its heading; empty if it needs none. */
export const unitSign = ({ unit }: TableColumn, currency: CurrencySign): string =>
  unit === 'money' ? currency : ((unit && signs[unit]) ?? '')

/** A figure with its unit: $4.99, +2.71%, 26.4 h. */
export const withUnit = (text: string, column: TableColumn, currency: CurrencySign): string => {
  const sign = unitSign(column, currency)
  if (sign === '' || text === ABSENT) return text
  if (column.unit === 'money') return text.startsWith('-') ? `-${sign}${text.slice(1)}` : `${sign}${text}`
  return column.unit === 'percent' ? `${text}%` : `${text} ${sign}`
}
