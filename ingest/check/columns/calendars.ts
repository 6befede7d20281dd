import { DAY_MS } from '../../../engine/index.ts'
import { identifier, literal } from '../../feeds/sql-text.ts'
import { plainText } from '../../text/plain.ts'
import type { SampledColumn } from '../read/sample.ts'
import { filledOf, shareOf } from './kinds.ts'
import { withMonths } from './months.ts'
import { guessTimes } from './times.ts'

/** Dates of another calendar: how they look, and the Gregorian ones that their parts are, in TypeScript and in SQL. */
type Calendar = {
  pattern: string
  read: (parts: readonly string[]) => string
  sql: (part: (at: number) => string) => string
}

/** The days from the first one of the Persian calendar to 1970. */
const PERSIAN_EPOCH = 492_269

const CALENDARS: readonly Calendar[] = [
  // Persian years have eight leap days in 33 of them; the first six months have 31 days.
  {
    pattern: String.raw`^\s*(1[34]\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(.*)$`,
    read: ([year, month, day, rest]) => {
      const [y, m, d] = [Number(year), Number(month), Number(day)]
      const days = 365 * (y - 1) + Math.floor((8 * y + 21) / 33) + 30 * (m - 1) + Math.min(m - 1, 6) + d
      return new Date((days - PERSIAN_EPOCH) * DAY_MS).toISOString().slice(0, 10) + rest
    },
    sql: (part) => {
      const [y, m, d] = [1, 2, 3].map((at) => `TRY_CAST(${part(at)} AS INTEGER)`)
      const days = `365 * (${y} - 1) + (8 * ${y} + 21) // 33 + 30 * (${m} - 1) + least(${m} - 1, 6) + ${d}`
      return `strftime(DATE '1970-01-01' + (${days} - ${PERSIAN_EPOCH})::INTEGER, '%Y-%m-%d') || ${part(4)}`
    },
  },
  // Years of the Republic of China, with the parts between marks, in words or, of three and two digits each, joined.
  {
    pattern: String.raw`^\s*(?:民國 ?)?(1[012]\d)(?:[-/.年] ?)?(\d\d?)(?:[-/.月] ?)?(\d\d?)日?(.*)$`,
    read: ([year, month, day, rest]) => `${Number(year) + 1911}-${month}-${day}${rest}`,
    sql: (part) =>
      `(TRY_CAST(${part(1)} AS INTEGER) + 1911)::VARCHAR || '-' || ${part(2)} || '-' || ${part(3)} || ${part(4)}`,
  },
  // Years of the Buddhist era, in any order of the parts.
  {
    pattern: String.raw`^(.*\D|)(2[456]\d\d)(\D.*|)$`,
    read: ([before, year, after]) => `${before}${Number(year) - 543}${after}`,
    sql: (part) => `${part(1)} || (TRY_CAST(${part(2)} AS INTEGER) - 543)::VARCHAR || ${part(3)}`,
  },
]

/** The ten digits of the script that texts have theirs in; undefined for plain ones. */
const digitsIn = (texts: readonly string[]): string | undefined => {
  const digit = [...texts.join('')].find((letter) => /\p{Nd}/u.test(letter) && !/\d/.test(letter))
  if (digit === undefined) return undefined
  const zero = digit.codePointAt(0)! - Number(plainText(digit))
  return String.fromCodePoint(...Array.from({ length: 10 }, (_, at) => zero + at))
}

const MIN_DATES = 0.9

/** A column of dates of the Persian or Buddhist calendar, with the expression that makes Gregorian ones of them. */
export const withCalendar = (column: SampledColumn): SampledColumn => {
  const { name, values, sql = identifier(name) } = column
  const filled = filledOf(values)
  const calendar = CALENDARS.find(({ pattern }) => {
    const form = new RegExp(pattern)
    return shareOf(filled, (value) => value.length > 5 && form.test(plainText(value))) >= MIN_DATES
  })
  if (calendar === undefined || guessTimes(filled).share > 0.5) return column
  const form = new RegExp(calendar.pattern)
  const read = values.map((value) => {
    const [, ...parts] = form.exec(plainText(value)) ?? []
    return parts.length > 0 ? calendar.read(parts) : value
  })
  if (guessTimes(withMonths({ name, values: read }).values).share < MIN_DATES) return column
  const digits = digitsIn(filled)
  const text = digits ? `translate(${sql}, ${literal(digits)}, '0123456789')` : sql
  const part = (at: number) => `regexp_extract(${text}, ${literal(calendar.pattern)}, ${at})`
  return { ...column, values: read, sql: calendar.sql(part) }
}
