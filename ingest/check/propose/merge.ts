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

/** The settings that all descriptions share, and the rest of each. */
const factored = (descriptions: readonly Description[]): { shared: Description; rest: Description[] } => {
  const isShared = (key: string) =>
    new Set(descriptions.map((description) => JSON.stringify(description[key as keyof Description]))).size === 1
  const part = (description: Description, isOfAll: boolean): Description =>
    Object.fromEntries(Object.entries(description).filter(([key]) => isShared(key) === isOfAll))
  return { shared: part(descriptions[0] ?? {}, true), rest: descriptions.map((each) => part(each, false)) }
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
    const ofFeed = drafts.filter((draft) => draft.feed === feed)
    const globs = ofFeed.map((draft) =>
      globsOf(draft, [...drafts.filter((other) => other !== draft).flatMap(pathsOf), ...unread]),
    )
    const { shared, rest } = factored(ofFeed.map(({ description }) => description))
    const entries = globs.flatMap((ofDraft, index) => ofDraft.map((glob) => [glob, rest[index]!] as const))
    mapping[feed] = {
      files: rest.every((own) => Object.keys(own).length === 0) ? globs.flat() : Object.fromEntries(entries),
      ...shared,
    }
  }
  return {
    mapping,
    decisions: messagesOf(drafts, ({ decisions }) => decisions),
    notes: messagesOf(drafts, ({ notes }) => notes),
  }
}
