import type { Feed } from '../../feeds/columns.ts'
import type { Draft, DraftDescription } from './draft.ts'

/** The part of a mapping for one feed: its files by glob, with settings for all or for each. */
export type FeedMapping = DraftDescription & { files: string[] | Record<string, DraftDescription> }

const globOf = (path: string): string => path.replace(/\d+/g, '*')

const matches = (path: string, glob: string): boolean =>
  new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^/]*')}$`,
  ).test(path)

const MAX_LISTED = 5

const pathsOf = ({ files }: Draft): string[] => files.map(({ path }) => path)

/** The paths of a group, or globs for many paths that differ only in digits. */
const globsOf = (draft: Draft, others: readonly string[]): string[] => {
  const paths = pathsOf(draft)
  const globs = [...new Set(paths.map(globOf))]
  const isOwn = globs.every((glob) => !others.some((path) => matches(path, glob)))
  return paths.length > MAX_LISTED && isOwn ? globs : paths
}

const MERGED = ['columns', 'constants', 'values'] as const

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

type Entries = Readonly<Record<string, unknown>>

/** The entries that all have in common, and the rest of each. */
const common = (all: readonly Entries[]): { shared: Entries; rest: Entries[] } => {
  const [first = {}] = all
  const keys = Object.keys(first).filter((key) => all.every((entries) => isSame(entries[key], first[key])))
  const without = (entries: Entries) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)))
  return { shared: Object.fromEntries(keys.map((key) => [key, first[key]])), rest: all.map(without) }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const withoutEmpty = (entries: Entries): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => !isEmpty(value)))

/** The settings that all descriptions share, and the rest of each. */
const factored = (
  descriptions: readonly DraftDescription[],
): { shared: DraftDescription; rest: DraftDescription[] } => {
  const parts = MERGED.map((key) => ({ key, ...common(descriptions.map((description) => description[key] ?? {})) }))
  const others = common(
    descriptions.map((description) =>
      Object.fromEntries(Object.entries(description).filter(([key]) => !MERGED.includes(key as 'columns'))),
    ),
  )
  const combined = (entries: Entries, index: number | null): DraftDescription =>
    withoutEmpty({
      ...Object.fromEntries(parts.map(({ key, shared, rest }) => [key, index === null ? shared : rest[index]])),
      ...entries,
    }) as DraftDescription
  return { shared: combined(others.shared, null), rest: others.rest.map((entries, index) => combined(entries, index)) }
}

const mappingOf = (drafts: readonly Draft[], all: readonly Draft[], unread: readonly string[]): FeedMapping => {
  const globs = drafts.map((draft) =>
    globsOf(draft, [...all.filter((other) => other !== draft).flatMap(pathsOf), ...unread]),
  )
  const { shared, rest } = factored(drafts.map(({ description }) => description))
  if (rest.every(isEmpty)) return { files: globs.flat(), ...shared }
  return {
    files: Object.fromEntries(globs.flatMap((globsOfDraft, index) => globsOfDraft.map((glob) => [glob, rest[index]!]))),
    ...shared,
  }
}

/** Messages without repetition; those that concern only some files name them. */
const messagesOf = (drafts: readonly Draft[], of: (draft: Draft) => readonly string[]): string[] => {
  const all = [...new Set(drafts.flatMap(of))]
  return all.flatMap((message) => {
    const having = drafts.filter((draft) => of(draft).includes(message))
    return having.length === drafts.length
      ? [message]
      : having.map(
          ({ files }) =>
            `${files
              .map(({ path }) => path)
              .slice(0, 3)
              .join(', ')}: ${message}`,
        )
  })
}

/** Combines the drafts of all groups into one mapping, whose globs match no unread file. */
export const assemble = (drafts: readonly Draft[], unread: readonly string[]) => {
  const feeds = [...new Set(drafts.map(({ feed }) => feed))]
  const mapping: Partial<Record<Feed, FeedMapping>> = {}
  for (const feed of feeds)
    mapping[feed] = mappingOf(
      drafts.filter((draft) => draft.feed === feed),
      drafts,
      unread,
    )
  return {
    mapping,
    decisions: messagesOf(drafts, ({ decisions }) => decisions),
    notes: messagesOf(drafts, ({ notes }) => notes),
  }
}
