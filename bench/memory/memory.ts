import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { halfOfMemory } from '../../engine/catalog/catalogs.ts'
import { readCurrentManifest, snapshotFolder } from '../../engine/index.ts'
import { openDuckDB } from '../duckdb.ts'
import type { BenchOptions } from '../options.ts'
import { deriveQueries, seededRandom } from '../search-queries.ts'
import { ensureListings } from './lake.ts'
import type { PlanFigures } from './plan-worker.ts'
import { measureService } from './service.ts'

const QUERIES = 600
const NAMES = 20_000
/** Bytes of a listing in memory, twice while snapshots are switched: more than that are measured from files only. */
const BYTES_IN_MEMORY = 2 * 400

/** Searches derived from names of a lake, in a file. */
const writeQueries = async (lake: string): Promise<string> => {
  const manifest = await readCurrentManifest(lake)
  const connection = await openDuckDB()
  const files = join(snapshotFolder(lake, manifest?.snapshot_id ?? ''), 'listings/country=us/*.parquet')
  const every = Math.max(1, Math.floor((manifest?.counts.listings ?? 0) / NAMES))
  const rows = await connection.runAndReadAll(
    `SELECT DISTINCT product_name FROM '${files}' WHERE hash(listing_id) % ${every} = 0 ORDER BY product_name`,
  )
  connection.closeSync()
  const names = rows.getRowsJS().map(([name]) => String(name))
  const file = join(lake, '..', 'shelfmark-bench-memory-queries.json')
  writeFileSync(file, JSON.stringify(deriveQueries(names, QUERIES, seededRandom(1)).map(({ q }) => q)))
  return file
}

const measurePlans = (lake: string, budget: number, queries: string): Promise<PlanFigures> => {
  const worker = fork(new URL('./plan-worker.ts', import.meta.url), [lake, String(budget), queries])
  return new Promise((resolve, reject) => {
    worker.once('message', (figures) => resolve(figures as PlanFigures))
    worker.once('exit', (code) => code === 0 || reject(new Error(`planning ended with exit code ${code}`)))
  })
}

/**
 * What a service takes to start, to plan product searches and to switch snapshots, with listings in memory and
 * beyond the memory budget. Figures of the page cache are null where the process may not empty it.
 */
export const benchMemory = async ({ listings: about, cache, lake: given }: BenchOptions) => {
  const lake = given ?? (await ensureListings(about, cache))
  const { listings = 0 } = (await readCurrentManifest(lake))?.counts ?? {}
  const queries = await writeQueries(lake)
  const fits = listings * BYTES_IN_MEMORY <= halfOfMemory()
  const rows: Record<string, unknown>[] = []
  for (const [where, budget] of [['memory', halfOfMemory()] as const, ['files', 1] as const]) {
    if (where === 'memory' && !fits) continue
    rows.push({
      where,
      listings,
      ...(await measurePlans(lake, budget, queries)),
      ...(await measureService(lake, budget)),
    })
  }
  return rows
}
