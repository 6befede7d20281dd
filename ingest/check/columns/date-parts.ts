import { identifier } from '../../feeds/sql-text.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { conflictShare, featuresOf } from './features.ts'
import { memoized } from './kinds.ts'
import { withMonths } from './months.ts'
import { isNamed, LANGUAGES, wordsOf } from './names.ts'
import { guessColumns } from './roles.ts'

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

const isOfYears = (column: SampledColumn): boolean => featuresOf(column).share('year') === 1

/** The year, month and day of a table in columns of their own: the years may be what columns of prices were called. */
const partsOf = ({ columns, options }: SampledFile): (SampledColumn | undefined)[] => {
  const full = columns.filter((column) => featuresOf(column).fill === 1)
  const named = PARTS.map((part) => full.find(({ name }) => namesOfParts(part).has(wordsOf(name).join(''))))
  const years = full.find((column) => column.name === options.unpivot?.name_to && isOfYears(column))
  if (years === undefined) return named
  return [years, full.find(({ name }) => wordsOf(name).some((word) => namesOfParts('month').has(word)))]
}

const MIN_SERIES = 0.5
const MAX_COLUMNS = 3

/** Whether a year is of the prices: products have several, and a model has one. */
const isSeries = (columns: readonly SampledColumn[], year: SampledColumn): boolean => {
  const guess = guessColumns(columns).find(({ column }) => column === 'product_name')
  const title = columns.filter(({ name }) => name === guess?.source)
  return title.length === 0 ? columns.length <= MAX_COLUMNS : conflictShare(title, year) > MIN_SERIES
}

/** A table with a year, maybe a month and a day, in columns of their own, with the date that they make in place of the year. */
export const withDateParts = (file: SampledFile): SampledFile => {
  const [year, month, day] = partsOf(file)
  if (!year || !isOfYears(year)) return file
  if (!month && !file.options.unpivot && !isSeries(file.columns, year)) return file
  const newYear: SampledColumn = { name: '', values: year.values.map(() => '01.01'), sql: "'01.01'" }
  const parts = [...(day && month ? [day] : []), month ?? newYear, year]
  const values = year.values.map((_, row) => parts.map((part) => part.values[row]!.trim()).join('.'))
  const sql = `concat(${parts.map((part) => part.sql ?? identifier(part.name)).join(", '.', ")})`
  const date = withMonths({ name: year.name, values, sql, alias: 'date' })
  const { time, distinct } = featuresOf(date)
  // A date of its own tells more than its parts.
  const isDated = file.columns.some((column) => {
    const other = featuresOf(column)
    const isTime = column !== year && isNamed(column.name, 'observed_at')
    return isTime && other.time().share > 0.9 && other.distinct >= distinct
  })
  if (time().share < 1 || isDated) return file
  return { ...file, columns: file.columns.map((column) => (column === year ? date : column)) }
}
