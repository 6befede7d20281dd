import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { indexPath, LISTINGS_PER_BLOCK, snapshotFolder } from '../../engine/index.ts'
import { type Database, query, step } from '../database.ts'
import { listOf } from '../feeds/sql-text.ts'
import type { RefreshPaths } from '../paths.ts'
import { writeHistories } from '../search/histories.ts'
import { keepFiles } from './keep.ts'

const STAGE_DAYS = step(import.meta.url, 'yearly#stage-days')
const BLOCKS = query(import.meta.url, 'yearly#blocks', z.object({ block: z.int() }))
const WRITE_DAYS = query(import.meta.url, 'yearly#write-days', z.object({ rows: z.int() }))

/** The country and the month, or the year, of a folder such as `country=us/month=2026-10`. */
const partsOf = (key: string): [country: string, period: string] => {
  const [, country = '', period = ''] = /^country=(\w+)\/\w+=([\d-]+)$/.exec(key) ?? []
  return [country, period]
}

/** Stages rows of a year sorted by listing, under the first of their months. */
export const stageDays = async (database: Database, paths: RefreshPaths, key: string, rows: string): Promise<void> => {
  await database.execute(`CREATE OR REPLACE TEMP VIEW month_row AS ${rows}`)
  const [country, month] = partsOf(key)
  const listing_days_to = join(paths.staged, `listing_days-${country}-${month}.parquet`)
  await database.set({ partition: { country, year: month.slice(0, 4), listing_days_to } })
  await database.run(STAGE_DAYS)
}

/** The year of a month: `country=us/year=2026` of `country=us/month=2026-10`. */
const yearOf = (month: string): string => month.replace(/month=(\d+)-\d+$/, 'year=$1')

/** The year and the block of a file of the table, by their folders; null for other files. */
const placeOf = (path: string): { year: string; block: number } | null => {
  const [, year = '', block] = /^listing_days\/(.+)\/block=(\d+)\//.exec(path) ?? []
  return block === undefined ? null : { year, block: Number(block) }
}

const fileOf = (year: string, block: number): string => `listing_days/${year}/block=${block}/part-0.parquet`

const rowsOf = (paths: readonly string[]): string =>
  `SELECT listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second
   FROM ${paths.length > 0 ? `read_parquet(${listOf(paths)}, hive_partitioning = false)` : 'no_listing_day'}`

/** Writes the blocks of a year; returns the rows of each file, by its path. */
const writeYear = async (
  database: Database,
  { staged, snapshot, previous, lake }: RefreshPaths,
  key: string,
): Promise<Record<string, number>> => {
  const [country, year] = partsOf(key)
  const prefix = `listing_days-${country}-${year}-`
  const months = (await readdir(staged)).filter((name) => name.startsWith(prefix)).map((name) => join(staged, name))
  await database.execute(`CREATE OR REPLACE TEMP VIEW day_of_year AS ${rowsOf(months)}`)
  const places = previous?.files.map(({ path }) => placeOf(path)) ?? []
  const before = new Set(places.flatMap((place) => (place?.year === key ? place.block : [])))
  const arrived = (await database.rows(BLOCKS, { per_block: LISTINGS_PER_BLOCK })).map(({ block }) => block)
  const rows: Record<string, number> = {}
  for (const block of new Set([...before, ...arrived])) {
    const path = fileOf(key, block)
    const to = join(snapshot, path)
    const kept = previous && before.has(block) ? [join(snapshotFolder(lake, previous.snapshot_id), path)] : []
    await mkdir(dirname(to), { recursive: true })
    await database.execute(`CREATE OR REPLACE TEMP VIEW day_before AS ${rowsOf(kept)}`)
    const partition = {
      country,
      year,
      block: String(block),
      first_listing: String(block * LISTINGS_PER_BLOCK),
      last_listing: String((block + 1) * LISTINGS_PER_BLOCK - 1),
      listing_days_to: to,
    }
    await database.set({ partition })
    const written = (await database.row(WRITE_DAYS)).rows
    if (written === 0) await rm(dirname(to), { recursive: true })
    else rows[path] = written
  }
  const files = Object.keys(rows)
  if (files.length > 0) Object.assign(rows, await writeHistories(database, snapshot, { country, year, files }))
  else await rm(join(snapshot, 'listing_days', key), { recursive: true, force: true })
  return rows
}

/** Keeps the files of a year, and its histories unless they were not written yet. Returns the rows of each written file. */
const keepYear = async (database: Database, paths: RefreshPaths, key: string): Promise<Record<string, number>> => {
  const [country, year] = partsOf(key)
  const histories = indexPath('listing_histories', country, year)
  const before = paths.previous?.files.map(({ path }) => path) ?? []
  const files = before.filter((path) => placeOf(path)?.year === key)
  const rows = await keepFiles(database, paths, [...files, histories])
  if (!before.includes(histories))
    Object.assign(rows, await writeHistories(database, paths.snapshot, { country, year, files }))
  return rows
}

/**
 * Writes the observations by listing, a block of listings of a year of a country in each file, and the histories of the listings
 * of each year, for the years of the staged months; the files of other years are kept. Returns the rows of each new file, by its path.
 */
export const mergeDays = async (
  database: Database,
  paths: RefreshPaths,
  written: readonly string[],
): Promise<Record<string, number>> => {
  const touched = new Set(written.map(yearOf))
  const rows: Record<string, number> = {}
  for (const year of touched) Object.assign(rows, await writeYear(database, paths, year))
  const kept = new Set((paths.previous?.files ?? []).flatMap(({ path }) => placeOf(path)?.year ?? []))
  for (const year of kept) if (!touched.has(year)) Object.assign(rows, await keepYear(database, paths, year))
  return rows
}
