import { ALIASES, COLUMNS_OF, type Column, type Feed, REQUIRED_OF } from '../../feeds/columns.ts'
import type { ColumnSource, Draft } from './draft.ts'

/** The source of a canonical column in words, and the reason; `?` if a person has to decide. */
export type Assignment = { column: Column; source: string; reason: string }

/** The value that a trial assumes for an undecided column. */
export type AssumedColumn = {
  column: Column
  value: string | { sql: string }
  /** Whether the files suggest the value. */
  isSuggested: boolean
}

/** The columns of each file with an assumed value, and whether the files suggest it. */
export type AssumedColumnsByFile = ReadonlyMap<string, ReadonlyMap<Column, boolean>>

/** Files with the same columns, and how they are read. */
export type FileGroup = {
  feed: Feed
  files: string[]
  columns: Assignment[]
  stand_ins: AssumedColumn[]
  /** Whether nothing in the files states the currency of the prices. */
  needs_currency: boolean
  /** The year that a trial assumes for dates without one; null if they have one. */
  stand_in_year: number | null
}

export const UNDECIDED = '?'

const ASSUMED_DAY = '2000-01-01'
const ASSUMED_YEAR = 2000

/** Valid values, so that a trial shows which other columns break a rule. */
const assumedValueFor = (column: Column, feed: Feed): string => {
  if (column === 'platform') return feed === 'social_posts' ? 'youtube' : 'undecided'
  if (column === 'country') return 'us'
  if (column === 'price') return '1'
  if (column === 'observed_at') return ASSUMED_DAY
  // A post is collected after it was posted.
  return column === 'collected_at' ? new Date().toISOString().slice(0, 10) : 'undecided'
}

const TIMES: readonly Column[] = ['observed_at', 'collected_at']

const isOpen = ({ guesses, description }: Draft, column: Column): boolean => {
  const { columns = {}, constants = {}, listing_id_from, name_pattern } = description
  if (guesses.has(column) || columns[column] !== undefined || constants[column] !== undefined) return false
  if (column === 'listing_id' && listing_id_from !== undefined) return false
  return !(TIMES.includes(column) && name_pattern !== undefined)
}

const assumedColumnsOf = (draft: Draft): AssumedColumn[] =>
  [...REQUIRED_OF[draft.feed], 'currency' as const]
    .filter((column) => isOpen(draft, column) && (column !== 'currency' || needsCurrency(draft)))
    .map((column) => {
      const suggested = draft.suggested[column]
      return { column, value: suggested ?? assumedValueFor(column, draft.feed), isSuggested: suggested !== undefined }
    })

/** A currency other than that of us and ca has to be stated. */
const needsCurrency = (draft: Draft): boolean =>
  draft.feed === 'price_observations' && isOpen(draft, 'currency') && draft.suggested.currency !== undefined

const lacksYear = ({ description: { timestamp_format = [], year } }: Draft): boolean =>
  year === undefined && [timestamp_format].flat().some((format) => !/%[yYcxs]/.test(format))

const inWords = (source: ColumnSource): string => {
  if (typeof source === 'string') return source
  if (Array.isArray(source)) return source.join(' or ')
  return 'sql' in source ? source.sql : source.join.join(' > ')
}

const sourceOf = (draft: Draft, column: Column): string | null => {
  const { columns: sources = {}, constants = {}, listing_id_from, name_pattern } = draft.description
  const [constant, source] = [constants[column], sources[column]]
  if (constant !== undefined) return `always ${constant}`
  if (column === 'listing_id' && listing_id_from) return listing_id_from.join(' + ')
  if (source !== undefined) return inWords(source)
  const names = ALIASES[column] ?? [column]
  const aliased = draft.columns.find(({ name }) => names.includes(name.toLowerCase()))
  if (aliased && !isOpen(draft, column)) return aliased.name
  return TIMES.includes(column) && name_pattern !== undefined ? 'the file name' : null
}

const assignmentOf = (draft: Draft, column: Column): Assignment[] => {
  const guess = draft.guesses.get(column)
  const source = sourceOf(draft, column)
  if (source !== null) {
    const isGuessed = guess !== undefined && source.includes(guess.source)
    return [{ column, source, reason: isGuessed ? guess.reason : '' }]
  }
  const isMissing = REQUIRED_OF[draft.feed].includes(column) && isOpen(draft, column)
  return isMissing ? [{ column, source: UNDECIDED, reason: 'to be decided' }] : []
}

/** The group of a finished draft. */
export const groupOf = (draft: Draft): FileGroup => ({
  feed: draft.feed,
  files: draft.files.map(({ path }) => path),
  columns: COLUMNS_OF[draft.feed].flatMap((column) => assignmentOf(draft, column)),
  stand_ins: assumedColumnsOf(draft),
  needs_currency: draft.feed === 'price_observations' && isOpen(draft, 'currency'),
  stand_in_year: lacksYear(draft) ? ASSUMED_YEAR : null,
})
