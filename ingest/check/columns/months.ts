import { identifier, literal } from '../../feeds/sql-text.ts'
import type { SampledColumn } from '../read/sample.ts'
import { shareOf } from './kinds.ts'
import { LANGUAGES } from './names.ts'
import { guessTimes } from './times.ts'

/** The names of the months in a language: long or short, alone or as a day of one has them. */
const namesIn = (language: string, month: 'long' | 'short', day: 'numeric' | undefined): string[] =>
  Array.from({ length: 12 }, (_, index) => {
    const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' })
    const parts = format.formatToParts(new Date(Date.UTC(2024, index, 15)))
    return parts
      .find(({ type }) => type === 'month')!
      .value.toLowerCase()
      .replace(/\.$/, '')
  })

/** What readers know; capitals tell them from other words, which are left out. */
const ENGLISH = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

let lists: string[][] | undefined

/** The names of months in all languages that write them in letters. */
const monthNames = (): string[][] => {
  lists ??= [...LANGUAGES.keys()]
    .flatMap((language) =>
      (['long', 'short'] as const).flatMap((month) => [
        namesIn(language, month, 'numeric'),
        namesIn(language, month, undefined),
      ]),
    )
    .filter((names) => !names.some((name) => /\d/.test(name)))
  return lists
}

const MIN_DATES = 0.9
const LOOKS = /^\D{0,12}\d{1,4}(?:\D{1,4}\p{L}{3,}|\P{L}{0,4}\p{L}{3,}).{0,20}$/u

/** A column of dates with names of months in another language than English, with the expression that makes English ones of them. */
export const withMonths = (column: SampledColumn): SampledColumn => {
  const values = column.values.filter((value) => value.trim() !== '')
  const isDate = (value: string) => value.length < 40 && LOOKS.test(value.trim())
  if (column.sql !== undefined || values.length === 0 || shareOf(values.slice(0, 50), isDate) < MIN_DATES) return column
  if (guessTimes(values.slice(0, 50)).share > 0.5) return column
  const has = (names: readonly string[]) =>
    shareOf(values, (value) => names.some((name) => value.toLowerCase().includes(name)))
  const names = monthNames().find((some) => has(some) > MIN_DATES)
  // Longer names first, as others may be a part of them.
  const pairs = (names ?? [])
    .map((name, index) => [name, ` ${ENGLISH[index]} `] as const)
    .sort(([a], [b]) => b.length - a.length)
  const numbered = (value: string) =>
    pairs
      .reduce((text, [name, number]) => text.replaceAll(name, number), value.toLowerCase())
      .replace(/[^0-9A-Z:]+/g, ' ')
      .trim()
  const read = column.values.map(numbered)
  if (names === undefined || guessTimes(read).share < MIN_DATES) return column
  const text = pairs.reduce(
    (sql, [name, number]) => `replace(${sql}, ${literal(name)}, ${literal(number)})`,
    `lower(${identifier(column.name)})`,
  )
  return { ...column, values: read, sql: `trim(regexp_replace(${text}, '[^0-9A-Z:]+', ' ', 'g'))` }
}
