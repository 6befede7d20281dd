import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSnapshot } from './build.ts'
import type { OnProgress } from './cli/progress.ts'
import { Database } from './database.ts'
import type { Withdrawal } from './facts/withdrawal.ts'
import { type Discovery, discover, NOTHING_FOUND } from './feeds/discover.ts'
import { openPaths, prepare } from './paths.ts'
import type { RefreshReport } from './report.ts'
import { withLock } from './snapshot/lock.ts'
import { discard, removeOrphans } from './snapshot/publish.ts'

/** How any change of a lake's contents is made. */
export type BuildOptions = {
  lake: string
  /** Products seen in 90 days under which a shelf does not serve. Default 25. */
  thin_below?: number | undefined
  /** DuckDB's memory, default `2GiB`; the process takes up to half as much again. */
  memory_limit?: string | undefined
  threads?: number | undefined
  /** All but publishing. */
  dry_run?: boolean | undefined
  /** Snapshots that stay in the lake, the new one included. Default 3. */
  keep?: number | undefined
  /** Ends the work: nothing is published, nothing staged stays. */
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

export type RefreshOptions = BuildOptions & {
  feeds: string
  /** Files that describe a folder of other people's files. */
  mappings?: readonly string[] | undefined
  /** The label of the one GPC release among the feeds, where its file's name does not tell it. */
  release?: string | undefined
  /** The share of a file's rows that may be refused, 0..1. Default 0.01. */
  max_quarantine?: number | undefined
  /**
   * The share of serving shelves, of observations, or of a retailer's rows against the month before, that may be lost
   * against the previous snapshot, 0..1. Default 0.5.
   */
  max_drop?: number | undefined
  /** Retailers whose deliveries are published whatever their prices and rows look like against what the lake has. */
  accept?: readonly string[] | undefined
  /** The time of the refresh, the clock by default: what is observed more than a day after it is refused. */
  as_of?: Date | undefined
}

const withDefaults = (options: Omit<RefreshOptions, 'feeds'>) => ({
  ...options,
  max_quarantine: options.max_quarantine ?? 0.01,
  thin_below: options.thin_below ?? 25,
  max_drop: options.max_drop ?? 0.5,
  memory_limit: options.memory_limit ?? '2GiB',
  keep: options.keep ?? 3,
  accept: options.accept ?? [],
  as_of: options.as_of ?? new Date(),
})

/** The options of a refresh or a withdrawal, with their defaults. */
export type Settings = ReturnType<typeof withDefaults>

/** What is to become of a lake: files to read, and rows to withdraw. */
export type Change = { found: Discovery; withdrawals: readonly Withdrawal[] }

const build = (settings: Settings, change: Change): Promise<RefreshReport> =>
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

const buildIn = async (folder: string, settings: Settings, change: Change): Promise<RefreshReport> => {
  const { lake, memory_limit, threads, signal } = settings
  signal?.throwIfAborted()
  const paths = await prepare(folder, lake)
  const database = await Database.open({ spill: join(folder, 'spill'), memory_limit, threads })
  const interrupt = () => database.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    await openPaths(database, paths)
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
 * INVALID_PARAMS for feeds that cannot be read as described, NOT_READY where another process is changing the lake or its
 * current snapshot cannot be read.
 */
export const refresh = async ({ feeds, ...options }: RefreshOptions): Promise<RefreshReport> =>
  build(withDefaults(options), { found: await discover(feeds, options.mappings), withdrawals: [] })

/**
 * Publishes a snapshot without a retailer's rows of some days; listings of it that are left without any row go too.
 * NOT_FOUND where the lake has no such rows; else as `refresh`.
 */
export const withdraw = (options: BuildOptions, withdrawal: Withdrawal): Promise<RefreshReport> =>
  build(withDefaults({ ...options, max_drop: 1 }), { found: NOTHING_FOUND, withdrawals: [withdrawal] })
