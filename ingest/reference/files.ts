import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The reference feeds: each is read as a whole, replaces the lake's, and is refused as a whole for an invalid line. */
export const REFERENCE_FEEDS = ['gpc_release', 'browse_node_gpc_map', 'lexicon'] as const
export type ReferenceFeed = (typeof REFERENCE_FEEDS)[number]

export type ReferenceFormat = 'json' | 'xml' | 'xlsx' | 'csv'

/** One file of a reference feed; `name` is relative to the feeds folder. */
export type ReferenceFile = {
  feed: ReferenceFeed
  name: string
  path: string
  bytes: number
  format: ReferenceFormat
}

const RELEASE_FORMATS: readonly (readonly [RegExp, ReferenceFormat])[] = [
  [/\.json(?:\.gz)?$/i, 'json'],
  [/\.xml(?:\.gz)?$/i, 'xml'],
  [/\.xlsx$/i, 'xlsx'],
]
const TABLE_FORMATS: typeof RELEASE_FORMATS = [[/\.(?:csv|tsv)(?:\.(?:gz|zst))?$/i, 'csv']]

export const isReferenceFeed = (name: string): name is ReferenceFeed =>
  (REFERENCE_FEEDS as readonly string[]).includes(name)

/** A file below the feeds folder; null if its name has no format of its feed. */
export const referenceFile = async (
  folder: string,
  feed: ReferenceFeed,
  name: string,
): Promise<ReferenceFile | null> => {
  const formats = feed === 'gpc_release' ? RELEASE_FORMATS : TABLE_FORMATS
  const format = formats.find(([pattern]) => pattern.test(name))?.[1]
  const path = join(folder, name)
  return format ? { feed, name, path, bytes: (await stat(path)).size, format } : null
}
