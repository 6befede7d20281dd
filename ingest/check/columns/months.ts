import { monthsOf } from '../../feeds/months.ts'
import { identifier, literal } from '../../feeds/sql-text.ts'
import type { SampledColumn } from '../read/sample.ts'
import { languagesOfCountries } from './countries.ts'
import { filledOf, memoized, shareOf } from './kinds.ts'
import { LANGUAGES, wordsOf } from './names.ts'
import { guessTimes, MONTHS } from './times.ts'

/** The names of months in all languages that write them in letters: long or short, alone or as a day of one has them. */
const monthNames = memoized((): string[][] => {
  const forms = (['long', 'short'] as const).flatMap((form) => [true, false].map((isOfDay) => ({ form, isOfDay })))
  return [...new Set(['en', ...LANGUAGES.keys(), ...languagesOfCountries()])]
    .flatMap((language) => forms.map(({ form, isOfDay }) => monthsOf(language, form, isOfDay)))
    .map((names) => names.map((name) => name.toLowerCase().replace(/\.$/, '')))
    .filter((names) => !names.some((name) => /\d/.test(name)))
})

const monthWords = memoized(() => new Set(monthNames().flatMap((names) => names.flatMap(wordsOf))))

/** Whether a word of a name is that of a month in any language. */
export const isMonth = (word: string): boolean => monthWords().has(word)

const MIN_DATES = 0.9
const LOOKS = /^(?=.{5,40}$)(?:\D{0,12}\d{1,4}\D{0,4}[\p{L}\p{M}]{3,}.*|[\p{L}\p{M}]{3,}.{0,4}\d{2,4})$/u

/** The letters of the longest name in a text; 0 without one. */
const lettersIn = (text: string, names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => (text.includes(name) ? name.length : 0)))

/** The months that most texts have; of several the longest, as a short name may be a part of one in another language. */
const namesOf = (texts: readonly string[]): readonly string[] => {
  const scoreOf = (names: readonly string[]) =>
    texts.reduce((sum, text) => sum + Math.min(1, lettersIn(text, names)) + lettersIn(text, names) / 1000, 0)
  const scores = monthNames().map((names) => ({ names, score: scoreOf(names) }))
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).names
}

/** A column of dates with months of another language than English, or of two, with the expression that makes English ones of them. */
export const withMonths = (column: SampledColumn): SampledColumn => {
  const values = filledOf(column.values)
  const first = values.slice(0, 50)
  if (shareOf(first, (value) => LOOKS.test(value)) < MIN_DATES || guessTimes(first).share > 0.5) return column
  const words = [...new Set(values.map((value) => value.toLowerCase().replace(/\d+/g, '')))]
  const main = namesOf(words)
  // What one language does not have may be of a second: `Machi` among English months.
  const rest = words.filter((word) => lettersIn(word, main) === 0)
  const both = rest.length > 0 ? [namesOf(rest), main] : [main]
  // Capitals tell these names from other words; longer ones first, as others may be a part of them.
  const months = new Map(both.flatMap((names) => names.map((name, index) => [name, index] as const)))
  const pairs = [...months]
    .map(([name, index]) => [name, ` ${MONTHS[index]!.slice(0, 3).toUpperCase()} `] as const)
    .sort(([a], [b]) => b.length - a.length)
  const translated = (value: string) =>
    pairs
      .reduce((text, [name, to]) => text.replaceAll(name, to), value.toLowerCase())
      .replace(/[^0-9A-Z:]+/g, ' ')
      .trim()
  const read = column.values.map(translated)
  if (guessTimes(read).share < MIN_DATES) return column
  const text = pairs.reduce(
    (sql, [name, to]) => `replace(${sql}, ${literal(name)}, ${literal(to)})`,
    `lower(${column.sql ?? identifier(column.name)})`,
  )
  return { ...column, values: read, sql: `trim(regexp_replace(${text}, '[^0-9A-Z:]+', ' ', 'g'))` }
}
