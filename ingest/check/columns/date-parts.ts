import { identifier } from '../../feeds/sql-text.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { featuresOf } from './features.ts'
import { memoized } from './kinds.ts'
import { withMonths } from './months.ts'
import { isNamed, LANGUAGES, wordsOf } from './names.ts'

const PARTS = ['year', 'month', 'day'] as const

/** What the parts of a date are called in the languages of the names of columns. */
const namesOfParts = memoized(
  (part: (typeof PARTS)[number]) =>
    new Set(
      [...LANGUAGES.keys()].map((language) =>
        wordsOf(new Intl.DisplayNames(language, { type: 'dateTimeField' }).of(part) ?? '').join(''),
      ),
    ),
)

const written = ({ name, sql }: SampledColumn): string => sql ?? identifier(name)

/** A table with a year and a month, maybe a day, in columns of their own, with the date that they make in place of the year. */
export const withDateParts = (file: SampledFile): SampledFile => {
  const [year, month, day] = PARTS.map((part) =>
    file.columns.find(
      (column) => namesOfParts(part).has(wordsOf(column.name).join('')) && featuresOf(column).fill === 1,
    ),
  )
  if (!year || !month || featuresOf(year).share('year') < 1) return file
  const [first, ...others] = day ? [day, month, year] : [month, year]
  const values = year.values.map((_, row) => [first!, ...others].map((part) => part.values[row]!.trim()).join('.'))
  const sql = `concat(${[first!, ...others].map(written).join(", '.', ")})`
  const date = withMonths({ name: year.name, values, sql, alias: 'date' })
  const { time, distinct } = featuresOf(date)
  // A date of its own tells more than its parts.
  const isDated = file.columns.some(
    (column) =>
      isNamed(column.name, 'observed_at') &&
      featuresOf(column).time().share > 0.9 &&
      featuresOf(column).distinct >= distinct,
  )
  if (time().share < 1 || isDated) return file
  return { ...file, columns: file.columns.map((column) => (column === year ? date : column)) }
}
