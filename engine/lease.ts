import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { EngineError } from './errors.ts'
import { isHeldElsewhere, openLockFile, writeLockFile } from './lock-file.ts'

/** A reader's hold on a snapshot: while one is held, by whatever process, the snapshot is not removed. */
export type Lease = {
  release(): void
  /** Why nothing is held; null where it is. */
  problem: string | null
}

/** What this process holds of a lock file: how many readers share its one lock, or that it removes the snapshot. */
type Held = { readers: number; opening: Promise<DuckDBInstance> } | 'removing'

// A system's locks belong to a process: it grants one twice, and drops it as soon as the process closes the file once.
const held = new Map<string, Held>()

const leaseFile = (lake: string, id: string): string => join(realpathSync.native(lake), 'leases', `${id}.duckdb`)

/** Makes the file that readers of a snapshot lock, before there are any: they need not be able to write to the lake. */
export const makeLease = (lake: string, id: string): void => {
  mkdirSync(join(lake, 'leases'), { recursive: true })
  writeLockFile(leaseFile(lake, id))
}

const beingRemoved = (id: string): EngineError =>
  new EngineError('NOT_READY', `snapshot ${id} is being removed; ask again`, { snapshot_id: id })

const shared = async (file: string): Promise<() => void> => {
  const found = held.get(file)
  const entry = found ?? { readers: 0, opening: openLockFile(file, 'READ_ONLY') }
  if (entry === 'removing') throw new Error('Conflicting lock is held by this process')
  held.set(file, entry)
  entry.readers += 1
  const leave = (): boolean => {
    entry.readers -= 1
    return entry.readers === 0 && held.delete(file)
  }
  try {
    const database = await entry.opening
    return () => {
      if (leave()) database.closeSync()
    }
  } catch (cause) {
    leave()
    throw cause
  }
}

/**
 * Takes a lease on a snapshot: a shared lock on its file below `leases`, which works as that of the lake does
 * (ingest/snapshot/lock.ts), across containers and from a read-only file system. The system releases it when the process
 * ends. NOT_READY where the snapshot is being removed; where locks cannot be had there is none, with the reason.
 */
export const takeLease = async (lake: string, id: string): Promise<Lease> => {
  try {
    const file = leaseFile(lake, id)
    if (!existsSync(file)) makeLease(lake, id)
    return { release: await shared(file), problem: null }
  } catch (cause) {
    const { message } = cause as Error
    if (isHeldElsewhere(message)) throw beingRemoved(id)
    return { release: () => undefined, problem: message.split('\n')[0]! }
  }
}

/**
 * Runs work that takes a snapshot away, while nobody can open it; then its lease file goes too. False, and no work, where
 * a process has it open.
 */
export const withoutReaders = async (lake: string, id: string, work: () => Promise<void>): Promise<boolean> => {
  mkdirSync(join(lake, 'leases'), { recursive: true })
  const file = leaseFile(lake, id)
  if (held.has(file)) return false
  held.set(file, 'removing')
  try {
    const database = await openLockFile(file, 'READ_WRITE').catch((cause: Error) => {
      if (isHeldElsewhere(cause.message)) return null
      throw cause
    })
    if (database === null) return false
    try {
      await work()
    } finally {
      database.closeSync()
    }
    rmSync(file, { force: true })
    return true
  } finally {
    held.delete(file)
  }
}
