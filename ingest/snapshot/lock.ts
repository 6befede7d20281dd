import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, isLockedElsewhere, openLockFile } from '../../engine/index.ts'

const lockedBy = (lake: string, pid: number | null): EngineError => {
  const owner = pid === null ? 'another process' : `process ${pid}`
  return new EngineError('NOT_READY', `${owner} is changing the lake ${lake}; retry when it exits`, { pid })
}

const lockError = (lake: string, cause: unknown): EngineError => {
  const { message } = cause as Error
  // The system reports 0 for a process of another container, and a negative number for one of another machine.
  if (isLockedElsewhere(message)) return lockedBy(lake, Number(/\bPID ([1-9]\d*)/.exec(message)?.[1]) || null)
  const refused = /Could not set lock on file ".*": ([^.,]+)/.exec(message)?.[1]
  const reason = refused
    ? `its file system refuses file locks (${refused}); move the lake to one that supports them`
    : message.split('\n')[0]!
  return new EngineError('NOT_READY', `cannot lock the lake ${lake}: ${reason}`, { lake, reason })
}

const createFolder = (lake: string): string => {
  try {
    mkdirSync(lake, { recursive: true })
    return realpathSync.native(lake)
  } catch (cause) {
    throw lockError(lake, cause)
  }
}

// System locks belong to a process: it can take one twice, and loses it when it closes the file once.
const lockedHere = new Set<string>()

/**
 * Runs work that changes a lake, while no other process does; creates the lake if it is missing. It holds the lock that
 * DuckDB takes on `lock.duckdb` in the lake. That works across containers, and across machines whose file system shares
 * locks; the system releases it when the process ends for any reason. The file stays in the lake: removing it while it
 * is locked would admit a second owner. NOT_READY if another process holds the lock, with its pid if the system reports
 * it, and if the lake cannot be created or locked. Calls cannot be nested.
 */
export const withLock = async <T>(lake: string, work: () => Promise<T>): Promise<T> => {
  const folder = createFolder(lake)
  if (lockedHere.has(folder)) throw lockedBy(lake, process.pid)
  lockedHere.add(folder)
  try {
    const database = await openLockFile(join(folder, 'lock.duckdb'), 'READ_WRITE').catch((cause: unknown) => {
      throw lockError(lake, cause)
    })
    try {
      return await work()
    } finally {
      database.closeSync()
    }
  } finally {
    lockedHere.delete(folder)
  }
}
