import type { OnProgress } from './cli/progress.ts'
import { DEFAULT_MEMORY_LIMIT } from './database.ts'
import { DEFAULT_MAX_QUARANTINE } from './facts/refuse.ts'
import type { Withdrawal } from './facts/withdrawal.ts'
import type { Discovery } from './feeds/discover.ts'

/** The options of a refresh or a withdrawal. */
export type BuildOptions = {
  lake: string
  /** The minimum number of products observed in 90 days for a shelf to serve. Default 25. */
  thin_below?: number | undefined
  /** DuckDB's memory, default `2GiB`; the process takes up to half as much again. */
  memory_limit?: string | undefined
  threads?: number | undefined
  /** Does everything except publishing. */
  dry_run?: boolean | undefined
  /** The number of snapshots to keep in the lake, including the new one. Default 3. */
  keep?: number | undefined
  /** Aborts the work: nothing is published, and staged files are removed. */
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

export type RefreshOptions = BuildOptions & {
  feeds: string
  /** Mapping files for a folder in another format. */
  mappings?: readonly string[] | undefined
  /** The label of the only GPC release among the feeds, if its file name does not contain it. */
  release?: string | undefined
  /** The share of a file's rows that may be refused, 0..1. Default 0.01. */
  max_quarantine?: number | undefined
  /**
   * The share of serving shelves, of observations, or of a retailer's rows against the month before, that may be lost
   * against the previous snapshot, 0..1. Default 0.5.
   */
  max_drop?: number | undefined
  /** Retailers whose deliveries are published without checking their prices and row counts. */
  accept?: readonly string[] | undefined
  /** The time of the refresh, by default the clock; observations more than a day later are refused. */
  as_of?: Date | undefined
  /** Publishes all months of price indexes again, by the prices of today, in place of those that were published before. */
  reissue_indexes?: boolean | undefined
}

export const withDefaults = (options: Omit<RefreshOptions, 'feeds'>) => ({
  ...options,
  max_quarantine: options.max_quarantine ?? DEFAULT_MAX_QUARANTINE,
  thin_below: options.thin_below ?? 25,
  max_drop: options.max_drop ?? 0.5,
  memory_limit: options.memory_limit ?? DEFAULT_MEMORY_LIMIT,
  keep: options.keep ?? 3,
  accept: options.accept ?? [],
  as_of: options.as_of ?? new Date(),
  reissue_indexes: options.reissue_indexes ?? false,
})

/** The same options with their defaults. */
export type RefreshSettings = ReturnType<typeof withDefaults>

/** A change of a lake: files to read, and rows to withdraw. */
export type LakeChange = { discovery: Discovery; withdrawals: readonly Withdrawal[] }
