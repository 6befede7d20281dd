import { COLUMNS_OF, type Column, type Feed } from '../../feeds/columns.ts'
import { nearestName } from '../../feeds/nearest.ts'
import { type FeedGuess, guessFeeds } from '../columns/feed-of.ts'
import { withAliases } from '../columns/headless.ts'
import { guessNameDate } from '../columns/name-dates.ts'
import { type ColumnSummary, summarise } from '../columns/summary.ts'
import { withUnpivot } from '../columns/wide.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { describeCategory } from './describe-category.ts'
import { describeIdentity } from './describe-identity.ts'
import { describePlace, guessCurrency, siteOf } from './describe-place.ts'
import { describePrices } from './describe-price.ts'
import {
  describeDoubts,
  describeKind,
  describeOthers,
  describePosts,
  describeReading,
  describeRefusals,
} from './describe-rest.ts'
import { describeStock } from './describe-stock.ts'
import { describeTimes } from './describe-time.ts'
import { columnNamed, type Draft, take, takeSql } from './draft.ts'
import { type Form, formOf, guessesOf, sourcesOf } from './forms.ts'
import { type FileGroup, groupOf, UNDECIDED } from './groups.ts'
import { assemble, type FeedMapping } from './merge-drafts.ts'
import * as messages from './messages.ts'

/** A mapping to save, and the open decisions. Messages are in `messages.ts`. */
export type Proposal = {
  /** Keyed by feed, as in `data/mappings`. */
  mapping: Partial<Record<Feed, FeedMapping>>
  /** Decisions for a person: what is missing, what was found, what to write. */
  decisions: string[]
  /** Assumptions that need no action if they are correct. */
  notes: string[]
  /** Columns that are not read, with the nearest canonical name. */
  unused: { file: string; column: string; nearest: string | null }[]
  /** Files without prices, products or posts. */
  unread: string[]
  /** Every column of the files, by files with the same columns. */
  columns: FileColumns[]
  /** A mapping to complete, with `?` in its open places, for files that none is proposed for; null without such files. */
  skeleton: Record<string, unknown> | null
  /** How each group of files with the same columns is read, and why. */
  groups: FileGroup[]
}

/** Files with the same columns and format share one draft. */
const groupKey = ({ file, feed, guesses }: FeedGuess): string => {
  const { format, delimiter, encoding, json_path, record, skip_rows, header, header_rows, columns } = file
  const isDated = guesses.some(({ column }) => column === 'observed_at' || column === 'collected_at')
  const pattern = isDated ? '' : guessNameDate([file.path])?.pattern
  return JSON.stringify([
    feed,
    format,
    delimiter,
    encoding,
    ...[json_path, record, skip_rows, header, header_rows],
    pattern,
    columns.map(({ name, type }) => [name, type]),
  ])
}

const MAX_FILES = 100
const MAX_ROWS = 5000

/** A sample of the rows of files with the same columns, and the path of each row's file. */
const sampleOf = (files: readonly SampledFile[]): { columns: SampledColumn[]; paths: string[] } => {
  const every = Math.ceil(files.length / MAX_FILES)
  const chosen = files.filter((_, index) => index % every === 0)
  const rows = Math.floor(MAX_ROWS / chosen.length)
  return {
    columns: files[0]!.columns.map((column, index) => ({
      ...column,
      values: chosen.flatMap(({ columns }) => columns[index]?.values.slice(0, rows) ?? []),
    })),
    paths: chosen.flatMap(({ path, columns }) => (columns[0]?.values.slice(0, rows) ?? []).map(() => path)),
  }
}

const STEPS = [
  guessCurrency,
  describePrices,
  describeTimes,
  describeIdentity,
  describeStock,
  describePlace,
  describeCategory,
  describePosts,
  describeOthers,
  describeReading,
  describeKind,
  describeRefusals,
  describeDoubts,
]

/** The steps for files of a standard form, which states the rest. */
const FORM_STEPS = [guessCurrency, describePrices, describeTimes, describePlace, describeReading, describeRefusals]
const LEFT_TO_DECIDE = /^(?:platform|country|currency|observed_at|max_quarantine): /

/** Maps the columns of a standard form, and leaves what it lacks to be decided. */
const describeForm = (draft: Draft, form: Form): void => {
  draft.guesses = new Map(guessesOf(form, draft.files[0]!).map((guess) => [guess.column, guess]))
  for (const step of FORM_STEPS) step(draft)
  const { platform, country } = draft.description.columns ?? {}
  draft.description.columns = { ...(platform ? { platform } : {}), ...(country ? { country } : {}) }
  for (const [column, source] of sourcesOf(form, draft.files[0]!)) {
    if (typeof source !== 'string') takeSql(draft, column, source.sql)
    else if (column !== 'platform') take(draft, column, columnNamed(draft, source))
  }
  const { listing_id_from, constants, timezone } = form
  const site = siteOf(draft)
  draft.description = {
    ...draft.description,
    ...(listing_id_from ? { listing_id_from: listing_id_from.filter((name) => hasColumn(draft, name)) } : {}),
    ...(timezone ? { timezone } : {}),
    constants: {
      ...draft.description.constants,
      ...(site && !platform && !draft.description.columns.platform ? { platform: site } : {}),
      ...constants,
    },
  }
  const isOpen = (decision: string) => {
    const column = decision.slice(0, decision.indexOf(':')) as Column
    return draft.description.columns?.[column] === undefined && draft.description.constants?.[column] === undefined
  }
  draft.decisions = draft.decisions.filter((decision) => LEFT_TO_DECIDE.test(decision) && isOpen(decision))
  draft.notes = [
    messages.standardForm(form.name),
    ...draft.notes.filter((note) => /^(?:max_quarantine|currency): /.test(note)),
  ]
}

