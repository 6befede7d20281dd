import type { Feed } from '../../feeds/columns.ts'
import { type Description, matchesGlob } from '../../feeds/mapping.ts'
import type { Draft } from './draft.ts'

/** The part of a mapping for one feed: its files by glob, with settings for all or for each. */
export type FeedMapping = Description & { files: string[] | Record<string, Description> }

const MAX_LISTED = 5

const pathsOf = ({ files }: Draft): string[] => files.map(({ path }) => path)

/** The paths of a group, or globs for many paths that differ only in digits. */
const globsOf = (draft: Draft, others: readonly string[]): string[] => {
  const paths = pathsOf(draft)
  const globs = [...new Set(paths.map((path) => path.replace(/\d+/g, '*')))]
  const isOwn = globs.every((glob) => !others.some((path) => matchesGlob(path, glob)))
  return paths.length > MAX_LISTED && isOwn ? globs : paths
}

type Entries = Readonly<Record<string, unknown>>

/** The entries that all have in common, and the rest of each. */
const common = (all: readonly Entries[]): { shared: Entries; rest: Entries[] } => {
  const isShared = ([key, value]: [string, unknown]) =>
    all.every((entries) => JSON.stringify(entries[key]) === JSON.stringify(value))
  const shared = Object.fromEntries(Object.entries(all[0] ?? {}).filter(isShared))
  const rest = all.map((entries) => Object.fromEntries(Object.entries(entries).filter((entry) => !isShared(entry))))
  return { shared, rest }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** Settings with those of which each entry can be shared first. */
const combined = (parts: Entries, others: Entries): Description =>
  Object.fromEntries(Object.entries({ ...parts, ...others }).filter(([, value]) => !isEmpty(value)))

/** The settings that all descriptions share, and the rest of each. */
const factored = (descriptions: readonly Description[]): { shared: Description; rest: Description[] } => {
  const [columns, constants, values] = (['columns', 'constants', 'values'] as const).map((key) =>
    common(descriptions.map((description) => description[key] ?? {})),
  )
  const others = common(descriptions.map(({ columns: _, constants: __, values: ___, ...rest }) => rest))
  return {
    shared: combined({ columns: columns!.shared, constants: constants!.shared, values: values!.shared }, others.shared),
    rest: others.rest.map((entries, index) =>
      combined(
        { columns: columns!.rest[index], constants: constants!.rest[index], values: values!.rest[index] },
        entries,
      ),
    ),
  }
}

/** Messages without repetition; those that concern only some files name them. */
const messagesOf = (drafts: readonly Draft[], of: (draft: Draft) => readonly string[]): string[] =>
  [...new Set(drafts.flatMap(of))].flatMap((message) => {
    const having = drafts.filter((draft) => of(draft).includes(message))
    if (having.length === drafts.length) return [message]
    return having.map((draft) => `${pathsOf(draft).slice(0, 3).join(', ')}: ${message}`)
  })

/** Combines the drafts of all groups into one mapping, whose globs match no unread file. */
export const assemble = (drafts: readonly Draft[], unread: readonly string[]) => {
  const mapping: Partial<Record<Feed, FeedMapping>> = {}
  for (const feed of new Set(drafts.map((draft) => draft.feed))) {
    const own = drafts.filter((draft) => draft.feed === feed)
    const globs = own.map((draft) =>
      globsOf(draft, [...drafts.filter((other) => other !== draft).flatMap(pathsOf), ...unread]),
    )
    const { shared, rest } = factored(own.map(({ description }) => description))
    const entries = globs.flatMap((ofDraft, index) => ofDraft.map((glob) => [glob, rest[index]!] as const))
    mapping[feed] = { files: rest.every(isEmpty) ? globs.flat() : Object.fromEntries(entries), ...shared }
  }
  return {
    mapping,
    decisions: messagesOf(drafts, ({ decisions }) => decisions),
    notes: messagesOf(drafts, ({ notes }) => notes),
  }
}
