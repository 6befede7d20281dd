import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSnapshot } from './build.ts'
import { areSmall, Database } from './database.ts'
import type { Withdrawal } from './facts/withdrawal.ts'
import { discover, NOTHING_FOUND } from './feeds/discover.ts'
import {
  type BuildOptions,
  type LakeChange,
  type RefreshOptions,
  type RefreshSettings,
  withDefaults,
} from './options.ts'
import { openTables, prepare, type RefreshPaths } from './paths.ts'
import type { RefreshReport } from './report.ts'
import { withLock } from './snapshot/lock.ts'
import { discard, removeOrphans } from './snapshot/publish.ts'

export type { RefreshOptions }

/** The threads of a refresh: one for little input, else DuckDB's own number. */
const threadsFor = ({ discovery }: LakeChange, { previous }: RefreshPaths): number | undefined =>
  areSmall([...discovery.files, ...discovery.reference, ...(previous?.files ?? [])]) ? 1 : undefined

const build = (settings: RefreshSettings, change: LakeChange): Promise<RefreshReport> =>
  withLock(settings.lake, async () => {
    const { warnings } = await removeOrphans(settings.lake)
    await mkdir(join(settings.lake, 'staging'), { recursive: true })
    const folder = await mkdtemp(join(settings.lake, 'staging', 'refresh-'))
    const report = await buildIn(folder, settings, change).catch(async (cause: unknown) => {
      await discard(folder)
      throw cause
    })
    return { ...report, warnings: [...warnings, ...report.warnings, ...(await discard(folder))] }
  })

const buildIn = async (folder: string, settings: RefreshSettings, change: LakeChange): Promise<RefreshReport> => {
  const { lake, memory_limit, signal } = settings
  signal?.throwIfAborted()
  const paths = await prepare(folder, lake, settings)
  const threads = settings.threads ?? threadsFor(change, paths)
  const database = await Database.open({ spill: join(folder, 'spill'), memory_limit, threads })
  const interrupt = () => database.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    await openTables(database, paths)
    return await buildSnapshot(database, paths, settings, change)
  } catch (cause) {
    throw signal?.aborted ? signal.reason : cause
  } finally {
    signal?.removeEventListener('abort', interrupt)
    database.close()
  }
}

/**
 * Reads feeds into the next snapshot of a lake and publishes it; the report accounts for every row. Throws EngineError
 * INVALID_PARAMS for feeds that cannot be read as described, NOT_READY if another process is changing the lake or its
 * current snapshot cannot be read.
 */
export const refresh = async ({ feeds, ...options }: RefreshOptions): Promise<RefreshReport> =>
  build(withDefaults(options), { discovery: await discover(feeds, options.mappings), withdrawals: [] })

/**
 * Publishes a snapshot without a retailer's rows of some days, and without its listings that have no other rows.
 * NOT_FOUND if the lake has no such rows; otherwise as `refresh`.
 */
export const withdraw = (options: BuildOptions, withdrawal: Withdrawal): Promise<RefreshReport> =>
  build(withDefaults({ ...options, max_drop: 1 }), { discovery: NOTHING_FOUND, withdrawals: [withdrawal] })

/** Publishes the snapshot of a lake of an earlier format in the current one. NOT_READY if it cannot be read; otherwise as `refresh`. */
export const upgrade = (options: BuildOptions): Promise<RefreshReport> =>
  build(withDefaults(options), { discovery: NOTHING_FOUND, withdrawals: [] })
