import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EngineError, filesBelow } from '../../engine/index.ts'
import {
  isReferenceFeed,
  REFERENCE_FEEDS,
  type ReferenceFeed,
  type ReferenceFile,
  referenceFile,
} from '../reference/files.ts'
import { FEEDS, type Feed } from './columns.ts'
import { type Description, describe, globsOf, type Mapping, parseForeignMapping, parseOwnMapping } from './mapping.ts'

export type FileFormat = 'csv' | 'jsonl' | 'json' | 'parquet' | 'xml' | 'xlsx'

/** Whether the records of a format are read as JSON lines. */
export const isJson = (format: FileFormat): boolean => format === 'jsonl' || format === 'json' || format === 'xml'

/** Whether the records of a format are read as delimited text. */
export const isTable = (format: FileFormat): boolean => format === 'csv' || format === 'xlsx'

/** One file of a feed; `name` is relative to the feeds folder. */
export type FeedFile = {
  feed: Feed
  name: string
  path: string
  bytes: number
  format: FileFormat
  description: Description
}

/** A file or folder that is not read, and why. */
export type NotRead = { feed: string; file: string; reason: string }

export type Discovery = {
  files: FeedFile[]
  reference: ReferenceFile[]
  not_read: NotRead[]
  /** Globs of a mapping that no file matches. */
  unmatched_globs: { feed: string; glob: string }[]
}

const FORMATS: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.(?:csv|tsv)(?:\.(?:gz|zst))?$/i, 'csv'],
  [/\.(?:txt|tab|psv|dat)(?:\.(?:gz|zst))?$/i, 'csv'],
  [/\.(?:jsonl|ndjson)(?:\.(?:gz|zst))?$/i, 'jsonl'],
  [/\.json(?:\.(?:gz|zst))?$/i, 'json'],
  [/\.(?:xml|yml)(?:\.(?:gz|zst))?$/i, 'xml'],
  // Retailers of Israel publish their price files so.
  [/(?:^|\/)(?:price|promo)(?:full)?\d{13}-[\d-]+\.gz$/i, 'xml'],
  [/\.xlsx$/i, 'xlsx'],
  [/\.parquet$/i, 'parquet'],
]

export const formatOf = (name: string): FileFormat | undefined => FORMATS.find(([pattern]) => pattern.test(name))?.[1]

/** Texts of any kind, which are read as tables, or as XML, where a mapping names them. */
const TEXT_FILE = /\.(?:txt|tab|psv|dat|yml)(?:\.(?:gz|zst))?$/i
const TEXT = 'text of an unknown kind; name it in the files of feed.json to read it'

/** Why a file with an unknown extension is not read. */
export const UNKNOWN_FORMAT =
  'unknown format; expected .csv, .tsv, .jsonl, .ndjson, .json, .xml (also .gz, .zst), .xlsx or .parquet'

const isFeed = (name: string): name is Feed => (FEEDS as readonly string[]).includes(name)
/** Whether a part of a path is hidden, so that a refresh ignores it. */
export const isHidden = (name: string): boolean => name.split('/').some((part) => /^[._]|^node_modules$/.test(part))

const invalidFolder = (message: string, folder: string): EngineError =>
  new EngineError('INVALID_PARAMS', message, { folder })

const readIfExists = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

const nothingFound = (): Discovery => ({ files: [], reference: [], not_read: [], unmatched_globs: [] })

/** The result of a change without feeds. */
export const NOTHING_FOUND: Discovery = nothingFound()

/** Adds a file of a feed, or records why it is not read. */
const addFile = async (
  discovery: Discovery,
  folder: string,
  feed: Feed,
  name: string,
  describeIt: () => Description,
): Promise<void> => {
  const format = formatOf(name)
  const path = join(folder, name)
  const { size } = await stat(path)
  if (format === undefined) discovery.not_read.push({ feed, file: name, reason: UNKNOWN_FORMAT })
  else if (size === 0) discovery.not_read.push({ feed, file: name, reason: 'empty' })
  else discovery.files.push({ feed, name, path, bytes: size, format, description: describeIt() })
}

const addUnmatched = (discovery: Discovery, feed: Feed, { files }: Mapping, matched: ReadonlySet<string>): void => {
  for (const [glob] of files) if (!matched.has(glob)) discovery.unmatched_globs.push({ feed, glob })
}

const listFolder = async (folder: string): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() || entry.isSymbolicLink() ? entry.name : [])).sort()
  } catch (cause) {
    throw invalidFolder(`the feeds folder ${folder} cannot be read: ${(cause as Error).message}`, folder)
  }
}

