import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LAKE_FORMAT, type Manifest, readCurrentManifest, snapshotFolder } from '../engine/index.ts'
import { READINGS } from './catalogue/reading-rules.ts'
import { type Database, step } from './database.ts'
import { literal } from './feeds/sql-text.ts'
import { globOf } from './glob.ts'
import type { RefreshOptions } from './options.ts'

/** The paths of a refresh: the lake, its own folders below `staging`, and the snapshot it builds on. */
export type RefreshPaths = {
  lake: string
  staged: string
  /** Files without rows for what an earlier format of the lake lacks. */
  empty: string
  snapshot: string
  /** The file of refused rows, until it is moved into the lake. */
  quarantine: string
  previous: Manifest | null
}

const EMPTY = step(import.meta.url, 'empty')
const PREVIOUS = step(import.meta.url, 'previous')
const TABLES = step(import.meta.url, 'tables')

/** The tables of the previous snapshot that a refresh reads, and what is read of one that it lacks: a relation without rows. */
const PREVIOUS_TABLES = {
  listing_attributes: 'stored_attribute',
  listing_readings: 'previous_reading',
  listings: 'previous_listing',
  shelf_days: 'previous_shelf_day',
  categories: 'previous_category',
  brands: 'previous_brand',
  retailers: 'previous_retailer',
  category_taxonomy: 'previous_taxonomy',
  gpc_nodes: 'previous_gpc_node',
  gpc_attributes: 'previous_gpc_attribute',
  browse_nodes: 'previous_browse_node',
  crosswalk: 'previous_crosswalk',
  lexicon: 'previous_lexicon',
  social_sightings: 'previous_sighting',
  social_brands: 'previous_social_brand',
  official_figures: 'previous_official_figure',
  index_months: 'previous_index_month',
  entity_changes: 'previous_entity_change',
  listing_sizes: 'previous_size',
} as const
type PreviousTable = keyof typeof PREVIOUS_TABLES
const TABLE_NAMES = Object.keys(PREVIOUS_TABLES) as readonly PreviousTable[]

/** The tables that have further columns since an earlier format of the lake. */
const WITH_LATER_COLUMNS: ReadonlySet<PreviousTable> = new Set(['listing_attributes', 'listings'])

/** The file of published price indexes. */
export const INDEXES = 'index_months.parquet'

/** Creates the folders of a refresh in an empty one. What is to be made again is not among the files of the previous snapshot. */
export const prepare = async (
  folder: string,
  lake: string,
  { reissue_indexes = false }: Pick<RefreshOptions, 'reissue_indexes'> = {},
): Promise<RefreshPaths> => {
  const [staged, empty, snapshot] = ['staged', 'empty', 'snapshot'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [staged, join(empty, 'country=none'), snapshot]) await mkdir(path, { recursive: true })
  const current = await readCurrentManifest(lake)
  const previous =
    current && reissue_indexes ? { ...current, files: current.files.filter(({ path }) => path !== INDEXES) } : current
  return { lake, staged, empty, snapshot, quarantine: join(folder, 'quarantine.jsonl'), previous }
}

/** The name of a table in the paths of a snapshot. */
const nameOf = (table: string): string => (table === 'listing_readings' ? READINGS : table)

const filesOf = ({ files }: Manifest, table: PreviousTable): string[] =>
  files.flatMap(({ path }) => (path === `${nameOf(table)}.parquet` || path.startsWith(`${table}/`) ? path : []))

/** Writes a file without rows of a table. Those of countries have these in the names of their folders. */
const writeEmpty = async (database: Database, empty: string, table: PreviousTable): Promise<string> => {
  const path = join(empty, 'country=none', `${table}.parquet`)
  await database.execute(`COPY (FROM ${PREVIOUS_TABLES[table]}) TO ${literal(path)} (FORMAT parquet)`)
  return path
}

/** The files of the tables of the previous snapshot, with files without rows for tables and columns that it lacks. */
const previousFiles = async (database: Database, { lake, empty }: RefreshPaths, previous: Manifest) => {
  const folder = snapshotFolder(lake, previous.snapshot_id)
  const files = new Map(
    TABLE_NAMES.map((table) => [table, filesOf(previous, table).map((path) => join(folder, path))] as const),
  )
  const isEarlier = previous.format < LAKE_FORMAT
  const lacking = TABLE_NAMES.filter(
    (table) => files.get(table)!.length === 0 || (isEarlier && WITH_LATER_COLUMNS.has(table)),
  )
  if (lacking.length > 0) {
    await database.execute('CREATE SCHEMA empty; USE empty')
    await database.run(EMPTY)
    for (const table of lacking) files.get(table)!.push(await writeEmpty(database, empty, table))
    await database.execute('USE memory.main; DROP SCHEMA empty CASCADE')
  }
  return Object.fromEntries(files)
}

/**
 * Sets the variables through which steps find their files, opens the tables of the previous snapshot, and creates those
 * that reading and merging fill.
 */
export const openTables = async (database: Database, paths: RefreshPaths): Promise<void> => {
  const { staged, snapshot, quarantine, previous } = paths
  const globs = { staged_glob: globOf(staged), snapshot_glob: globOf(snapshot) }
  const listing_readings = join(snapshot, `${READINGS}.parquet`)
  await database.set({ lake: { staged, snapshot, quarantine, listing_readings, ...globs } })
  if (previous) {
    await database.set({ previous: await previousFiles(database, paths, previous) })
    await database.run(PREVIOUS)
  } else await database.run(EMPTY)
  await database.run(TABLES)
}
