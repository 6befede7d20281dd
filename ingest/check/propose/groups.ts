import { ALIASES, COLUMNS_OF, type Column, type Feed, REQUIRED_OF } from '../../feeds/columns.ts'
import type { Draft } from './draft.ts'

/** The value that a trial assumes for an undecided column, and whether the files suggest it, with others that fit as well. */
export type AssumedColumn = {
  column: Column
  value: string | { sql: string }
  isSuggested: boolean
  isOneOfMany?: boolean
}

/** Files with the same columns, and how they are read. */
export type FileGroup = {
  feed: Feed
  files: string[]
  /** The source of each canonical column in words, and the reason; `?` if a person has to decide. */
  columns: { column: Column; source: string; reason: string }[]
  stand_ins: AssumedColumn[]
  /** Whether nothing in the files states the currency of the prices. */
  needs_currency: boolean
  /** The year that a trial assumes for dates without one; null if they have one. */
  stand_in_year: number | null
}

export const UNDECIDED = '?'

const ASSUMED_YEAR = 2000

/** Valid values, so that a trial shows which other columns break a rule; a post is collected after it was posted. */
const assumedFor = (column: Column, feed: Feed): string => {
  const assumed: Partial<Record<Column, string>> = {
    platform: feed === 'social_posts' ? 'youtube' : 'undecided',
    country: 'us',
    price: '1',
    observed_at: `${ASSUMED_YEAR}-01-01`,
    collected_at: new Date().toISOString().slice(0, 10),
  }
  return assumed[column] ?? 'undecided'
}

const isTime = (column: Column): boolean => column === 'observed_at' || column === 'collected_at'

const isOpen = ({ guesses, description }: Draft, column: Column): boolean => {
  const { columns = {}, constants = {}, listing_id_from, name_pattern } = description
  if (guesses.has(column) || columns[column] !== undefined || constants[column] !== undefined) return false
  return !(column === 'listing_id' && listing_id_from) && !(isTime(column) && name_pattern)
}

/** The source of a column in words; null if it has none. */
const sourceOf = (draft: Draft, column: Column): string | null => {
  const { columns = {}, constants = {}, listing_id_from, name_pattern, store } = draft.description
  const [constant, source] = [constants[column], columns[column]]
  const canonical = draft.columns.find(({ name }) => (ALIASES[column] ?? [column]).includes(name.toLowerCase()))
  if (constant !== undefined) return `always ${constant}`
  if (column === 'listing_id' && listing_id_from) return listing_id_from.join(' + ')
  if (typeof source === 'object' && 'sql' in source) return source.sql
  if (typeof source === 'object' && !Array.isArray(source)) return source.join.join(' > ')
  const name = source?.toString() ?? (canonical && !isOpen(draft, column) ? canonical.name : null)
  if (name === null && isTime(column) && name_pattern !== undefined) return 'the file name'
  return name && column === 'listing_id' && store ? `${store} + ${name}` : name
}

/** The group of a finished draft. */
export const groupOf = (draft: Draft): FileGroup => {
  const { feed, files, guesses, suggested, description } = draft
  const required = REQUIRED_OF[feed]
  const needs_currency = feed === 'price_observations' && isOpen(draft, 'currency')
  // A currency other than that of us and ca has to be stated.
  const open = [...required, ...(needs_currency && suggested.currency !== undefined ? ['currency' as const] : [])]
  const formats = [description.timestamp_format ?? []].flat()
  const lacksYear = description.year === undefined && formats.some((format) => !/%[yYcxs]/.test(format))
  return {
    feed,
    files: files.map(({ path }) => path),
    columns: COLUMNS_OF[feed].flatMap((column) => {
      const source = sourceOf(draft, column)
      const guess = guesses.get(column)
      const reason = guess && source?.includes(guess.source) ? guess.reason : ''
      if (source !== null) return [{ column, source, reason }]
      const isMissing = required.includes(column) && isOpen(draft, column)
      return isMissing ? [{ column, source: UNDECIDED, reason: 'to be decided' }] : []
    }),
    stand_ins: open
      .filter((column) => isOpen(draft, column))
      .map((column) => ({
        column,
        value: suggested[column] ?? assumedFor(column, feed),
        isSuggested: suggested[column] !== undefined,
        ...(column === 'country' && !draft.isOnlyCountry ? { isOneOfMany: true } : {}),
      })),
    needs_currency,
    stand_in_year: lacksYear ? ASSUMED_YEAR : null,
  }
}
