import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Manifest, readCurrentManifest, snapshotFolder } from '../engine/index.ts'
import { READINGS } from './catalogue/reading-rules.ts'
import { type Database, step } from './database.ts'
import { globOf } from './glob.ts'

/** The paths of a refresh: the lake, its own folders below `staging`, and the snapshot it builds on. */
export type RefreshPaths = {
  lake: string
  staged: string
  /** A file without rows for each table that a refresh reads from the previous snapshot. */
  empty: string
  snapshot: string
  /** The file of refused rows, until it is moved into the lake. */
  quarantine: string
  previous: Manifest | null
}

const EMPTY = step(import.meta.url, 'empty')
const PREVIOUS = step(import.meta.url, 'previous')
const TABLES = step(import.meta.url, 'tables')

/** The tables of the previous snapshot that a refresh reads. */
const PREVIOUS_TABLES = [
  'listing_attributes',
  'listing_readings',
  'listings',
  'shelf_days',
  'categories',
  'brands',
  'retailers',
  'category_taxonomy',
  'gpc_nodes',
  'gpc_attributes',
  'browse_nodes',
  'crosswalk',
  'lexicon',
  'social_sightings',
  'social_brands',
  'entity_changes',
  'search_listings',
  'search_keys',
] as const

/** The tables whose files have their country in a folder's name. */
const BY_COUNTRY: ReadonlySet<string> = new Set(['listings', 'shelf_days', 'search_listings', 'search_keys'])

/** Creates the folders of a refresh in an empty one. */
export const prepare = async (folder: string, lake: string): Promise<RefreshPaths> => {
  const [staged, empty, snapshot] = ['staged', 'empty', 'snapshot'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [staged, join(empty, 'country=none'), snapshot]) await mkdir(path, { recursive: true })
  const previous = await readCurrentManifest(lake)
  return { lake, staged, empty, snapshot, quarantine: join(folder, 'quarantine.jsonl'), previous }
}

/** The name of a table in the paths of a snapshot. */
const nameOf = (table: string): string => (table === 'listing_readings' ? READINGS : table)

/** The files of a table in the previous snapshot, or the empty file if it has none. */
const previousFiles = ({ lake, empty, previous }: RefreshPaths, table: string): string[] => {
  const files =
    previous?.files.filter(({ path }) => path === `${nameOf(table)}.parquet` || path.startsWith(`${table}/`)) ?? []
  if (!previous || files.length === 0)
    return [join(empty, BY_COUNTRY.has(table) ? 'country=none' : '', `${table}.parquet`)]
  return files.map(({ path }) => join(snapshotFolder(lake, previous.snapshot_id), path))
}

/**
 * Sets the variables through which steps find their files, opens the tables of the previous snapshot, and creates those
 * that reading and merging fill.
 */
export const openTables = async (database: Database, paths: RefreshPaths): Promise<void> => {
  const { staged, empty, snapshot, quarantine } = paths
  const globs = { staged_glob: globOf(staged), snapshot_glob: globOf(snapshot) }
  const listing_readings = join(snapshot, `${READINGS}.parquet`)
  await database.setTexts('lake', { staged, empty, snapshot, quarantine, listing_readings, ...globs })
  await database.setLists(
    'previous',
    Object.fromEntries(PREVIOUS_TABLES.map((table) => [table, previousFiles(paths, table)])),
  )
  await database.run(EMPTY)
  await database.run(PREVIOUS)
  await database.run(TABLES)
}
