import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Manifest, snapshotFolder } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import type { Places } from '../paths.ts'
import type { OnProgress } from '../progress.ts'
import type { Part } from '../snapshot/digest.ts'
import { linkFrom } from '../snapshot/publish.ts'
import { mergeYears, waitingMonths } from './years.ts'

/** What merging made: the rows of each new file by its path, and the parts of the digest by month. */
export type Merged = { rows: Record<string, number>; parts: Record<string, Part> }

/** A country's month, by the folder of its files: `country=us/month=2026-10`. */
type Month = { key: string; has_arrived: boolean; has_moved: boolean }

const MONTH_TABLES = ['observations', 'observation_times'] as const

const fileOf = (table: string, key: string): string => `${table}/${key}/part-0.parquet`

/** The months of the snapshot before, with their parts of its digest. */
const knownMonths = (previous: Manifest | null): ReadonlyMap<string, Part> => {
  const parts = (previous?.report as { parts?: Record<string, Part> } | undefined)?.parts ?? {}
  const months = Object.entries(parts).filter(([name]) => name.startsWith('observations/'))
  return new Map(months.map(([name, part]) => [name.slice('observations/'.length), part]))
}

/** Tells the statements, through the variable `partition`, what a month is made of and where it goes. */
const introduce = async (database: Database, places: Places, month: Month, isKnown: boolean): Promise<void> => {
  const { facts, snapshot, previous, lake } = places
  const { key, has_arrived } = month
  const [, country = '', name = ''] = /^country=(\w+)\/month=(.+)$/.exec(key) ?? []
  const before = (table: string, none: string): string =>
    previous && isKnown ? join(snapshotFolder(lake, previous.snapshot_id), fileOf(table, key)) : join(facts, none)
  await database.setTexts('partition', {
    country,
    month: name,
    facts: has_arrived ? join(facts, `${key}-01`, '*.parquet') : join(facts, 'none.parquet'),
    observations: before('observations', 'no-observations.parquet'),
    times: before('observation_times', 'no-times.parquet'),
    observations_to: join(snapshot, fileOf('observations', key)),
    times_to: join(snapshot, fileOf('observation_times', key)),
    listing_months_to: waitingMonths(places, country, name),
  })
}

const writeMonth = async (database: Database, { snapshot }: Places, key: string, merged: Merged): Promise<void> => {
  for (const table of MONTH_TABLES) await mkdir(dirname(join(snapshot, fileOf(table, key))), { recursive: true })
  await database.run('facts/merged')
  await database.run('facts/write-month')
  const { observations, hash } = await database.row<{ observations: number; hash: string }>('facts/partition-digest')
  merged.rows[fileOf('observations', key)] = observations
  merged.rows[fileOf('observation_times', key)] = observations
  merged.parts[`observations/${key}`] = { rows: observations, hash }
}

/**
 * Merges this refresh's rows into the lake's, a country's month at a time, then their listing-months, a year at a time. A
 * month that nothing is added to, and none of whose listings stands elsewhere now, is linked from the snapshot before.
 */
export const merge = async (database: Database, places: Places, onProgress?: OnProgress): Promise<Merged> => {
  const { snapshot, previous, lake } = places
  const merged: Merged = { rows: {}, parts: {} }
  const known = knownMonths(previous)
  const staying = new Map(known)
  const written: string[] = []
  const months = (await database.rows<Month>('facts/months')).filter(
    ({ key, has_arrived }) => has_arrived || staying.has(key),
  )
  for (const [at, month] of months.entries()) {
    const { key, has_moved } = month
    await introduce(database, places, month, staying.has(key))
    await database.run('facts/arrived')
    const { kept } = await database.row<{ kept: number }>('facts/kept-rows')
    if (kept > 0 || has_moved) {
      await writeMonth(database, places, key, merged)
      staying.delete(key)
      written.push(key)
    }
    onProgress?.({ step: 'merging', done: at + 1, total: months.length, rows: 0 })
  }
  for (const [key, part] of staying) {
    merged.parts[`observations/${key}`] = part
    for (const table of MONTH_TABLES)
      if (previous) await linkFrom(snapshotFolder(lake, previous.snapshot_id), snapshot, fileOf(table, key))
  }
  Object.assign(merged.rows, await mergeYears(database, places, written, [...known.keys()]))
  return merged
}
