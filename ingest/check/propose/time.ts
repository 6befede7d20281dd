import type { Column, Feed } from '../../feeds/columns.ts'
import { zoneOf } from '../columns/countries.ts'
import { guessNameDate, guessNameYear } from '../columns/name-dates.ts'
import type { TimeForm } from '../columns/times.ts'
import { type Draft, decide, type FileColumn, guessed, inBrackets, note, reference, take, takeSql } from './draft.ts'
import { dayOfTitles } from './titles.ts'

/** The time that every row of a feed must have. */
const NEEDED: Readonly<Partial<Record<Feed, Column>>> = {
  price_observations: 'observed_at',
  social_posts: 'collected_at',
}
const OTHERS: readonly Column[] = ['scraped_at', 'posted_at', 'first_seen_at', 'last_seen_at', 'delisted_at']

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(' or ')

const yearsOf = ({ files }: Draft): (number | null)[] => [...new Set(files.map(({ path }) => guessNameYear(path)))]

const describeColumn = (draft: Draft, column: Column, source: FileColumn): TimeForm => {
  const form = source.time()
  const { formats, alternatives, example, epoch, hasTime, hasZone, hasYear } = form
  const gaps = { column, source: source.name, example }
  if (epoch === null) take(draft, column, source)
  else takeSql(draft, column, epoch.replace('?', reference(source)), source)
  if (alternatives.length > 0) {
    const formatGaps = { format: formats[0]!, formats: quoted([formats[0]!, ...alternatives]) }
    decide(draft, 'ambiguousTime', { ...gaps, ...formatGaps })
  }
  if (source.sql !== undefined && source.values.every((value) => value.startsWith('01.01.')))
    note(draft, 'yearOnly', gaps)
  const [year, ...others] = yearsOf(draft)
  if (!hasYear && year && others.length === 0) {
    draft.description.year = year
    note(draft, 'yearFromName', { ...gaps, year })
  } else if (!hasYear) decide(draft, 'noYear', gaps)
  if (column === NEEDED[draft.feed] && hasTime && !hasZone && epoch === null)
    decide(draft, 'noZone', { ...gaps, zone: zoneOf(draft.country) })
  return form
}

/** Takes the time of rows from the file names. */
const describeName = (draft: Draft, column: Column): void => {
  const date = guessNameDate(draft.files.map(({ path }) => path))
  if (date === null) {
    const years = yearsOf(draft).filter((year) => year !== null)
    const day = dayOfTitles(draft)
    if (day) draft.suggested[column] = day
    const hints = [
      ...(day ? [`the text above the table has ${day}`] : []),
      ...(years.length > 0 ? [`only the year ${years.join(', ')}`] : []),
    ]
    const constants = { [column]: day ?? `${years[0] ?? 2024}-MM-DD` }
    decide(draft, 'noTime', { column, hints: inBrackets(hints), constants })
    return
  }
  const { pattern, hasDay, alternatives, example } = date
  draft.description.name_pattern = pattern
  if (alternatives.length > 0) decide(draft, 'ambiguousName', { column, day: example, patterns: quoted(alternatives) })
  else if (hasDay) note(draft, 'dayFromName', { column, day: example })
  else decide(draft, 'monthOnly', { column, month: example, constants: { [column]: `${example}-15` } })
}

/** Maps the times of rows, or the date in the file names, and how they are written. */
export const describeTimes = (draft: Draft): void => {
  const needed = NEEDED[draft.feed]
  const forms = [...(needed ? [needed] : []), ...OTHERS].flatMap((column) => {
    const source = guessed(draft, column)
    return source ? [describeColumn(draft, column, source)] : []
  })
  const texts = forms.filter(({ epoch }) => epoch === null)
  // `%Y` would read `25-09-17` as a day of the year 25.
  const isShort = (format: string) => Number(format.includes('%y'))
  const formats = [...new Set(texts.flatMap((form) => form.formats))].sort((a, b) => isShort(b) - isShort(a))
  if (formats.length > 0 && !texts.every(({ isNative }) => isNative))
    draft.description.timestamp_format = formats.length === 1 ? formats[0]! : formats
  if (needed && !draft.guesses.has(needed)) describeName(draft, needed)
}
