import type { DescribedField, Unit } from '../../engine/index.ts'
import { HOUR_MS } from '../../engine/index.ts'

export const ABSENT_VALUE = '–'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** From two days on an age is in days. */
const MAX_HOURS = 48

/** A number with grouped thousands and a true minus. */
export const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace('-', '−')

const signed = (value: number, digits: number): string => `${value > 0 ? '+' : ''}${number(value, digits)}`

/** `2026-11-22...` as `22 Nov 2026`. */
export const day = (date: string): string =>
  `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`

/** `2026-11-22T21:59:18Z` as `22 Nov 2026, 21:59 UTC`. */
export const moment = (time: string): string => `${day(time)}, ${time.slice(11, 16)} UTC`

/** The name of a period in words: `2026-10` as `Oct 2026`, a day as a day, a week as it is. */
export const periodText = (period: string): string => {
  if (/^\d{4}-\d\d$/.test(period)) return day(`${period}-01`).slice(2)
  return /^\d{4}-\d\d-\d\d$/.test(period) ? day(period) : period
}

/** The age of a time: `26 h`, from two days on `3 d`. */
export const age = (time: string, now: Date): string => {
  const hours = Math.max(0, now.getTime() - Date.parse(time)) / HOUR_MS
  return hours < MAX_HOURS ? `${Math.round(hours)} h` : `${number(Math.round(hours / 24))} d`
}

const CURRENCY_SIGNS: Readonly<Record<string, string>> = { USD: '$', CAD: 'C$' }

/** Whether a percentage is a change, which has a sign, rather than a share. */
const isChange = (path: string): boolean =>
  /(change|growth|vs_avg)_pct$|_ci(_clustered)?\.(low|high)$|\.lfl\.(low|high)$|lfl_variants\.|decomposition\./.test(
    path,
  )

export type FormatOptions = {
  path: string
  unit?: Unit | undefined
  currency: string
  /** Whether the unit is part of the text, not of the column's head. */
  hasUnit: boolean
  digits?: number
}

const DIGITS: Readonly<Partial<Record<Unit, number>>> = {
  money: 2,
  percent: 2,
  points: 2,
  ratio: 4,
  index: 4,
  confidence: 2,
  hours: 1,
  stars: 1,
}

const formatNumber = (value: number, { path, unit, currency, hasUnit, digits }: FormatOptions): string => {
  const decimals = digits ?? (unit && DIGITS[unit]) ?? (Number.isInteger(value) ? 0 : 2)
  if (unit === 'money') {
    const text = number(Math.abs(value), decimals)
    return `${value < 0 ? '−' : ''}${hasUnit ? (CURRENCY_SIGNS[currency] ?? '') : ''}${text}`
  }
  const text = isChange(path) ? signed(value, decimals) : number(value, decimals)
  if (!hasUnit) return text
  if (unit === 'percent') return `${text}%`
  if (unit === 'points') return `${text} pts`
  if (unit === 'days' || unit === 'hours' || unit === 'seconds' || unit === 'stars') return `${text} ${unit}`
  return text
}

const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT/.test(value)

/** A list shows the names of this many entries. */
const MAX_LISTED = 6
const NAMES = ['title', 'name', 'phrase', 'brand', 'browse_node', 'platform']

/** The name of an entry of a list: of a record its title or its first text. */
const entryText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value)
  const record = value as Record<string, unknown>
  const named = NAMES.map((name) => record[name]).find((text) => typeof text === 'string')
  return String(named ?? Object.values(record).find((text) => typeof text === 'string') ?? JSON.stringify(value))
}

const listText = (values: readonly unknown[]): string => {
  const names = values.slice(0, MAX_LISTED).map(entryText).join(', ')
  return values.length > MAX_LISTED ? `${names} and ${values.length - MAX_LISTED} more` : names
}

/** A value of an answer as text: by its unit, with the answer's currency; a dash where it is null. */
export const formatted = (value: unknown, options: FormatOptions): string => {
  if (value === null || value === undefined) return ABSENT_VALUE
  if (typeof value === 'number') return formatNumber(value, options)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? ABSENT_VALUE : listText(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (options.unit === 'time' && isTime(value)) return moment(value)
  return options.unit === 'date' && /^\d{4}-\d\d-\d\d$/.test(value) ? day(value) : value
}

const UNIT_TEXTS: Readonly<Partial<Record<Unit, string>>> = {
  percent: '%',
  points: 'points',
  days: 'days',
  hours: 'hours',
  seconds: 'seconds',
  stars: 'of 5',
}

/** A unit as a table states it in its head. */
export const unitText = (unit: Unit | undefined, currency: string): string =>
  unit === 'money' ? currency : ((unit && UNIT_TEXTS[unit]) ?? '')

const WORDS: Readonly<Record<string, string>> = {
  lfl: 'like-for-like',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  std: 'standard',
  dev: 'deviation',
  coeff: 'coefficient',
  ci: 'interval',
  hhi: 'Herfindahl index',
  cr4: 'share of the four largest',
  promo: 'promotion',
  vs: 'against',
  p10: '10th percentile',
  p25: '25th percentile',
  p50: 'median',
  p75: '75th percentile',
  p90: '90th percentile',
  gpc: 'GPC',
  url: 'address',
  pct: '',
  pricing: 'price',
  summary: '',
}

/** The name of a field in words: `lfl_change_pct` as `Like-for-like change`. */
export const fieldTitle = (path: string): string => {
  const words = path
    .replace(/\[\]/g, '')
    .split(/[._]/)
    .map((word) => WORDS[word] ?? word)
  const text = words.filter((word, i) => word !== '' && word !== words[i - 1]).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The meaning of a described field up to the end of its first sentence. */
export const firstSentence = ({ description = '' }: Pick<DescribedField, 'description'>): string =>
  /^.*?[.](?=\s|$)/.exec(description)?.[0].slice(0, -1) ?? description
