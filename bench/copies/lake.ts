import { copyFileSync, mkdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { currentSnapshotId, readCurrentManifest, sha256OfText, snapshotFolder } from '../../engine/index.ts'
import { sumFiles } from '../../ingest/cluster/sums.ts'
import { Database } from '../../ingest/database.ts'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { nextSnapshotId, publish } from '../../ingest/snapshot/publish.ts'
import { type Connection, openDuckDB } from '../duckdb.ts'
import { bytesOf, ensureLake, isReadable } from '../lake.ts'
import type { BenchOptions } from '../options.ts'
import { writeDays } from './days.ts'
import { readingsOf, rewriteIndex } from './search-index.ts'
import { copiedReadings, copiedRows, rowGroupOf, type Steps } from './statements.ts'

/** The sample that is copied: 20,000 listings, observed weekly for 13 months. */
const SAMPLE_OBSERVATIONS = 1_000_000
/** Counts of a manifest that grow with the copies; names, posts and reference stay as they are. */
const GROWING = ['observations', 'listings', 'shelf_days', 'categories', 'unique_products']

/** How the rows of a snapshot are copied. */
export type Copying = {
  copies: number
  /** Part of the digest, so that lakes copied in different ways have different ids. */
  name: string
  /** Runs before the first file and before the index, with the folder of the sample's snapshot. */
  prepare?: (connection: Connection, from: string, steps: Steps) => Promise<unknown>
  /** The rows of a file, copied; null for what copies share. */
  rowsOf(file: string, table: string, steps: Steps): string | null
  /** What was read of the texts of the copies, by a statement for the sample (search-index.ts). */
  readingsOf(readings: string, steps: Steps): string
  /** The counts of the manifest, copied. */
  countsOf(counts: Readonly<Record<string, number>>): Record<string, number>
}

/** Writes a snapshot of copies of another and publishes it in a lake of its own. */
export const copyLake = async (sample: string, lake: string, copying: Copying): Promise<void> => {
  const { copies, name, prepare, rowsOf, countsOf } = copying
  const manifest = await readCurrentManifest(sample)
  if (!manifest) throw new Error(`${sample} holds no snapshot`)
  const from = snapshotFolder(sample, manifest.snapshot_id)
  const digest = sha256OfText(`${manifest.digest} ${name}${copies}`)
  const snapshot_id = nextSnapshotId(null, digest)
  const staged = join(lake, 'staging', snapshot_id)
  await mkdir(staged, { recursive: true })
  const connection = await openDuckDB()
  await connection.run(`SET memory_limit = '6GiB'; SET temp_directory = '${join(lake, 'spill')}'`)
  const count = async (sql: string): Promise<number> => Number((await connection.runAndReadAll(sql)).getRowsJS()[0]![0])
  const steps: Steps = {
    copies,
    categories: await count(`SELECT max(category_id) FROM '${from}/categories.parquet'`),
    listings: await count(`SELECT max(listing_id) FROM '${from}/listings/*/*.parquet'`),
  }
  await prepare?.(connection, from, steps)
  const rows: Record<string, number> = {}
  for (const file of manifest.files.filter(({ path }) => !/^listing_days\/|\.arrow$/.test(path))) {
    const target = join(staged, file.path)
    mkdirSync(dirname(target), { recursive: true })
    const table = file.path.split('/')[0]!.replace('.parquet', '')
    const sql = rowsOf(join(from, file.path), table, steps)
    if (sql === null) copyFileSync(join(from, file.path), target)
    else
      await connection.run(`COPY (${sql}) TO '${target}' (FORMAT parquet, COMPRESSION zstd,
        ROW_GROUP_SIZE ${rowGroupOf(table, file.rows * copies)})`)
    rows[file.path] = await count(`SELECT count(*) FROM '${target}'`)
  }
  Object.assign(rows, await writeDays(connection, staged))
  connection.closeSync()
  const database = await Database.open({ memory_limit: '6GiB', spill: join(lake, 'spill') })
  const files = Object.keys(rows).map((path) => ({ path, isNew: true }))
  const sums = await sumFiles(database, staged, files, null)
  await prepare?.(database.connection, from, steps)
  Object.assign(rows, await rewriteIndex(database, staged, copying.readingsOf(readingsOf(from), steps)))
  database.close()
  const { observed_from, observed_to, thin_below } = manifest
  await publish({
    lake,
    staged,
    snapshot_id,
    digest,
    observed_from,
    observed_to,
    thin_below,
    counts: countsOf(manifest.counts),
    report: {},
    rows,
    sums,
  })
}

const folderOf = (observations: number, cache: string): string => join(cache, `shelfmark-bench-copies-${observations}`)

/**
 * A lake of about this many observations, made once and kept: copies of one refreshed sample with new ids, each under
 * departments of its own. A shelf keeps its size while the lake grows; 10 million observations have 200,000 listings.
 */
export const ensureCopies = async (observations: number, cache: string): Promise<string> => {
  const copies = Math.max(1, Math.round(observations / SAMPLE_OBSERVATIONS))
  const sample = await ensureLake(SAMPLE_OBSERVATIONS, cache)
  const lake = folderOf(observations, cache)
  if (await isReadable(lake)) return lake
  await rm(lake, { recursive: true, force: true })
  console.error(`Making ${copies} copies of ${sample} in ${lake}`)
  const countsOf = (counts: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, GROWING.includes(name) ? n * copies : n]))
  await withLock(lake, () =>
    copyLake(sample, lake, { copies, name: '', rowsOf: copiedRows, readingsOf: copiedReadings, countsOf }),
  )
  return lake
}

/** Rebuilds the lake of copies; returns what that takes. */
export const benchLake = async ({ observations, cache }: BenchOptions) => {
  await ensureLake(SAMPLE_OBSERVATIONS, cache)
  await rm(folderOf(observations, cache), { recursive: true, force: true })
  const start = performance.now()
  const before = process.cpuUsage()
  const lake = await ensureCopies(observations, cache)
  const { user, system } = process.cpuUsage(before)
  const manifest = await readCurrentManifest(lake)
  return {
    lake,
    observations: manifest!.counts.observations,
    listings: manifest!.counts.listings,
    mib: bytesOf(snapshotFolder(lake, (await currentSnapshotId(lake)) ?? '')) / 2 ** 20,
    seconds: (performance.now() - start) / 1000,
    cpu_seconds: (user + system) / 1e6,
  }
}
