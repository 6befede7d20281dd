import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EngineError, filesBelow } from '../../engine/index.ts'
import {
  isReferenceFeed,
  REFERENCE_FEEDS,
  type ReferenceFeed,
  type ReferenceFile,
  referenceFile,
} from '../reference/reference-file.ts'
import { FEEDS, type Feed } from './columns.ts'
import {
  type Description,
  describe,
  type Mapping,
  matchesGlob,
  parseForeignMapping,
  parseOwnMapping,
} from './mapping.ts'

export type Format = 'csv' | 'jsonl' | 'parquet'

/** One file of a feed; `name` is relative to the feeds folder. */
export type FeedFile = {
  feed: Feed
  name: string
  path: string
  bytes: number
  format: Format
  description: Description
}

export type Discovery = {
  files: FeedFile[]
  reference: ReferenceFile[]
  /** Files of feeds that no step reads yet, and files of no known format. */
  not_read: { feed: string; file: string }[]
}

const FORMATS: readonly (readonly [RegExp, Format])[] = [
  [/\.(?:csv|tsv)(?:\.(?:gz|zst))?$/i, 'csv'],
  [/\.(?:jsonl|ndjson)(?:\.(?:gz|zst))?$/i, 'jsonl'],
  [/\.parquet$/i, 'parquet'],
]

const formatOf = (name: string): Format | undefined => FORMATS.find(([pattern]) => pattern.test(name))?.[1]

const isFeed = (name: string): name is Feed => (FEEDS as readonly string[]).includes(name)
const isHidden = (name: string): boolean => name.split('/').some((part) => /^[._]/.test(part))

const invalid = (message: string, folder: string): EngineError => new EngineError('INVALID_PARAMS', message, { folder })

const NO_MAPPING: Mapping = { description: {}, files: [] }

const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

const feedFile = async (
  folder: string,
  feed: Feed,
  name: string,
  description: Description,
): Promise<FeedFile | null> => {
  const path = join(folder, name)
  const format = formatOf(name)
  return format ? { feed, name, path, bytes: (await stat(path)).size, format, description } : null
}

const listFolder = async (folder: string): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() || entry.isSymbolicLink() ? entry.name : [])).sort()
  } catch (cause) {
    throw invalid(`the feeds folder ${folder} cannot be read: ${(cause as Error).message}`, folder)
  }
}

const ownFeed = async (folder: string, feed: Feed, found: Discovery): Promise<void> => {
  const described = join(folder, feed, 'feed.json')
  const json = await readIfThere(described)
  const mapping = json === null ? NO_MAPPING : parseOwnMapping(described, json)
  for (const file of await filesBelow(join(folder, feed))) {
    if (file === 'feed.json' || isHidden(file)) continue
    const known = await feedFile(folder, feed, `${feed}/${file}`, describe(mapping, file))
    if (known) found.files.push(known)
    else found.not_read.push({ feed, file: `${feed}/${file}` })
  }
}

const ownReference = async (folder: string, feed: ReferenceFeed, found: Discovery): Promise<void> => {
  for (const file of (await filesBelow(join(folder, feed))).filter((name) => !isHidden(name))) {
    const known = await referenceFile(folder, feed, `${feed}/${file}`)
    if (known) found.reference.push(known)
    else found.not_read.push({ feed, file: `${feed}/${file}` })
  }
}

const discoverOwn = async (folder: string): Promise<Discovery> => {
  const found: Discovery = { files: [], reference: [], not_read: [] }
  for (const feed of (await listFolder(folder)).filter((name) => !isHidden(name))) {
    if (isFeed(feed)) await ownFeed(folder, feed, found)
    else if (isReferenceFeed(feed)) await ownReference(folder, feed, found)
    else
      throw invalid(
        `${join(folder, feed)} is no feed; the feeds are ${[...FEEDS, ...REFERENCE_FEEDS].join(', ')}`,
        folder,
      )
  }
  return found
}

const discoverForeign = async (folder: string, mappingPath: string): Promise<Discovery> => {
  const json = await readFile(mappingPath, 'utf8').catch((cause: Error) => {
    throw invalid(`the mapping ${mappingPath} cannot be read: ${cause.message}`, folder)
  })
  await listFolder(folder)
  const names = (await filesBelow(folder)).filter((name) => !isHidden(name))
  const found: Discovery = { files: [], reference: [], not_read: [] }
  const taken = new Set<string>()
  for (const [feed, mapping] of parseForeignMapping(mappingPath, json)) {
    for (const name of names.filter((name) => mapping.files.some(([glob]) => matchesGlob(name, glob)))) {
      const known = await feedFile(folder, feed as Feed, name, describe(mapping, name))
      if (known) found.files.push(known)
      taken.add(name)
    }
  }
  for (const file of names) if (!taken.has(file)) found.not_read.push({ feed: basename(folder), file })
  return found
}

/**
 * The files of a feeds folder, sorted by name: a sub-folder a feed, or, with a mapping, whatever its globs match.
 * INVALID_PARAMS for a folder that is no feed, a malformed description, or where there are neither prices, posts nor any
 * reference.
 */
export const discover = async (folder: string, mappingPath?: string): Promise<Discovery> => {
  const found = mappingPath === undefined ? await discoverOwn(folder) : await discoverForeign(folder, mappingPath)
  const isAsked = ({ feed }: FeedFile) => ['price_observations', 'social_posts', 'browse_nodes'].includes(feed)
  if (!found.files.some(isAsked) && found.reference.length === 0)
    throw invalid(
      `${folder} holds no file of price_observations, social_posts or a reference (.csv .tsv .jsonl .ndjson .parquet, .gz or .zst)`,
      folder,
    )
  return found
}
