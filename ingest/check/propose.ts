import { COLUMNS_OF, type Feed } from '../feeds/columns.ts'
import { nearestName } from '../feeds/nearest.ts'
import { describeCategory } from './describe-category.ts'
import { describeIdentity } from './describe-identity.ts'
import { describePlace } from './describe-place.ts'
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
import type { Draft } from './draft.ts'
import { type FeedGuess, guessFeeds } from './feed-of.ts'
import { type FileGroup, groupOf } from './groups.ts'
import { assemble, type FeedMapping } from './merge-drafts.ts'
import { guessNameDate } from './name-dates.ts'
import type { SampledColumn, SampledFile } from './sample.ts'

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
  /** How each group of files with the same columns is read, and why. */
  groups: FileGroup[]
}

/** Files with the same columns and format share one draft. */
const groupKey = ({ file, feed, guesses }: FeedGuess): string => {
  const { format, delimiter, encoding, json_path, columns } = file
  const isDated = guesses.some(({ column }) => column === 'observed_at' || column === 'collected_at')
  const pattern = isDated ? '' : guessNameDate([file.path])?.pattern
  return JSON.stringify([
    feed,
    format,
    delimiter,
    encoding,
    json_path,
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
    suggested: {},
  }
  for (const step of STEPS) step(draft)
  return draft
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
export const proposeMapping = (files: readonly SampledFile[], others: readonly string[] = []): Proposal => {
  const groups = new Map<string, FeedGuess[]>()
  const guesses = guessFeeds(files)
  for (const guess of guesses) {
    const key = groupKey(guess)
    groups.set(key, [...(groups.get(key) ?? []), guess])
  }
  const drafts = [...groups.values()].flatMap((group) => (group[0]!.feed ? [draftOf(group, group[0]!.feed)] : []))
  const unread = guesses.flatMap(({ file, feed }) => (feed === null ? [file.path] : []))
  return {
    ...assemble(drafts, [...unread, ...others]),
    unused: drafts.flatMap(unusedOf),
    unread,
    groups: drafts.map(groupOf),
  }
}
