import type { Column, Feed } from '../../feeds/columns.ts'
import type { Guess } from '../columns/guess-columns.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'

/** The source of a column in a mapping. */
export type ColumnSource = string | string[] | { join: string[] } | { sql: string }

/** A mapping of the files of one feed, in the keys of `feed.json`. */
export type DraftDescription = {
  columns?: Partial<Record<Column, ColumnSource>>
  constants?: Partial<Record<Column, string>>
  values?: Partial<Record<Column, Record<string, string>>>
  listing_id_from?: string[]
  timestamp_format?: string | string[]
  year?: number
  timezone?: string
  name_pattern?: string
  price_text?: true
  decimal_comma?: true
  decimals?: number
  integer_prices?: 'units' | 'minor'
  encoding?: string
  delimiter?: string
  skip_rows?: number
  header?: false | number
  json_path?: string
  record?: string
  unpivot?: { columns: string[]; name_to: string; value_to: string }
  brand_texts?: string[]
  max_quarantine?: number
}

/** The proposal in progress for files with the same columns; each step adds to it. */
export type Draft = {
  feed: Feed
  files: readonly SampledFile[]
  /** The sampled values of all files, and the file of each row. */
  columns: readonly SampledColumn[]
  paths: readonly string[]
  guesses: Map<Column, Guess>
  description: DraftDescription
  /** Open decisions for a person, and assumptions. */
  decisions: string[]
  notes: string[]
  /** The file columns that the mapping reads. */
  used: Set<string>
  /** The currency of the prices, as far as it is known. */
  currency: string | null
  /** Suggested values of required columns that the files lack: a constant, or an expression. */
  suggested: Partial<Record<Column, string | { sql: string }>>
}

export const columnNamed = (draft: Draft, name: string): SampledColumn =>
  draft.columns.find((column) => column.name === name)!

/** The file column guessed for a canonical column. */
export const guessed = (draft: Draft, column: Column): SampledColumn | undefined => {
  const guess = draft.guesses.get(column)
  return guess && columnNamed(draft, guess.source)
}

// DuckDB's reserved words, and those that it resolves to session values.
const RESERVED =
  /^(?:all|analy[sz]e|and|any|array|as|asc|asymmetric|both|case|cast|check|collate|column|constraint|create|current_\w+|default|deferrable|desc|describe|distinct|do|else|end|except|false|fetch|for|foreign|from|group|having|in|initially|intersect|into|lambda|lateral|leading|limit|localtime|localtimestamp|not|null|offset|on|only|or|order|pivot\w*|placing|primary|qualify|references|returning|select|session_user|show|some|summarize|symmetric|table|then|to|trailing|true|union|unique|unpivot|user|using|variadic|when|where|window|with)$/i

/** A column as written in an expression. */
export const reference = ({ name, sql }: SampledColumn): string => {
  if (sql !== undefined) return sql
  return /^[a-z_][a-z0-9_]*$/i.test(name) && !RESERVED.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

const isAlike = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** Maps a canonical column to a file column; none is needed if the names are equal. */
export const take = (draft: Draft, column: Column, source: SampledColumn): void => {
  draft.used.add(source.name)
  if (source.sql !== undefined) takeSql(draft, column, source.sql, source)
  else if (!isAlike(column, source.name))
    draft.description.columns = { ...draft.description.columns, [column]: source.name }
}

/** Maps a canonical column to an expression over file columns. */
export const takeSql = (draft: Draft, column: Column, sql: string, ...sources: readonly SampledColumn[]): void => {
  for (const { name } of sources) draft.used.add(name)
  draft.description.columns = { ...draft.description.columns, [column]: { sql } }
}