const discoverFeed = async (folder: string, feed: Feed, discovery: Discovery): Promise<void> => {
  const described = join(folder, feed, 'feed.json')
  const json = await readIfExists(described)
  const mapping: Mapping =
    json === null ? { source: described, description: {}, files: [] } : parseOwnMapping(described, json, feed)
  const matched = new Set<string>()
  for (const file of await filesBelow(join(folder, feed))) {
    if (file === 'feed.json' || isHidden(file)) continue
    const globs = globsOf(mapping, file)
    for (const glob of globs) matched.add(glob)
    if (globs.length === 0 && TEXT_FILE.test(file))
      discovery.not_read.push({ feed, file: `${feed}/${file}`, reason: TEXT })
    else await addFile(discovery, folder, feed, `${feed}/${file}`, () => describe(mapping, file, feed))
  }
  addUnmatched(discovery, feed, mapping, matched)
}

const discoverReference = async (folder: string, feed: ReferenceFeed, discovery: Discovery): Promise<void> => {
  for (const file of (await filesBelow(join(folder, feed))).filter((name) => !isHidden(name))) {
    const reference = await referenceFile(folder, feed, `${feed}/${file}`)
    if (reference) discovery.reference.push(reference)
    else discovery.not_read.push({ feed, file: `${feed}/${file}`, reason: `unknown format of ${feed}` })
  }
}

const discoverOwn = async (folder: string): Promise<Discovery> => {
  const discovery = nothingFound()
  for (const feed of (await listFolder(folder)).filter((name) => !isHidden(name))) {
    if (isFeed(feed)) await discoverFeed(folder, feed, discovery)
    else if (isReferenceFeed(feed)) await discoverReference(folder, feed, discovery)
    else
      throw invalidFolder(
        `${join(folder, feed)} is not a feed; the feeds are ${[...FEEDS, ...REFERENCE_FEEDS].join(', ')}`,
        folder,
      )
  }
  return discovery
}

/** A mapping of a foreign folder, by feed, and the file that it is in. */
export type NamedMapping = { path: string; feeds: ReadonlyMap<Feed, Mapping> }

/** Reads a mapping. INVALID_PARAMS if it cannot be read or is malformed. */
export const readMapping = async (folder: string, path: string): Promise<NamedMapping> => {
  const json = await readFile(path, 'utf8').catch((cause: Error) => {
    throw invalidFolder(`the mapping ${path} cannot be read: ${cause.message}`, folder)
  })
  return { path, feeds: parseForeignMapping(path, json) }
}

/** Which of the files `names` below a folder these mappings read, and how. INVALID_PARAMS if two match one file. */
export const matchFiles = async (
  folder: string,
  names: readonly string[],
  mappings: readonly NamedMapping[],
): Promise<Discovery> => {
  const discovery = nothingFound()
  /** The mapping of each feed and file; a second one would be ambiguous. */
  const taken = new Map<string, string>()
  for (const { path, feeds } of mappings)
    for (const [feed, mapping] of feeds) {
      const matched = new Set<string>()
      for (const name of names) {
        const globs = globsOf(mapping, name)
        if (globs.length === 0) continue
        for (const glob of globs) matched.add(glob)
        const other = taken.get(`${feed} ${name}`)
        if (other !== undefined) throw invalidFolder(`${other} and ${path} both describe ${name} as ${feed}`, folder)
        taken.set(`${feed} ${name}`, path)
        await addFile(discovery, folder, feed, name, () => describe(mapping, name, feed))
      }
      addUnmatched(discovery, feed, mapping, matched)
    }
  const read = new Set([...taken.keys()].map((key) => key.slice(key.indexOf(' ') + 1)))
  for (const file of names)
    if (!read.has(file))
      discovery.not_read.push({ feed: basename(folder), file, reason: 'no glob of a mapping matches it' })
  discovery.files.sort((a, b) => FEEDS.indexOf(a.feed) - FEEDS.indexOf(b.feed))
  return discovery
}

const discoverForeign = async (folder: string, paths: readonly string[]): Promise<Discovery> => {
  await listFolder(folder)
  const names = (await filesBelow(folder)).filter((name) => !isHidden(name))
  const mappings: NamedMapping[] = []
  for (const path of paths) mappings.push(await readMapping(folder, path))
  return matchFiles(folder, names, mappings)
}

/** Whether files of this feed are enough for a refresh. */
export const isEnough = (feed: Feed): boolean =>
  ['price_observations', 'social_posts', 'browse_nodes', 'official_series'].includes(feed)

/**
 * The files of a feeds folder, sorted by name: one sub-folder per feed, or, with mappings, the files that their globs
 * match. INVALID_PARAMS for a folder that is not a feed, a malformed or ambiguous mapping, or a folder without prices,
 * posts and reference files.
 */
export const discover = async (folder: string, mappings: readonly string[] = []): Promise<Discovery> => {
  const discovery = mappings.length === 0 ? await discoverOwn(folder) : await discoverForeign(folder, mappings)
  if (!discovery.files.some(({ feed }) => isEnough(feed)) && discovery.reference.length === 0)
    throw invalidFolder(
      `${folder} has no file of price_observations, social_posts or a reference (.csv .tsv .jsonl .ndjson .json .xml .xlsx .parquet, .gz or .zst)`,
      folder,
    )
  return discovery
}
