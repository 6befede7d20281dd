import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, isLockedElsewhere, openLockFile } from '../../engine/index.ts'

const heldBy = (lake: string, pid: number | null): EngineError => {
  const owner = pid === null ? 'another process' : `process ${pid}`
  return new EngineError('NOT_READY', `${owner} is changing the lake ${lake}; retry when it exits`, { pid })
}

const refusalOf = (lake: string, cause: unknown): EngineError => {
  const { message } = cause as Error
  // The system says 0 for a process of another container, and a negative number for one of another machine.
  if (isLockedElsewhere(message)) return heldBy(lake, Number(/\bPID ([1-9]\d*)/.exec(message)?.[1]) || null)
  const refused = /Could not set lock on file ".*": ([^.,]+)/.exec(message)?.[1]
  const reason = refused
    ? `its file system refuses file locks (${refused}); move the lake to one that grants them`
    : message.split('\n')[0]!
  return new EngineError('NOT_READY', `cannot lock the lake ${lake}: ${reason}`, { lake, reason })
}

const makeFolder = (lake: string): string => {
  try {
    mkdirSync(lake, { recursive: true })
    return realpathSync.native(lake)
  } catch (cause) {
    throw refusalOf(lake, cause)
  }
}

// A system's locks belong to a process: it grants one twice, and drops it as soon as the process closes the file once.
const lockedHere = new Set<string>()

/**
 * Runs work that changes a lake, while no other process does; makes the lake if it is missing. It holds the lock that
 * DuckDB takes on `lock.duckdb` in the lake. That works across containers, and across machines whose file system shares
 * locks; the system releases it when the process ends, however it ends. The file stays in the lake: to remove it while
 * somebody holds it would admit a second owner. NOT_READY where another process holds the lock, naming its pid where the
 * system tells it, and where the lake cannot be made or locked. It does not nest.
 */
export const withLock = async <T>(lake: string, work: () => Promise<T>): Promise<T> => {
  const folder = makeFolder(lake)
  if (lockedHere.has(folder)) throw heldBy(lake, process.pid)
  lockedHere.add(folder)
  try {
    const database = await openLockFile(join(folder, 'lock.duckdb'), 'READ_WRITE').catch((cause: unknown) => {
      throw refusalOf(lake, cause)
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
