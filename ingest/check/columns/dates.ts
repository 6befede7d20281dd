import { formatOf, readDate, shapeOf } from './date-forms.ts'
import { profile } from './values.ts'

/** How the times in a column are written. */
export type TimeForm = {
  /** The share of non-blank values that can be read as times. */
  share: number
  /** strptime formats for the mapping key `timestamp_format`; not needed where `isNative`. */
  formats: readonly string[]
  isNative: boolean
  /** Other formats that fit the same values but give other dates: a person must decide. */
  alternatives: readonly string[]
  /** Whether the values include a time of day, a time zone and a year. */
  hasTime: boolean
  hasZone: boolean
  hasYear: boolean
  /** For numbers since an epoch, the SQL that makes a timestamp of the column `?`. */
  epoch: string | null
  example: string
}

/** Times that need no format: RFC 3339 and similar, with an offset directly after the seconds. */
const NATIVE =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?:(?::(\d{2})(?:\.\d+)?)?(?:Z| UTC)?|:\d{2}(?:\.\d+)?[+-]\d{2}(?::?\d{2})?))?$/i
const TIME =
  /^(.*?)([ T]|, | - )(\d{1,2}):(\d{2})(:\d{2})?(\.\d{1,6})?(?: ?([ap]m))?( ?(?:Z|UTC|[+-]\d{2}(?::?\d{2})?))?$/i

const EPOCHS: readonly (readonly [pattern: RegExp, unit: number, sql: string])[] = [
  [/^\d{10}(?:\.\d+)?$/, 1, 'make_timestamp((?::DOUBLE * 1000000)::BIGINT)'],
  [/^\d{13}$/, 1e3, 'make_timestamp_ms(?::BIGINT)'],
  [/^\d{16}$/, 1e6, 'make_timestamp(?::BIGINT)'],
]
// Spreadsheet serial dates: days since 1899-12-30, here of 1998 to 2050.
const SERIAL_DAY = /^(?:3[6-9]|4\d|5[0-4])\d{3}(?:\.\d+)?$/
const SERIAL_SQL = "TIMESTAMP '1899-12-30' + to_seconds(round(?::DOUBLE * 86400))"

const secondsOf = (value: string, unit: number): number => Number(value) / unit

const epochOf = (filled: readonly string[]): string | null => {
  if (filled.length === 0) return null
  for (const [pattern, unit, sql] of EPOCHS) {
    const fits = (value: string) =>
      pattern.test(value) && secondsOf(value, unit) > 631e6 && secondsOf(value, unit) < 2.5e9
    if (filled.every(fits)) return sql
  }
  return filled.every((value) => SERIAL_DAY.test(value)) ? SERIAL_SQL : null
}

type SplitTime = { date: string; rest: string; hasZone: boolean }

/** Splits a value into its date and the strptime format of what follows. */
const split = (value: string): SplitTime => {
  const time = TIME.exec(value)
  if (!time || shapeOf(time[1]!) === null) return { date: value, rest: '', hasZone: false }
  const [, date = '', gap = ' ', , , seconds, fraction, half, zone] = time
  const hour = half ? '%I' : '%H'
  const clock = `${hour}:%M${seconds ? ':%S' : ''}${fraction ? '.%f' : ''}${half ? `${/ [ap]m/i.test(value) ? ' ' : ''}%p` : ''}`
  const zoneFormat = zone === undefined ? '' : /z|utc/i.test(zone) ? zone : `${zone.startsWith(' ') ? ' ' : ''}%z`
  return { date, rest: `${gap}${clock}${zoneFormat}`, hasZone: zone !== undefined }
}

type DateGroup = { splits: SplitTime[]; orders: readonly string[] }

const groupsOf = (filled: readonly string[]): DateGroup[] => {
  const groups = new Map<string, DateGroup>()
  for (const value of new Set(filled)) {
    const parts = split(value)
    const shape = shapeOf(parts.date)
    if (shape === null) continue
    const key = `${shape.number}|${parts.rest}|${parts.date.replace(/\d+/g, '0').replace(/[a-z]+/gi, (word) => (word.length > 3 ? 'M' : 'm'))}`
    const group = groups.get(key)
    if (group) group.splits.push(parts)
    else groups.set(key, { splits: [parts], orders: shape.orders })
  }
  return [...groups.values()]
}

