import type { Column, Feed } from '../../feeds/columns.ts'
import type { Description } from '../../feeds/mapping.ts'
import { type Features, featuresOf } from '../columns/features.ts'
import { readData, shortened } from '../columns/kinds.ts'
import type { Guess } from '../columns/roles.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'

/** What the user says of the files, which holds where they have no column of it. */
export type GivenPlace = { country?: string | undefined; platform?: string | undefined }

/** The proposal in progress for files with the same columns; each step adds to it. */
export type Draft = {
  feed: Feed
  files: readonly SampledFile[]
  /** The sampled values of all files, and the file of each row. */
  columns: readonly SampledColumn[]
  paths: readonly string[]
  given: GivenPlace
  guesses: Map<Column, Guess>
  description: Description
  /** Open decisions for a person, and assumptions. */
  decisions: string[]
  notes: string[]
  /** The file columns that each column is read from. */
  reads: Map<Column, readonly string[]>
  /** The currency of the prices, as far as it is known. */
  currency: string | null
  /** The country of the prices, as far as it is known. */
  country: string | null
  /** Whether only one country fits what the files show. */
  isOnlyCountry: boolean
  /** Suggested values of required columns that the files lack: a constant, or an expression. */
  suggested: Partial<Record<Column, string | { sql: string }>>
}

/**
 * What is missing or uncertain, what was found, and what to write in the mapping; each text begins with the column or
 * key it is about.
 */
const MESSAGES = readData<Record<string, string>>('../propose/messages.json')

const MAX_EXAMPLE = 40

/** Up to three distinct values. */
export const examples = (values: readonly string[]): string =>
  [...new Set(values)]
    .slice(0, 3)
    .map((value) => shortened(value, MAX_EXAMPLE))
    .join(', ')

export const inBrackets = (hints: readonly string[]): string => (hints.length === 0 ? '' : ` (${hints.join('; ')})`)

/** What fills a gap of a message: a text, values of which three are shown, or part of a mapping. */
type Gap = string | number | readonly string[] | object

const filledGap = (gap: Gap | undefined): string => {
  if (Array.isArray(gap)) return examples(gap)
  return typeof gap === 'object' ? JSON.stringify(gap).replaceAll('":', '": ').replaceAll(',"', ', "') : String(gap)
}

const say = (message: string, gaps: Readonly<Record<string, Gap>>): string =>
  MESSAGES[message]!.replace(/\{(\w+)\}/g, (_, name: string) => filledGap(gaps[name]))

/** Asks a person to decide. */
export const decide = (draft: Draft, message: string, gaps: Readonly<Record<string, Gap>> = {}): void => {
  draft.decisions.push(say(message, gaps))
}

/** States an assumption. */
export const note = (draft: Draft, message: string, gaps: Readonly<Record<string, Gap>> = {}): void => {
  draft.notes.push(say(message, gaps))
}

/** Says that a column of the files is read, not what the user says. */
export const noteUnused = (draft: Draft, column: 'country' | 'platform', { name }: FileColumn): void => {
  if (draft.given[column]) note(draft, 'givenUnused', { column, source: name })
}

/** A file column that was guessed, with its features. */
export type FileColumn = SampledColumn & Features

export const sourceOf = (column: SampledColumn): FileColumn => ({ ...column, ...featuresOf(column) })

/** The file column guessed for a canonical column. */
export const guessed = (draft: Draft, column: Column): FileColumn | undefined => {
  const name = draft.guesses.get(column)?.source
  const fileColumn = draft.columns.find((entry) => entry.name === name)
  return fileColumn && sourceOf(fileColumn)
}

// DuckDB's reserved words, and those that it resolves to session values.
const RESERVED =
  /^(?:all|analy[sz]e|and|any|array|as|asc|asymmetric|both|case|cast|check|collate|column|constraint|create|current_\w+|default|deferrable|desc|describe|distinct|do|else|end|except|false|fetch|for|foreign|from|group|having|in|initially|intersect|into|lambda|lateral|leading|limit|localtime|localtimestamp|not|null|offset|on|only|or|order|pivot\w*|placing|primary|qualify|references|returning|select|session_user|show|some|summarize|symmetric|table|then|to|trailing|true|union|unique|unpivot|user|using|variadic|when|where|window|with)$/i

/** A column as written in an expression. */
export const reference = ({ name, sql }: SampledColumn): string =>
  sql ?? (/^[a-z_][a-z0-9_]*$/i.test(name) && !RESERVED.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

/** Adds to a part of the mapping. */
export const state = <Part extends 'columns' | 'constants' | 'values'>(
  { description }: Draft,
  part: Part,
  entries: Description[Part],
): void => {
  description[part] = { ...description[part], ...entries }
}

type WordMeaning = (word: string) => string | undefined

/** What the different values of a column mean; those without a meaning are left out. */
export const meaningsOf = ({ filled }: FileColumn, meaning: WordMeaning): [word: string, meant: string][] =>
  [...new Set(filled)].flatMap((word) => {
    const meant = meaning(word)
    return meant === undefined ? [] : [[word, meant]]
  })

/** Whether the mapping reads a file column. */
export const isUsed = ({ reads }: Draft, name: string, except?: Column): boolean =>
  [...reads].some(([column, names]) => column !== except && names.includes(name))

/** Maps a canonical column to an expression over file columns. */
export const takeSql = (draft: Draft, column: Column, sql: string, ...sources: readonly SampledColumn[]): void => {
  draft.reads.set(
    column,
    sources.map(({ name }) => name),
  )
  state(draft, 'columns', { [column]: { sql } })
}

/** Maps a canonical column to a file column; none is needed if the names are equal. */
export const take = (draft: Draft, column: Column, source: SampledColumn): void => {
  draft.reads.set(column, [source.name])
  if (source.sql !== undefined) takeSql(draft, column, source.sql, source)
  else if (column !== source.name.toLowerCase()) state(draft, 'columns', { [column]: source.name })
}

/** Maps a canonical column to a file column whose values mean others. */
export const takeMeant = (draft: Draft, column: Column, source: FileColumn, meaning: WordMeaning): void => {
  take(draft, column, source)
  const others = meaningsOf(source, meaning).filter(([word, meant]) => word.toLowerCase() !== meant.toLowerCase())
  if (others.length > 0) state(draft, 'values', { [column]: Object.fromEntries(others) })
}
