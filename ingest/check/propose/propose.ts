import { groupBy } from '../../../engine/index.ts'
import type { Column, Feed } from '../../feeds/columns.ts'
import { withAliases } from '../columns/aliases.ts'
import { withCalendar } from '../columns/calendars.ts'
import { withChanges } from '../columns/changes.ts'
import { withDateParts } from '../columns/date-parts.ts'
import { type FeedGuess, guessFeeds } from '../columns/feed-of.ts'
import { withMonths } from '../columns/months.ts'
import { guessNameDate } from '../columns/name-dates.ts'
import { withParts, withPlainPrices } from '../columns/prices.ts'
import { type ColumnSummary, summarise } from '../columns/summary.ts'
import { withUnpivot } from '../columns/unpivot.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { describeCategory } from './category.ts'
import type { Draft, GivenPlace } from './draft.ts'
import { describeFigures } from './figures.ts'
import { describeByForm, formOf, guessByForm } from './forms.ts'
import { type FileGroup, groupOf, UNDECIDED } from './groups.ts'
import { describeIdentity } from './identity.ts'
import { assemble, type FeedMapping } from './merge.ts'
import { describePlace, guessCurrency } from './place.ts'
import { describePrices } from './price.ts'
import {
  describeDoubts,
  describeKind,
  describeOthers,
  describePosts,
  describeReading,
  describeRefusals,
} from './rest.ts'
import { describeStock } from './stock.ts'
import { describeTimes } from './time.ts'

/** The columns of files with the same ones. */
export type FileColumns = { files: string[]; columns: ColumnSummary[] }

/** A mapping to save, and the open decisions. Messages are in `messages.json`. */
export type Proposal = {
  /** Keyed by feed, as in `data/mappings`. */
  mapping: Partial<Record<Feed, FeedMapping>>
  /** Decisions for a person: what is missing, what was found, what to write. */
  decisions: string[]
  /** Assumptions that need no action if they are correct. */
  notes: string[]
  /** Files without prices, products, posts or figures of official series. */
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
  const isDated = guesses.some(({ column }) => column === 'observed_at' || column === 'collected_at')
  const pattern = isDated ? '' : guessNameDate([file.path])?.pattern
  return JSON.stringify([feed, file.format, file.options, pattern, file.columns.map(({ name, type }) => [name, type])])
}

const MAX_FILES = 100
const MAX_ROWS = 5000

/** A sample of the rows of files with the same columns, and the path of each row's file. */
const sampleOf = (files: readonly SampledFile[]): { columns: SampledColumn[]; paths: string[] } => {
  const every = Math.ceil(files.length / MAX_FILES)
  const chosen = files.filter((_, index) => index % every === 0)
  const rowsOf = ({ columns }: SampledFile, index: number) =>
    columns[index]?.values.slice(0, Math.floor(MAX_ROWS / chosen.length)) ?? []
  return {
    columns: files[0]!.columns.map((column, index) => ({
      ...column,
      values: chosen.flatMap((file) => rowsOf(file, index)),
    })),
    paths: chosen.flatMap((file) => rowsOf(file, 0).map(() => file.path)),
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

const stepsOf = (feed: Feed, isStandard: boolean) => {
  if (feed === 'official_series') return [describeReading]
  return isStandard ? FORM_STEPS : STEPS
}

const draftOf = (group: readonly FeedGuess[], feed: Feed, given: GivenPlace): Draft => {
  const files = group.map(({ file }) => file)
  const standard = formOf(files[0]!)
  const form = standard?.feed === feed ? standard : null
  const draft: Draft = {
    feed,
    files,
    ...sampleOf(files),
    given,
    guesses: new Map(form ? [] : group[0]!.guesses.map((guess) => [guess.column, guess])),
    description: {},
    decisions: [],
    notes: [],
    reads: new Map(),
    currency: null,
    country: null,
    isOnlyCountry: true,
    suggested: {},
  }
  if (form) guessByForm(draft, form)
  for (const step of stepsOf(feed, form !== null)) step(draft)
  if (form) describeByForm(draft, form)
  if (feed === 'official_series') describeFigures(draft)
  return draft
}

/** A mapping to complete for files without a proposal: what is possible, and `?` for what has to be found. */
const skeletonOf = (others: readonly FileColumns[]): Proposal['skeleton'] => {
  if (others.length === 0) return null
  const all = others.flatMap(({ columns }) => columns)
  const possible = (target: Column) =>
    all.find(({ name, possible }) => possible === target && name !== '')?.name ?? UNDECIDED
  const needed = ['listing_id', 'product_name', 'observed_at', 'price'] as const
  return {
    price_observations: {
      files: others.flatMap((entry) => entry.files),
      columns: Object.fromEntries(needed.map((column) => [column, possible(column)])),
      constants: { platform: UNDECIDED, country: UNDECIDED, currency: UNDECIDED },
    },
  }
}

/**
 * Proposes a mapping for files from the names of their columns and paths and from sampled values. Decisions name what
 * is missing in the files; until they are taken the mapping may lack required columns. No glob matches any of `others`,
 * the files that cannot be read.
 */
export const proposeMapping = (
  sampled: readonly SampledFile[],
  others: readonly string[] = [],
  given: GivenPlace = {},
): Proposal => {
  const once = sampled.map((file) => ({
    ...file,
    columns: file.columns.flatMap(withParts).map(withPlainPrices).map(withCalendar).map(withMonths),
  }))
  const files = once.map((file) => withDateParts(withUnpivot(withDateParts(withChanges(withAliases(file))))))
  const guesses = guessFeeds(files, (file) => formOf(file)?.feed ?? null)
  const drafts = [...groupBy(guesses, groupKey).values()].flatMap((group) =>
    group[0]!.feed ? [draftOf(group, group[0]!.feed, given)] : [],
  )
  const without = guesses.flatMap(({ file, feed }) => (feed === null ? file : []))
  const unguessed = without.map((file) => ({ files: [file.path], columns: summarise(file.columns) }))
  const unread = without.map(({ path }) => path)
  const read = drafts.map((draft) => ({
    files: draft.files.map(({ path }) => path),
    columns: summarise(draft.columns, draft.reads),
  }))
  return {
    columns: [...read, ...unguessed],
    skeleton: skeletonOf(unguessed),
    ...assemble(drafts, [...unread, ...others]),
    unread,
    groups: drafts.map(groupOf),
  }
}
