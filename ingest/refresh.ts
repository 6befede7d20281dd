import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { snapshotIds } from '../engine/index.ts'
import { classify } from './catalogue/classify.ts'
import { identify } from './catalogue/identify.ts'
import { Database } from './database.ts'
import { resolveEntities, writeEntityChanges } from './entities/entities.ts'
import { merge } from './facts/merge.ts'
import { losses, overQuarantined } from './facts/refuse.ts'
import { finish, writeTables } from './facts/write.ts'
import { type Discovery, discover } from './feeds/discover.ts'
import { keepQuarantine } from './feeds/quarantine.ts'
import { read } from './feeds/read.ts'
import type { StagedFile } from './feeds/stage.ts'
import { openPlaces, type Places, prepare } from './paths.ts'
import type { OnProgress } from './progress.ts'
import { typeListings } from './reference/gpc-shelves.ts'
import { type Reference, readReference, referenceReport } from './reference/reference.ts'
import { type Duplicate, fileReport, type RefreshReport } from './report.ts'
import { digestOf, type Parts } from './snapshot/digest.ts'
import { withLock } from './snapshot/lock.ts'
import { nextSnapshotId, publish, removeOrphans } from './snapshot/publish.ts'
import { rollUpSocial } from './social/social.ts'

export type RefreshOptions = {
  feeds: string
  lake: string
  /** A file that describes a folder of other people's files. */
  mapping?: string | undefined
  /** The label of the one GPC release among the feeds, where its file's name does not tell it. */
  release?: string | undefined
  /** The share of a file's rows that may be refused, 0..1. Default 0.01. */
  max_quarantine?: number | undefined
  /** Products seen in 90 days under which a shelf does not serve. Default 25. */
  thin_below?: number | undefined
  /** The share of serving shelves, or of observations, that may be lost against the snapshot before, 0..1. Default 0.5. */
  max_drop?: number | undefined
  /** DuckDB's memory, default `2GiB`; the process takes up to half as much again. */
  memory_limit?: string | undefined
  threads?: number | undefined
  dry_run?: boolean | undefined
  /** Snapshots that stay in the lake, the new one included. Default 3. */
  keep?: number | undefined
  /** Ends the refresh: nothing is published, nothing staged stays. */
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

const withDefaults = (options: RefreshOptions) => ({
  ...options,
  max_quarantine: options.max_quarantine ?? 0.01,
  thin_below: options.thin_below ?? 25,
  max_drop: options.max_drop ?? 0.5,
  memory_limit: options.memory_limit ?? '2GiB',
  keep: options.keep ?? 3,
})
type Settings = ReturnType<typeof withDefaults>

/**
 * Reads feeds into the next snapshot of a lake and publishes it; the report tells what became of every row. Throws
 * EngineError INVALID_PARAMS for feeds that cannot be read as described, NOT_READY where another process is at work on
 * the lake or its current snapshot cannot be read.
 */
export const refresh = async (options: RefreshOptions): Promise<RefreshReport> => {
  const settings = withDefaults(options)
  const found = await discover(settings.feeds, settings.mapping)
  return withLock(settings.lake, async () => {
    await removeOrphans(settings.lake)
    await mkdir(join(settings.lake, 'staging'), { recursive: true })
    const folder = await mkdtemp(join(settings.lake, 'staging', 'refresh-'))
    try {
      return await refreshIn(folder, settings, found)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

const refreshIn = async (folder: string, settings: Settings, found: Discovery): Promise<RefreshReport> => {
  const { lake, memory_limit, threads, signal } = settings
  signal?.throwIfAborted()
  const places = await prepare(folder, lake)
  const database = await Database.open({ spill: join(folder, 'spill'), memory_limit, threads })
  const interrupt = () => database.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    await openPlaces(database, places)
    return await run(database, places, settings, found)
  } catch (cause) {
    throw signal?.aborted ? signal.reason : cause
  } finally {
    signal?.removeEventListener('abort', interrupt)
    database.close()
  }
}

type Outcome = Pick<RefreshReport, 'status'> & Partial<RefreshReport>

const run = async (
  database: Database,
  places: Places,
  settings: Settings,
  found: Discovery,
): Promise<RefreshReport> => {
  const start = performance.now()
  const files = await read(database, found.files, places, settings)
  const reference = await readReference(database, places.previous === null, found.reference, settings.release)
  const report = (outcome: Outcome) =>
    conclude(database, places, files, found, reference, { ...outcome, seconds: since(start) })
  const faults = [...overQuarantined(files, settings.max_quarantine), ...reference.faults]
  if (faults.length > 0) return report({ status: 'refused', reasons: faults })

  settings.onProgress?.({ step: 'identifying', done: 0, total: 0, rows: 0 })
  await identify(database, files)
  const dropped_barcodes = Object.fromEntries([...(await classify(database))].sort())
  await typeListings(database, reference.gpc, reference.phrases)
  await database.run('catalogue/catalogue-duplicates')
  await database.run('facts/facts')
  const merged = await merge(database, places, settings.onProgress)
  await database.run('facts/current')
  const entities = await resolveEntities(database)
  await rollUpSocial(database, places, files, merged)
  const parts = { ...merged.parts, ...(await finish(database)) }
  const digest = digestOf(parts)
  const counts: Record<string, number> = { ...countsOf(parts), unique_products: entities.unique_products }
  const observations = { before: places.previous?.counts.observations ?? 0, after: counts.observations! }
  const drops = await losses(database, observations, settings)
  const made = {
    digest,
    counts,
    dropped_barcodes,
    entities,
    reference: await referenceReport(database, reference),
    ...(await database.row<{ carried: number }>('facts/kept-carried')),
  }
  if (drops.length > 0) return report({ status: 'refused', reasons: drops, ...made })
  const isUnchanged = digest === places.previous?.digest && settings.thin_below === places.previous.thin_below
  if (isUnchanged) return report({ status: 'unchanged', ...made })
  if (settings.dry_run) return report({ status: 'dry_run', ...made })

  settings.onProgress?.({ step: 'publishing', done: 0, total: 0, rows: 0 })
  const range = await database.row<{ observed_from: string | null; observed_to: string | null }>('facts/observed-range')
  const { lake, snapshot: staged } = places
  const { keep, thin_below } = settings
  const snapshot_id = nextSnapshotId((await snapshotIds(lake))[0] ?? null, digest)
  const written = await writeTables(database, places, parts)
  const rows = { ...merged.rows, ...written, ...(await writeEntityChanges(database, places, snapshot_id)) }
  const published = await report({ status: 'published', snapshot_id, ...made })
  const contents = { snapshot_id, digest, thin_below, counts, rows, ...range, report: { ...published, parts } }
  await publish({ lake, staged, keep, ...contents })
  return published
}

const since = (start: number): number => Math.round(performance.now() - start) / 1000

const countsOf = (parts: Parts): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const [name, { rows }] of Object.entries(parts)) {
    const table = name.split('/')[0]!
    counts[table] = (counts[table] ?? 0) + rows
  }
  return { observations: 0, ...counts }
}

const conclude = async (
  database: Database,
  places: Places,
  files: readonly StagedFile[],
  { not_read }: Discovery,
  reference: Reference,
  outcome: Outcome,
): Promise<RefreshReport> => {
  const duplicates = await database.rows<Duplicate>('facts/duplicates')
  return {
    snapshot_id: null,
    previous: places.previous?.snapshot_id ?? null,
    digest: null,
    reasons: [],
    files: [...files.map((file) => fileReport(file, duplicates)), ...reference.files],
    not_read,
    carried: 0,
    dropped_barcodes: {},
    entities: null,
    reference: null,
    counts: {},
    quarantine: await keepQuarantine(database, places, files, outcome.snapshot_id ?? null),
    seconds: 0,
    ...outcome,
  }
}