const MAX_INVALID_SHARE = 0.02

/** The orders that fit all dates of a group, without those that give the same dates as an earlier one. */
const fittingOrders = ({ splits, orders }: DateGroup): string[] => {
  const readings = orders.map((order) => ({ order, days: splits.map(({ date }) => readDate(date, order)) }))
  const fits = readings.filter(
    ({ days }) => days.filter((day) => day === null).length <= MAX_INVALID_SHARE * days.length,
  )
  // A leading four-digit year is followed by the month unless that does not fit.
  const clear = fits.filter(({ order }) => /^Ymd?$/.test(order))
  const candidates = clear.length > 0 ? clear : fits
  const first = (days: string): number => candidates.findIndex((other) => other.days.join() === days)
  return candidates.flatMap(({ order, days }, index) => (first(days.join()) === index ? order : []))
}

const dayFirst = (order: string): boolean => order.indexOf('d') < order.search(/[mb]/)

/** Resolves ambiguous groups by those that are certain: one column has either days or months first. */
const resolveAmbiguous = (groups: readonly (DateGroup & { fits: string[] })[]): (DateGroup & { fits: string[] })[] => {
  const certain = groups
    .filter(({ fits }) => fits.length === 1 && /^[^Y]*d/.test(fits[0]!))
    .map(({ fits }) => dayFirst(fits[0]!))
  if (new Set(certain).size !== 1) return [...groups]
  return groups.map((group) => {
    const agreeing = group.fits.filter((order) => dayFirst(order) === certain[0])
    return agreeing.length === 0 ? group : { ...group, fits: agreeing }
  })
}

const NONE: TimeForm = {
  share: 0,
  formats: [],
  isNative: false,
  alternatives: [],
  hasTime: false,
  hasZone: false,
  hasYear: true,
  epoch: null,
  example: '',
}

const formatsOf = (groups: readonly (DateGroup & { fits: string[] })[], rank: number): string[] => [
  ...new Set(
    groups.flatMap(({ splits, fits }) =>
      fits[rank] === undefined ? [] : `${formatOf(splits[0]!.date, fits[rank])}${splits[0]!.rest}`,
    ),
  ),
]

const guessTextTimes = (filled: readonly string[]): TimeForm => {
  const groups = resolveAmbiguous(groupsOf(filled).map((group) => ({ ...group, fits: fittingOrders(group) }))).filter(
    ({ fits }) => fits.length > 0,
  )
  const read = groups.flatMap(({ splits }) => splits)
  if (read.length === 0) return NONE
  const distinct = new Set(filled)
  const isNative = [...distinct].every((value) => NATIVE.test(value)) && groups.every(({ fits }) => fits[0] === 'Ymd')
  return {
    share: read.length / distinct.size,
    formats: formatsOf(groups, 0),
    isNative,
    alternatives: [1, 2, 3].flatMap((rank) => formatsOf(groups, rank)),
    hasTime: read.some(({ rest }) => rest !== ''),
    hasZone: read.every(({ hasZone }) => hasZone),
    hasYear: groups.every(({ fits }) => /y/i.test(fits[0]!)),
    epoch: null,
    example: filled[0]!,
  }
}

/** Guesses how a sample of times is written; `type` is the DuckDB type of a Parquet column. */
export const guessTimes = (values: readonly string[], type?: string): TimeForm => {
  const { filled } = profile(values)
  const example = filled[0] ?? ''
  if (type !== undefined && /^(?:DATE|TIMESTAMP)/i.test(type)) {
    const hasTime = type.toUpperCase() !== 'DATE' && filled.some((value) => !/ 00:00:00(?:\+00)?$/.test(value))
    return {
      ...NONE,
      share: 1,
      isNative: true,
      formats: ['%Y-%m-%d %H:%M:%S'],
      hasTime,
      hasZone: /TIME ZONE|TZ/i.test(type),
      example,
    }
  }
  const epoch = epochOf(filled)
  return epoch === null ? guessTextTimes(filled) : { ...NONE, share: 1, epoch, hasTime: true, hasZone: true, example }
}
