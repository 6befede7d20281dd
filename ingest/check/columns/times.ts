import { groupBy } from '../../../engine/index.ts'
import { plainText } from '../../text/plain.ts'
import { filledOf } from './kinds.ts'

/** How the times in a column are written. */
export type TimeForm = {
  /** The share of different values that can be read as times. */
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

/** The orders that the parts of a date can have: Y four-digit year, y two-digit year, m month, d day, b month name. */
const ORDERS = 'Ymd Ydm dmY mdY dmy mdy ymd ydm Ym mY dm md dbY dby bdY bY Ybd by db bd'.split(' ')
/** Those of dates without separators, by the number of digits. */
const JOINED: Readonly<Record<number, readonly string[]>> = { 8: ['Ymd', 'dmY', 'mdY'], 6: ['Ym', 'ymd', 'dmy', 'mdy'] }
const PART: Record<string, RegExp> = { Y: /^\d{4}$/, y: /^\d\d$/, m: /^\d\d?$/, d: /^\d\d?$/, b: /^[a-z]{3,9}$/i }
/** In English, as readers know them. */
export const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const FIRST_YEAR = 1990
/** Of years in four digits: official prices go back far. */
const FIRST_OF_SERIES = 1913
// `28/03/22` cannot begin with a year until 2028.
const LAST_YEAR = new Date().getFullYear() + 1

const isJoined = (text: string): boolean => /^\d+$/.test(text)

/** The parts of a date in an order: between separators or, without any, by their widths. */
const partsOf = (text: string, order: string): string[] => {
  if (!isJoined(text)) return text.match(/\d+|[a-z]+/gi) ?? []
  const ends = [...order].map((_, index) => order.slice(0, index + 1).replace(/Y/g, 'YY').length * 2)
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

const fits = (parts: readonly string[], order: string): boolean =>
  parts.length === order.length && parts.every((part, index) => PART[order[index]!]!.test(part))

/** `2026年3月5日`, `2026년 3월 5일`, with or without the day. */
const NAMED_PARTS = /^\d{4} ?[年년] ?\d{1,2} ?[月월](?<day> ?\d{1,2} ?[日일])?$/
/** The last dot of `5.3.2026.`. */
const LAST_DOT = /(?<=\. ?\d+)\.$/

/** The orders that the parts of a text can have; none if it is not written as dates are. */
const ordersOf = (text: string): readonly string[] => {
  if (isJoined(text)) return JOINED[text.length] ?? []
  const inWords = NAMED_PARTS.exec(text)
  if (inWords) return [inWords.groups?.day ? 'Ymd' : 'Ym']
  const separators = text.replace(LAST_DOT, '').split(/\d+|[a-z]+/i)
  const [first, ...inner] = separators.slice(0, -1)
  const isNumeric = !/[a-z]/i.test(text)
  const isSeparated = isNumeric
    ? inner.every((separator) => separator === inner[0] && /^(?:[-/._] ?| )$/.test(separator))
    : inner.every((separator) => /^\.?,?[- ]?$/.test(separator))
  if (first !== '' || separators.at(-1) !== '' || !isSeparated) return []
  const parts = partsOf(text, '')
  const isDay = parts.length === 2 && isNumeric && inner[0] === ' '
  // No country writes dots between a month and the day after it.
  const isDotted = isNumeric && inner[0]?.startsWith('.')
  return ORDERS.filter(
    (order) => fits(parts, order) && !(isDay && !/Y/.test(order)) && !(isDotted && /^md/.test(order)),
  )
}

const numberOf = (text: string, part: string): number => {
  if (part === 'b') {
    const name = text.toLowerCase()
    return MONTHS.findIndex((month) => month === name || (name.length === 3 && month.startsWith(name))) + 1
  }
  return part === 'y' ? Number(text) + (Number(text) > 68 ? 1900 : 2000) : Number(text)
}

/** The day that a text means whose parts are in an order, null if none. A missing year counts as a leap year. */
const dayOf = (text: string, order: string): string | null => {
  const parts = partsOf(text, order)
  if (!fits(parts, order)) return null
  const numbers = new Map([...order].map((part, index) => [part.toLowerCase(), numberOf(parts[index]!, part)]))
  const [year, day] = [numbers.get('y') ?? 2000, numbers.get('d') ?? 1]
  const month = numbers.get('m') ?? numbers.get('b') ?? 0
  const first = order.includes('Y') && !isJoined(text) ? FIRST_OF_SERIES : FIRST_YEAR
  const date = new Date(Date.UTC(year, month - 1, day))
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDay && year >= first && year <= LAST_YEAR ? date.toISOString().slice(0, 10) : null
}

/** The strptime format of a date written like `text`, with its parts in `order`. */
const formatOf = (text: string, order: string): string => {
  if (isJoined(text)) return [...order].map((part) => `%${part}`).join('')
  let position = 0
  return text.replace(/\d+|[a-z]+/gi, (field) => {
    const part = order[position]
    position += 1
    return part === 'b' && field.length > 3 ? '%B' : `%${part}`
  })
}

/** Times that need no format: RFC 3339 and similar, with an offset directly after the seconds. */
const NATIVE =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?:(?::(\d{2})(?:\.\d+)?)?(?:Z| UTC)?|:\d{2}(?:\.\d+)?[+-]\d{2}(?::?\d{2})?))?$/i
const TIME =
  /^(.*?)([ T]|, | - )(\d{1,2}):(\d{2})(:\d{2})?(\.\d{1,6})?(?: ?([ap]m))?( ?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i

/** Numbers since an epoch, their unit in seconds, and what makes times of them; serial days are those of 1998 to 2050. */
const EPOCHS: readonly (readonly [pattern: RegExp, unit: number, sql: string])[] = [
  [/^\d{10}(?:\.\d+)?$/, 1, 'make_timestamp((?::DOUBLE * 1000000)::BIGINT)'],
  [/^\d{13}$/, 1e3, 'make_timestamp_ms(?::BIGINT)'],
  [/^\d{16}$/, 1e6, 'make_timestamp(?::BIGINT)'],
  [/^(?:3[6-9]|4\d|5[0-4])\d{3}(?:\.\d+)?$/, 0, "TIMESTAMP '1899-12-30' + to_seconds(round(?::DOUBLE * 86400))"],
]

const epochOf = (filled: readonly string[]): string | null => {
  const epoch = EPOCHS.find(([pattern, unit]) =>
    filled.every((value) => {
      const seconds = unit === 0 ? 1e9 : Number(value) / unit
      return pattern.test(value) && seconds > 631e6 && seconds < 2.5e9
    }),
  )
  return filled.length === 0 ? null : (epoch?.[2] ?? null)
}

/** The day of the week before a date: `Mon, `. */
const WEEKDAY = /^((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)([a-z]*))(\.?,? )/i

/** A date, and the strptime formats of what is before and after it. */
type SplitTime = { lead: string; date: string; rest: string; hasZone: boolean }

/** Splits a value into its date and the strptime formats of what surrounds it. */
const split = (text: string): SplitTime => {
  const [before = '', weekday = '', end, gapBefore = ''] = WEEKDAY.exec(text) ?? []
  const value = text.slice(before.length)
  const lead = weekday && `${end ? '%A' : '%a'}${gapBefore}`
  const [, date = '', gap = ' ', , , seconds, fraction, half, zone] = TIME.exec(value) ?? []
  if (date === '' || ordersOf(date).length === 0) return { lead, date: value, rest: '', hasZone: false }
  const noon = half ? `${/ [ap]m/i.test(value) ? ' ' : ''}%p` : ''
  const clock = `${half ? '%I' : '%H'}:%M${seconds ? ':%S' : ''}${fraction ? '.%f' : ''}${noon}`
  const zoneFormat = zone === undefined ? '' : /z|utc|gmt/i.test(zone) ? zone : `${zone.startsWith(' ') ? ' ' : ''}%z`
  return { lead, date, rest: `${gap}${clock}${zoneFormat}`, hasZone: zone !== undefined }
}

/** The days that a text can mean, those of the order first that most write. */
export const daysIn = (text: string): string[] => {
  const { date } = split(plainText(text))
  const orders = ordersOf(date).filter((order) => order.length > 2)
  return [...new Set(orders.flatMap((order) => dayOf(date, order) ?? []))]
}

/** Values that are written alike, and the orders that fit all of them. */
type Alike = { splits: readonly SplitTime[]; orders: string[] }

const MAX_INVALID_SHARE = 0.02

/** The orders that fit the dates, without those that give the same days as an earlier one. */
const fittingOrders = (splits: readonly SplitTime[]): string[] => {
  const readings = ordersOf(splits[0]!.date).map((order) => ({
    order,
    days: splits.map(({ date }) => dayOf(date, order)),
  }))
  const fitting = readings.filter(
    ({ days }) => days.filter((day) => day === null).length <= MAX_INVALID_SHARE * days.length,
  )
  // Of `Jan 26, Feb 26, Mar 26` the number is the year: it would be another day in most months.
  const isOfMonths =
    splits.length > 2 && 3 * new Set(splits.map(({ date }) => date.replace(/\D/g, ''))).size <= splits.length
  const possible = fitting.filter(({ order }) => order !== (isOfMonths ? 'bd' : 'by'))
  // A leading four-digit year is followed by the month unless that does not fit.
  const clear = possible.filter(({ order }) => /^Ymd?$/.test(order))
  const candidates = clear.length > 0 ? clear : possible
  const first = (days: string) => candidates.findIndex((other) => other.days.join() === days)
  return candidates.flatMap(({ order, days }, index) => (first(days.join()) === index ? order : []))
}

const alikeOf = (filled: readonly string[]): Alike[] => {
  const splits = [...new Set(filled)].map(split).filter(({ date }) => ordersOf(date).length > 0)
  const groups = groupBy(splits, ({ lead, date, rest }) => {
    const words = date.replace(/[a-z]+/gi, (word) => (word.length > 3 ? 'M' : 'm'))
    return `${lead}|${rest}|${words.replace(/\d+/g, ({ length }) => (length > 2 ? String(length) : '0'))}`
  })
  const alike = [...groups.values()].map((splits) => ({ splits, orders: fittingOrders(splits) }))
  // `25-09-17` beside `2025-09-18` begins with the year, too.
  if (alike.some(({ orders: [first] }) => first?.startsWith('Y')))
    for (const { orders } of alike) orders.sort((a, b) => Number(b === 'ymd') - Number(a === 'ymd'))
  // One column has either days or months first: what is certain of some values decides the others.
  const dayFirst = (order: string) => order.indexOf('d') < order.search(/[mb]/)
  const certain = new Set(
    alike
      .filter(({ orders }) => orders.length === 1 && /^[^Y]*d/.test(orders[0]!))
      .map(({ orders }) => dayFirst(orders[0]!)),
  )
  if (certain.size !== 1) return alike
  return alike.map(({ splits, orders }) => {
    const agreeing = orders.filter((order) => certain.has(dayFirst(order)))
    return { splits, orders: agreeing.length === 0 ? orders : agreeing }
  })
}

const formatsOf = (groups: readonly Alike[], rank: number): string[] => [
  ...new Set(
    groups.flatMap(({ splits: [first], orders }) =>
      orders[rank] === undefined ? [] : `${first!.lead}${formatOf(first!.date, orders[rank])}${first!.rest}`,
    ),
  ),
]

const NO_TIME = {
  share: 0,
  formats: [],
  isNative: false,
  alternatives: [],
  hasTime: false,
  hasZone: false,
  hasYear: true,
}

/** Guesses how a sample of times is written; `type` is the DuckDB type of a Parquet column. */
export const guessTimes = (values: readonly string[], type?: string): TimeForm => {
  const written = filledOf(values)
  const filled = written.map(plainText)
  const form: TimeForm = { ...NO_TIME, epoch: epochOf(written), example: written[0] ?? '' }
  if (type !== undefined && /^(?:DATE|TIMESTAMP)/i.test(type)) {
    const hasTime = type.toUpperCase() !== 'DATE' && filled.some((value) => !/ 00:00:00(?:\+00)?$/.test(value))
    const formats = ['%Y-%m-%d %H:%M:%S']
    return { ...form, share: 1, isNative: true, formats, hasTime, hasZone: /TIME ZONE|TZ/i.test(type), epoch: null }
  }
  if (form.epoch !== null) return { ...form, share: 1, hasTime: true, hasZone: true }
  const groups = alikeOf(filled).filter(({ orders }) => orders.length > 0)
  const read = groups.flatMap(({ splits }) => splits)
  if (read.length === 0) return form
  const distinct = [...new Set(filled)]
  return {
    ...form,
    share: read.length / distinct.length,
    formats: formatsOf(groups, 0),
    isNative: written.every((value) => NATIVE.test(value)) && groups.every(({ orders }) => orders[0] === 'Ymd'),
    alternatives: [1, 2, 3].flatMap((rank) => formatsOf(groups, rank)),
    hasTime: read.some(({ rest }) => rest !== ''),
    hasZone: read.every(({ hasZone }) => hasZone),
    hasYear: groups.every(({ orders }) => /y/i.test(orders[0]!)),
  }
}
