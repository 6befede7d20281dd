import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type Manifest, snapshotFolder } from '../../engine/index.ts'
import type { OnProgress } from '../cli/progress.ts'
import { type Database, query } from '../database.ts'
import { type Arrivals, monthRows } from '../feeds/arrivals.ts'
import { literal } from '../feeds/sql-text.ts'
import type { RefreshPaths } from '../paths.ts'
import type { DigestPart } from '../snapshot/digest.ts'
import { mergeDays, stageDays } from './days.ts'
import { keepFiles } from './keep.ts'
import { mergeYears, stagedListingMonths } from './years.ts'

/**
 * The result of merging: the rows of each new file by its path, the parts of the digest by month, the number of
 * withdrawn rows.
 */
export type Merged = {
  rows: Record<string, number>
  parts: Record<string, DigestPart>
  withdrawn: number
  replaced: number
}

const MONTHS = query(
  import.meta.url,
  'months',
  z.object({ country: z.string(), month: z.string(), files: z.array(z.int()), has_moved: z.boolean() }),
)
const ARRIVED = query(import.meta.url, 'arrived', z.object({ added: z.int(), withdrawn: z.int(), replaced: z.int() }))
const MERGED = query(import.meta.url, 'merged', z.object({ rows: z.int(), hash: z.string().nullable() }))

type MergedMonth = z.output<typeof MONTHS.row>

const MONTH_TABLES = ['observations', 'observation_times'] as const

/** The folder of a month's files, such as `country=us/month=2026-10`. */
const keyOf = ({ country, month }: Pick<MergedMonth, 'country' | 'month'>): string =>
  `country=${country}/month=${month}`

const fileOf = (table: string, key: string): string => `${table}/${key}/part-0.parquet`

/** The months of the previous snapshot, with their parts of its digest. */
const previousMonths = (previous: Manifest | null): Map<string, DigestPart> => {
  const parts = (previous?.report as { parts?: Record<string, DigestPart> } | undefined)?.parts ?? {}
  const months = Object.entries(parts).filter(([name]) => name.startsWith('observations/'))
  return new Map(months.map(([name, part]) => [name.slice('observations/'.length), part]))
}

const WRITTEN = `SELECT listing_id, day, price, in_stock, month
  FROM read_parquet(getvariable('lake')['snapshot_glob'] || '/observations/*/*/*.parquet', hive_partitioning = true,
    hive_types_autocast = false)`

/** A query for the rows of a month in the lake. */
const rowsBefore = ({ lake, previous }: RefreshPaths, key: string, isInLake: boolean): string => {
  if (!previous || !isInLake) return 'SELECT * FROM no_observation'
  const folder = snapshotFolder(lake, previous.snapshot_id)
  const [observations, times] = MONTH_TABLES.map(
    (table) => `read_parquet(${literal(join(folder, fileOf(table, key)))}, hive_partitioning = false)`,
  )
  return `SELECT listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second
    FROM ${observations} AS observation JOIN ${times} AS observation_time USING (listing_id, day)`
}

/** Defines the sources of a month, and its target paths. */
const openMonth = async (
  database: Database,
  paths: RefreshPaths,
  arrivals: Arrivals,
  { country, month, files }: MergedMonth,
  isInLake: boolean,
): Promise<void> => {
  const key = keyOf({ country, month })
  const rows = await monthRows(arrivals, { country, month: Number(month.replace('-', '')), files })
  await database.execute(`CREATE OR REPLACE TEMP VIEW month_arrival AS ${rows}`)
  await database.execute(`CREATE OR REPLACE TEMP VIEW month_before AS ${rowsBefore(paths, key, isInLake)}`)
  const partition = {
    country,
    month,
    observations_to: join(paths.snapshot, fileOf('observations', key)),
    observation_times_to: join(paths.snapshot, fileOf('observation_times', key)),
    listing_months_to: stagedListingMonths(paths, country, month),
  }
  await database.set({ partition })
}

/** Writes a month, unless it has no rows. */
const writeMonth = async (database: Database, paths: RefreshPaths, key: string, merged: Merged): Promise<void> => {
  const { snapshot } = paths
  const folders = MONTH_TABLES.map((table) => dirname(join(snapshot, fileOf(table, key))))
  for (const folder of folders) await mkdir(folder, { recursive: true })
  const part = await database.row(MERGED)
  if (part.rows === 0) {
    for (const folder of folders) await rm(folder, { recursive: true })
    return
  }
  for (const table of MONTH_TABLES) merged.rows[fileOf(table, key)] = part.rows
  merged.parts[`observations/${key}`] = part
  await stageDays(database, paths, key, 'FROM merged')
}

/** Opens the observations of the next snapshot, of all months. */
const openWritten = async (database: Database, merged: Merged): Promise<void> => {
  const rows = Object.keys(merged.parts).length === 0 ? 'SELECT *, NULL AS month FROM no_observation' : WRITTEN
  await database.execute(`CREATE TEMP VIEW written_observation AS ${rows}`)
}

/**
 * Merges this refresh's rows into the lake's, one month of a country at a time, then their listing-months and their
 * observations by listing, one year at a time. The files of a month without added or withdrawn rows and without listings
 * whose category, brand or retailer changed are kept (`keepFiles`).
 */
export const merge = async (
  database: Database,
  paths: RefreshPaths,
  arrivals: Arrivals,
  onProgress?: OnProgress,
): Promise<Merged> => {
  const { previous } = paths
  const merged: Merged = { rows: {}, parts: {}, withdrawn: 0, replaced: 0 }
  const in_lake = previousMonths(previous)
  const unchanged = new Map(in_lake)
  const written: string[] = []
  const months = (await database.rows(MONTHS)).filter((month) => month.files.length > 0 || in_lake.has(keyOf(month)))
  for (const [index, month] of months.entries()) {
    const key = keyOf(month)
    await openMonth(database, paths, arrivals, month, in_lake.has(key))
    const { added, withdrawn, replaced } = await database.row(ARRIVED)
    merged.withdrawn += withdrawn
    merged.replaced += replaced
    if (added > 0 || withdrawn > 0 || month.has_moved) {
      await writeMonth(database, paths, key, merged)
      unchanged.delete(key)
      written.push(key)
    }
    onProgress?.({ step: 'merging', done: index + 1, total: months.length, rows: 0 })
  }
  const hasDays = previous?.files.some(({ path }) => path.startsWith('listing_days/'))
  for (const [key, part] of unchanged) {
    merged.parts[`observations/${key}`] = part
    if (!hasDays) await stageDays(database, paths, key, rowsBefore(paths, key, true))
    const files = MONTH_TABLES.map((table) => fileOf(table, key))
    Object.assign(merged.rows, await keepFiles(database, paths, files))
  }
  await openWritten(database, merged)
  Object.assign(merged.rows, await mergeYears(database, paths, written, [...in_lake.keys()]))
  Object.assign(merged.rows, await mergeDays(database, paths, hasDays ? written : [...written, ...unchanged.keys()]))
  return merged
}
