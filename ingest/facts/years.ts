import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { snapshotFolder } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import type { Places } from '../paths.ts'
import { linkFrom } from '../snapshot/publish.ts'

/** Where the listing-months of a merged month wait for their year; the month may be a pattern. */
export const waitingMonths = ({ staged }: Places, country: string, month: string): string =>
  join(staged, `listing_months-${country}-${month}.parquet`)

/** The years of months, each once, by the folder of their files: `country=us/year=2026` of `country=us/month=2026-10`. */
const yearsOf = (months: readonly string[]): Set<string> =>
  new Set(months.map((key) => key.replace(/month=(\d+)-\d+$/, 'year=$1')))

const fileOf = (year: string): string => `listing_months/${year}/part-0.parquet`

const writeYear = async (database: Database, places: Places, key: string, isKnown: boolean): Promise<number> => {
  const { facts, snapshot, previous, lake } = places
  const [, country = '', year = ''] = /^country=(\w+)\/year=(\d+)$/.exec(key) ?? []
  const to = join(snapshot, fileOf(key))
  await mkdir(dirname(to), { recursive: true })
  await database.setTexts('partition', {
    merged: waitingMonths(places, country, `${year}-*`),
    before:
      previous && isKnown
        ? join(snapshotFolder(lake, previous.snapshot_id), fileOf(key))
        : join(facts, 'no-listing-months.parquet'),
    listing_months_to: to,
  })
  await database.run('facts/write-year')
  return (await database.row<{ rows: number }>('facts/year-rows')).rows
}

/**
 * Merges the listing-months of the months written by this refresh with those of the snapshot before, a country's year at a
 * time; a year in which no month was written is linked. Returns the rows of each new file, by its path.
 */
export const mergeYears = async (
  database: Database,
  places: Places,
  written: readonly string[],
  known: readonly string[],
): Promise<Record<string, number>> => {
  const { snapshot, previous, lake } = places
  const [touched, before] = [yearsOf(written), yearsOf(known)]
  const rows: Record<string, number> = {}
  for (const year of touched) rows[fileOf(year)] = await writeYear(database, places, year, before.has(year))
  for (const year of before)
    if (previous && !touched.has(year))
      await linkFrom(snapshotFolder(lake, previous.snapshot_id), snapshot, fileOf(year))
  return rows
}
