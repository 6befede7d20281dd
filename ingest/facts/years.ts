import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { snapshotFolder } from '../../engine/index.ts'
import { type Database, query, step } from '../database.ts'
import { listOf } from '../feeds/sql-text.ts'
import type { RefreshPaths } from '../paths.ts'
import { keepFiles } from './keep.ts'
import { type MergedMonth, yearOf } from './months.ts'

const STAGE_MONTHS = step(import.meta.url, 'yearly#stage-months')
const WRITE_YEAR = query(import.meta.url, 'yearly#write-year', z.object({ rows: z.int() }))

/** Stages the listing-months of the merged months of a year, under the first of them, until the file of the year is written. */
export const stageListingMonths = async (
  database: Database,
  { staged }: RefreshPaths,
  { country, month }: Pick<MergedMonth, 'country' | 'month'>,
): Promise<void> => {
  const listing_months_to = join(staged, `listing_months-${country}-${month}.parquet`)
  await database.set({ partition: { country, year: yearOf({ month }), listing_months_to } })
  await database.run(STAGE_MONTHS)
}

/**
 * The years of months, each once, by the folder of their files: `country=us/year=2026` of `country=us/month=2026-10`.
 */
const yearsOf = (months: readonly string[]): Set<string> =>
  new Set(months.map((key) => key.replace(/month=(\d+)-\d+$/, 'year=$1')))

const fileOf = (year: string): string => `listing_months/${year}/part-0.parquet`

const queryOf = (paths: readonly string[]): string =>
  paths.length > 0
    ? `SELECT * FROM read_parquet(${listOf(paths)}, hive_partitioning = false)`
    : 'SELECT * FROM no_listing_month'

/** Writes a year, unless it has no rows; returns the number of rows. */
const writeYear = async (database: Database, paths: RefreshPaths, key: string, isInLake: boolean): Promise<number> => {
  const { staged, snapshot, previous, lake } = paths
  const [, country = '', year = ''] = /^country=(\w+)\/year=(\d+)$/.exec(key) ?? []
  const to = join(snapshot, fileOf(key))
  await mkdir(dirname(to), { recursive: true })
  const prefix = `listing_months-${country}-${year}-`
  const months = (await readdir(staged)).filter((name) => name.startsWith(prefix)).map((name) => join(staged, name))
  const before = previous && isInLake ? [join(snapshotFolder(lake, previous.snapshot_id), fileOf(key))] : []
  await database.execute(`CREATE OR REPLACE TEMP VIEW month_of_year AS ${queryOf(months)}`)
  await database.execute(`CREATE OR REPLACE TEMP VIEW year_before AS ${queryOf(before)}`)
  await database.set({ partition: { country, year, listing_months_to: to } })
  const { rows } = await database.row(WRITE_YEAR)
  if (rows === 0) await rm(dirname(to), { recursive: true })
  return rows
}

/**
 * Merges the listing-months of the months written by this refresh with those of the previous snapshot, one year of a
 * country at a time; the file of a year without written months is kept. Returns the rows of each new file, by its path.
 */
export const mergeYears = async (
  database: Database,
  paths: RefreshPaths,
  written: readonly string[],
  previousMonths: readonly string[],
): Promise<Record<string, number>> => {
  const [touched, before] = [yearsOf(written), yearsOf(previousMonths)]
  const rows: Record<string, number> = {}
  for (const year of touched) rows[fileOf(year)] = await writeYear(database, paths, year, before.has(year))
  const untouched = [...before].filter((year) => !touched.has(year))
  return { ...rows, ...(await keepFiles(database, paths, untouched.map(fileOf))) }
}
