import type { Column, Feed } from '../../feeds/columns.ts'
import { guessTimes, type TimeForm } from '../columns/dates.ts'
import { guessNameDate, guessNameYear } from '../columns/name-dates.ts'
import type { SampledColumn } from '../read/sample.ts'
import { type Draft, guessed, reference, take, takeSql } from './draft.ts'
import * as messages from './messages.ts'

/** The time that every row of a feed must have. */
const NEEDED: Readonly<Partial<Record<Feed, Column>>> = {
  price_observations: 'observed_at',
  social_posts: 'collected_at',
}
const OTHERS: readonly Column[] = ['scraped_at', 'posted_at', 'first_seen_at', 'last_seen_at', 'delisted_at']

const describeYear = (draft: Draft, column: Column, source: SampledColumn, form: TimeForm): void => {
  const years = new Set(draft.files.map(({ path }) => guessNameYear(path)))
  const [year] = years
  if (years.size === 1 && year) {
    draft.description.year = year
    draft.notes.push(messages.yearFromName(column, source.name, year))
  } else draft.decisions.push(messages.noYear(column, source.name, form.example))
}

const describeZone = (draft: Draft, column: Column, source: SampledColumn, form: TimeForm): void => {
  if (!form.hasTime || form.hasZone || form.epoch !== null) return
  draft.decisions.push(messages.noZone(column, source.name, form.example))
}

const describeForms = (draft: Draft, forms: readonly TimeForm[]): void => {
  const texts = forms.filter(({ epoch }) => epoch === null)
  if (texts.every(({ isNative }) => isNative)) return
  const formats = [...new Set(texts.flatMap(({ formats }) => formats))]
  if (formats.length > 0) draft.description.timestamp_format = formats.length === 1 ? formats[0]! : formats
}

const describeColumn = (draft: Draft, column: Column, source: SampledColumn): TimeForm => {
  const form = guessTimes(source.values, source.type)
  if (form.epoch === null) take(draft, column, source)
  else takeSql(draft, column, form.epoch.replace('?', reference(source)), source)
  const { formats, alternatives, example } = form
  if (alternatives.length > 0)
    draft.decisions.push(messages.ambiguousTime(column, source.name, example, [formats[0]!, ...alternatives]))
  if (!form.hasYear) describeYear(draft, column, source, form)
  return form
}

const describeName = (draft: Draft, column: Column): void => {
  const date = guessNameDate(draft.files.map(({ path }) => path))
  if (date === null) {
    const years = [...new Set(draft.files.map(({ path }) => guessNameYear(path)))].filter((year) => year !== null)
    draft.decisions.push(messages.noTime(column, years))
    return
  }
  draft.description.name_pattern = date.pattern
  if (date.alternatives.length > 0)
    draft.decisions.push(messages.ambiguousName(column, date.example, date.alternatives))
  else if (date.hasDay) draft.notes.push(messages.dayFromName(column, date.example))
  else draft.decisions.push(messages.monthOnly(column, date.example))
}

/** Maps the times of rows, or the date in the file names, and how they are written. */
export const describeTimes = (draft: Draft): void => {
  const needed = NEEDED[draft.feed]
  const forms: TimeForm[] = []
  for (const column of needed ? [needed, ...OTHERS] : OTHERS) {
    const source = guessed(draft, column)
    if (source === undefined) continue
    const form = describeColumn(draft, column, source)
    if (column === needed) describeZone(draft, column, source, form)
    forms.push(form)
  }
  describeForms(draft, forms)
  if (needed && !draft.guesses.has(needed)) describeName(draft, needed)
}
