import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { EngineError } from '../contract/errors.ts'
import { isLockedElsewhere, openLockFile, writeLockFile } from './lock-file.ts'

/** Protects a snapshot from removal while a reader, in any process, uses it. */
export type Lease = {
  release(): void
  /** Why the lease could not be taken; null if it was. */
  problem: string | null
}

/** This process's use of a lock file: the readers that share its one lock, or the removal of the snapshot. */
type LeaseState = { readers: number; opening: Promise<DuckDBInstance> } | 'removing'

// File locks belong to the process: opening a file twice succeeds, and closing it once releases the lock.
const leases = new Map<string, LeaseState>()

const leaseFile = (lake: string, id: string): string => join(realpathSync.native(lake), 'leases', `${id}.duckdb`)

/** Creates the file that readers of a snapshot lock, in advance, so that readers need no write access to the lake. */
export const makeLease = (lake: string, id: string): void => {
  mkdirSync(join(lake, 'leases'), { recursive: true })
  writeLockFile(leaseFile(lake, id))
}

const beingRemoved = (id: string): EngineError =>
  new EngineError('NOT_READY', `snapshot ${id} is being removed; retry`, { snapshot_id: id })

const shared = async (file: string): Promise<() => void> => {
  const held = leases.get(file)
  const entry = held ?? { readers: 0, opening: openLockFile(file, 'READ_ONLY') }
  if (entry === 'removing') throw new Error('Conflicting lock is held by this process')
  leases.set(file, entry)
  entry.readers += 1
  /** Counts one reader less; returns whether it was the last. */
  const removeReader = (): boolean => {
    entry.readers -= 1
    return entry.readers === 0 && leases.delete(file)
  }
  try {
    const database = await entry.opening
    return () => {
      if (removeReader()) database.closeSync()
    }
  } catch (cause) {
    removeReader()
    throw cause
  }
}

/**
 * Takes a lease on a snapshot: a shared lock on its file in `leases`, which works across containers and on a read-only
 * file system, like the lock of the lake (ingest/snapshot/lock.ts). The system releases it when the process ends. Throws
 * NOT_READY if the snapshot is being removed. Where locks are not available the lease is empty and has a `problem`.
 */
export const takeLease = async (lake: string, id: string): Promise<Lease> => {
  try {
    const file = leaseFile(lake, id)
    if (!existsSync(file)) makeLease(lake, id)
    return { release: await shared(file), problem: null }
  } catch (cause) {
    const { message } = cause as Error
    if (isLockedElsewhere(message)) throw beingRemoved(id)
    return { release: () => undefined, problem: message.split('\n')[0]! }
  }
}

/**
 * Runs work that removes a snapshot while no reader can open it, then removes its lease file. Returns false without
 * running the work if a process has the snapshot open.
 */
export const withoutReaders = async (lake: string, id: string, work: () => Promise<void>): Promise<boolean> => {
  mkdirSync(join(lake, 'leases'), { recursive: true })
  const file = leaseFile(lake, id)
  if (leases.has(file)) return false
  leases.set(file, 'removing')
  try {
    const database = await openLockFile(file, 'READ_WRITE').catch((cause: Error) => {
      if (isLockedElsewhere(cause.message)) return null
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
    leases.delete(file)
  }
}
