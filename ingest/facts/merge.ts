import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { snapshotFolder } from '../../engine/index.ts'
import type { OnProgress } from '../cli/progress.ts'
import { type Database, query, step } from '../database.ts'
import { type Arrivals, monthRows } from '../feeds/arrivals.ts'
import { listOf } from '../feeds/sql-text.ts'
import type { RefreshPaths } from '../paths.ts'
import type { DigestPart } from '../snapshot/digest.ts'
import { mergeDays, stageDays } from './days.ts'
import { keepFiles } from './keep.ts'
import { groupMonths, keyOf, type MergedMonth, monthNumber, previousMonths, yearOf } from './months.ts'
import { mergeYears, stageListingMonths } from './years.ts'

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

const ARRIVED = query(
  import.meta.url,
  'arrived',
  z.object({ month: z.string(), added: z.int(), withdrawn: z.int(), replaced: z.int() }),
)
const UNCHANGED = step(import.meta.url, 'merged#unchanged')
const MERGED = query(
  import.meta.url,
  'merged#merged',
  z.object({ month: z.string(), rows: z.int(), hash: z.string().nullable() }),
)
const WRITE_MONTH = step(import.meta.url, 'merged#write-month')

const MONTH_TABLES = ['observations', 'observation_times'] as const

const fileOf = (table: string, key: string): string => `${table}/${key}/part-0.parquet`

const WRITTEN = `SELECT listing_id, day, price, in_stock, month
  FROM read_parquet(getvariable('lake')['snapshot_glob'] || '/observations/*/*/*.parquet', hive_partitioning = true,
    hive_types_autocast = false)`

/** A query for the rows of some months in the lake. */
const rowsBefore = ({ lake, previous }: RefreshPaths, keys: readonly string[]): string => {
  if (!previous || keys.length === 0) return 'SELECT * FROM no_observation'
  const folder = snapshotFolder(lake, previous.snapshot_id)
  const [observations, times] = MONTH_TABLES.map(
    (table) =>
      `read_parquet(${listOf(keys.map((key) => join(folder, fileOf(table, key))))}, hive_partitioning = false)`,
  )
  return `SELECT listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second
    FROM ${observations} AS observation JOIN ${times} AS observation_time USING (listing_id, day)`
}

/** Defines the sources of some months of a country. */
const openMonths = async (
  database: Database,
  paths: RefreshPaths,
  arrivals: Arrivals,
  months: readonly MergedMonth[],
  inLake: ReadonlyMap<string, DigestPart>,
): Promise<void> => {
  const keys = months.map(keyOf).filter((key) => inLake.has(key))
  await database.execute(`CREATE OR REPLACE TEMP VIEW month_arrival AS ${await monthRows(arrivals, months)}`)
  await database.execute(`CREATE OR REPLACE TEMP VIEW month_before AS ${rowsBefore(paths, keys)}`)
  await database.set({ partition: { country: months[0]!.country } })
}

/** Writes a merged month. */
const writeMonth = async (database: Database, { snapshot }: RefreshPaths, merged: MergedMonth): Promise<void> => {
  const { country, month } = merged
  const partition: Record<string, string> = { country, month, month_number: String(monthNumber(merged)) }
  for (const table of MONTH_TABLES) {
    const to = join(snapshot, fileOf(table, keyOf(merged)))
    await mkdir(dirname(to), { recursive: true })
    partition[`${table}_to`] = to
  }
  await database.set({ partition })
  await database.run(WRITE_MONTH)
}

/** Writes those of the opened months that change, and stages them for the files of their years. */
const writeMonths = async (
  database: Database,
  paths: RefreshPaths,
  { months, changed }: { months: readonly MergedMonth[]; changed: readonly MergedMonth[] },
  merged: Merged,
): Promise<void> => {
  await database.append(
    'merged_month',
    changed.map(({ country, month }) => [country, month]),
  )
  if (changed.length < months.length) await database.run(UNCHANGED)
  const parts = new Map((await database.rows(MERGED)).map(({ month, ...part }) => [month, part]))
  const written = changed.filter(({ month }) => parts.has(month))
  for (const month of written) {
    const key = keyOf(month)
    await writeMonth(database, paths, month)
    const part = parts.get(month.month)!
    for (const table of MONTH_TABLES) merged.rows[fileOf(table, key)] = part.rows
    merged.parts[`observations/${key}`] = part
  }
  const firsts = new Map(written.toReversed().map((month) => [yearOf(month), month]))
  for (const first of firsts.values()) {
    await stageListingMonths(database, paths, first)
    await stageDays(database, paths, keyOf(first), 'FROM merged')
  }
}

/** Opens the observations of the next snapshot, of all months. */
const openWritten = async (database: Database, merged: Merged): Promise<void> => {
  const rows = Object.keys(merged.parts).length === 0 ? 'SELECT *, NULL AS month FROM no_observation' : WRITTEN
  await database.execute(`CREATE TEMP VIEW written_observation AS ${rows}`)
}

/**
 * Merges this refresh's rows into the lake's, some months of a country at a time (`groupMonths`), then their listing-months and
 * their observations by listing, one year at a time. The files of a month without added or withdrawn rows and without
 * listings whose category, brand or retailer changed are kept (`keepFiles`).
 */
export const merge = async (
  database: Database,
  paths: RefreshPaths,
  arrivals: Arrivals,
  onProgress?: OnProgress,
): Promise<Merged> => {
  const { previous } = paths
  const merged: Merged = { rows: {}, parts: {}, withdrawn: 0, replaced: 0 }
  const inLake = previousMonths(previous)
  const unchanged = new Map(inLake)
  const written: string[] = []
  const groups = await groupMonths(database, inLake)
  const total = groups.flat().length
  let done = 0
  for (const months of groups) {
    await openMonths(database, paths, arrivals, months, inLake)
    const found = new Map((await database.rows(ARRIVED)).map(({ month, ...counts }) => [month, counts]))
    for (const { withdrawn, replaced } of found.values()) {
      merged.withdrawn += withdrawn
      merged.replaced += replaced
    }
    const changed = months.filter(({ month, has_moved }) => {
      const { added, withdrawn } = found.get(month) ?? { added: 0, withdrawn: 0 }
      return added > 0 || withdrawn > 0 || has_moved
    })
    if (changed.length > 0) await writeMonths(database, paths, { months, changed }, merged)
    for (const key of changed.map(keyOf)) {
      unchanged.delete(key)
      written.push(key)
    }
    done += months.length
    onProgress?.({ step: 'merging', done, total, rows: 0 })
  }
  const hasDays = previous?.files.some(({ path }) => path.startsWith('listing_days/'))
  for (const [key, part] of unchanged) {
    merged.parts[`observations/${key}`] = part
    if (!hasDays) await stageDays(database, paths, key, rowsBefore(paths, [key]))
    const files = MONTH_TABLES.map((table) => fileOf(table, key))
    Object.assign(merged.rows, await keepFiles(database, paths, files))
  }
  await openWritten(database, merged)
  Object.assign(merged.rows, await mergeYears(database, paths, written, [...inLake.keys()]))
  Object.assign(merged.rows, await mergeDays(database, paths, hasDays ? written : [...written, ...unchanged.keys()]))
  return merged
}
