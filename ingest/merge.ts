import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { STRUCT, structValue, VARCHAR } from '@duckdb/node-api'
import { filesBelow, type Manifest, snapshotFolder } from '../engine/index.ts'
import type { Database } from './database.ts'
import type { Part } from './digest.ts'
import type { Places } from './places.ts'
import type { OnProgress } from './progress.ts'
import { linkFrom } from './publish.ts'

/** What merging made: the rows of each new file by its path, and the parts of the digest by month. */
export type Merged = { rows: Record<string, number>; parts: Record<string, Part> }

type Month = { country: string; month: string }

const MONTH_TABLES = ['observations', 'observation_times', 'listing_months'] as const

const keyOf = ({ country, month }: Month): string => `country=${country}/month=${month}`
const fileOf = (table: string, key: string): string => `${table}/${key}/part-0.parquet`

const PARTITION = STRUCT(
  Object.fromEntries(
    ['country', 'month', 'facts', 'observations', 'times', 'observations_to', 'times_to', 'months_to'].map((name) => [
      name,
      VARCHAR,
    ]),
  ),
)

/** The months with facts, as `country=us/month=2026-10-01` folders. */
const arrivedMonths = async (facts: string): Promise<Month[]> => {
  const months = (await filesBelow(facts)).flatMap((file) => {
    const [, country, month] = /^country=(\w+)\/month=(\d{4}-\d{2})-01\//.exec(file) ?? []
    return country && month ? { country, month } : []
  })
  return months
}

const introduce = async (database: Database, places: Places, month: Month, hasArrived: boolean): Promise<void> => {
  const { facts, snapshot, previous, lake } = places
  const key = keyOf(month)
  const isKnown = previous?.files.some(({ path }) => path === fileOf('observations', key))
  const before = previous && isKnown ? snapshotFolder(lake, previous.snapshot_id) : null
  const target = (table: string) => join(snapshot, fileOf(table, key))
  for (const table of MONTH_TABLES) await mkdir(dirname(target(table)), { recursive: true })
  const value = {
    ...month,
    facts: hasArrived ? join(facts, `${key}-01`, '*.parquet') : join(facts, 'none.parquet'),
    observations: before ? join(before, fileOf('observations', key)) : join(facts, 'no-observations.parquet'),
    times: before ? join(before, fileOf('observation_times', key)) : join(facts, 'no-times.parquet'),
    observations_to: target('observations'),
    times_to: target('observation_times'),
    months_to: target('listing_months'),
  }
  await database.set('partition', structValue(value), PARTITION)
}

const writeMonth = async (database: Database, key: string, merged: Merged): Promise<void> => {
  await database.run('merged')
  await database.run('write-month')
  type Counts = { observations: number; listing_months: number; hash: string }
  const { observations, listing_months, hash } = await database.row<Counts>('partition-digest')
  merged.rows[fileOf('observations', key)] = observations
  merged.rows[fileOf('observation_times', key)] = observations
  merged.rows[fileOf('listing_months', key)] = listing_months
  merged.parts[`observations/${key}`] = { rows: observations, hash }
}

/**
 * Merges this refresh's rows into the lake's, a country's month at a time. A month that nothing is added to, and none of
 * whose listings stands elsewhere now, is linked from the snapshot before.
 */
export const merge = async (database: Database, places: Places, onProgress?: OnProgress): Promise<Merged> => {
  const { facts, snapshot, previous, lake } = places
  const merged: Merged = { rows: {}, parts: {} }
  const arrived = new Set((await arrivedMonths(facts)).map(keyOf))
  const moved = new Set((await database.rows<Month>('months')).map(keyOf))
  const known = knownMonths(previous)
  const touched = [...new Set([...arrived, ...[...moved].filter((key) => known.has(key))])].sort()
  const added = new Set<string>()
  for (const [at, key] of touched.entries()) {
    await introduce(database, places, monthOf(key), arrived.has(key))
    await database.run('arrived')
    const { kept } = await database.row<{ kept: number }>('kept-rows')
    if (kept > 0 || moved.has(key)) {
      await writeMonth(database, key, merged)
      added.add(key)
    }
    onProgress?.({ step: 'merging', done: at + 1, total: touched.length, rows: 0 })
  }
  for (const [key, part] of known) {
    if (added.has(key) || !previous) continue
    merged.parts[`observations/${key}`] = part
    for (const table of MONTH_TABLES)
      await linkFrom(snapshotFolder(lake, previous.snapshot_id), snapshot, fileOf(table, key))
  }
  return merged
}

const monthOf = (key: string): Month => {
  const [, country = '', month = ''] = /^country=(\w+)\/month=(.+)$/.exec(key) ?? []
  return { country, month }
}

/** The months of the snapshot before, with their parts of its digest. */
const knownMonths = (previous: Manifest | null): ReadonlyMap<string, Part> => {
  const parts = (previous?.report as { parts?: Record<string, Part> } | undefined)?.parts ?? {}
  const months = Object.entries(parts).filter(([name]) => name.startsWith('observations/'))
  return new Map(months.map(([name, part]) => [name.slice('observations/'.length), part]))
}