const hasColumn = ({ columns }: Draft, wanted: string): boolean => columns.some(({ name }) => name === wanted)

const draftOf = (group: readonly FeedGuess[], feed: Feed): Draft => {
  const files = group.map(({ file }) => file)
  const draft: Draft = {
    feed,
    files,
    ...sampleOf(files),
    guesses: new Map(group[0]!.guesses.map((guess) => [guess.column, guess])),
    description: {},
    decisions: [],
    notes: [],
    used: new Set(),
    currency: null,
    suggested: {},
  }
  const form = feed === 'price_observations' ? formOf(files[0]!) : null
  if (form) describeForm(draft, form)
  else for (const step of STEPS) step(draft)
  return draft
}

/** The columns of files with the same ones. */
export type FileColumns = { files: string[]; columns: ColumnSummary[] }

/** The file columns that each column of the feed is read from. */
const readsOf = (draft: Draft): Map<Column, string[]> => {
  const { columns = {}, listing_id_from = [] } = draft.description
  const written = new Map<Column, string>(
    (Object.entries(columns) as [Column, unknown][]).map(([column, source]) => [column, JSON.stringify(source)]),
  )
  const isIn = (text: string, name: string) =>
    text === JSON.stringify(name) || (text.length > 2 && new RegExp(`[^\\w]${escapePattern(name)}[^\\w]`).test(text))
  const reads = new Map<Column, string[]>()
  for (const column of COLUMNS_OF[draft.feed]) {
    const text = written.get(column)
    const sources = draft.columns
      .map(({ name }) => name)
      .filter((name) => (text === undefined ? name.toLowerCase() === column && draft.used.has(name) : isIn(text, name)))
    if (column === 'listing_id') sources.push(...listing_id_from)
    if (sources.length > 0) reads.set(column, sources)
  }
  return reads
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const columnsOf = (drafts: readonly Draft[], others: readonly SampledFile[]): FileColumns[] => [
  ...drafts.map((draft) => ({
    files: draft.files.map(({ path }) => path),
    columns: summarise(draft.columns, readsOf(draft)),
  })),
  ...others.map((file) => ({ files: [file.path], columns: summarise(file.columns, new Map()) })),
]

/** A mapping to complete for files without a proposal: what is possible, and `?` for what has to be found. */
const skeletonOf = (files: readonly SampledFile[], columns: readonly FileColumns[]): Proposal['skeleton'] => {
  if (files.length === 0) return null
  const own = columns.filter((entry) => entry.files.some((name) => files.some(({ path }) => path === name)))
  const possible = (target: Column): string =>
    own.flatMap((entry) => entry.columns).find((column) => column.possible === target)?.name ?? UNDECIDED
  const needed = ['listing_id', 'product_name', 'observed_at', 'price'] as const
  return {
    price_observations: {
      files: files.map(({ path }) => path),
      columns: Object.fromEntries(needed.map((column) => [column, possible(column)])),
      constants: { platform: UNDECIDED, country: UNDECIDED, currency: UNDECIDED },
    },
  }
}

const unusedOf = ({ feed, files, columns, used, guesses }: Draft): Proposal['unused'] => {
  const open = COLUMNS_OF[feed].filter((column) => !guesses.has(column))
  return files.flatMap(({ path }) =>
    columns
      .filter(({ name }) => name !== '' && !used.has(name))
      .map(({ name }) => ({ file: path, column: name, nearest: nearestName(name, open) })),
  )
}

/**
 * Proposes a mapping for files from the names of their columns and paths and from sampled values. Decisions name what
 * is missing in the files; until they are taken the mapping may lack required columns. No glob matches any of `others`,
 * the files that cannot be read.
 */
export const proposeMapping = (sampled: readonly SampledFile[], others: readonly string[] = []): Proposal => {
  const files = sampled.map((file) => withUnpivot(withAliases(file)))
  const groups = new Map<string, FeedGuess[]>()
  const guesses = guessFeeds(files, (file) => formOf(file) !== null)
  for (const guess of guesses) {
    const key = groupKey(guess)
    groups.set(key, [...(groups.get(key) ?? []), guess])
  }
  const drafts = [...groups.values()].flatMap((group) => (group[0]!.feed ? [draftOf(group, group[0]!.feed)] : []))
  const unread = guesses.flatMap(({ file, feed }) => (feed === null ? [file.path] : []))
  const unguessed = guesses.flatMap(({ file, feed }) => (feed === null ? [file] : []))
  const columns = columnsOf(drafts, unguessed)
  return {
    columns,
    skeleton: skeletonOf(unguessed, columns),
    ...assemble(drafts, [...unread, ...others]),
    unused: drafts.flatMap(unusedOf),
    unread,
    groups: drafts.map(groupOf),
  }
}
