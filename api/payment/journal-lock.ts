import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLockedElsewhere, openLockFile } from '../../engine/index.ts'
import { ConfigError } from '../ops/config.ts'

const lockError = (path: string, { message }: Error): ConfigError => {
  if (isLockedElsewhere(message)) {
    // The system reports 0 for a process of another container, and a negative number for one of another machine.
    const [, pid] = /\bPID ([1-9]\d*)/.exec(message) ?? []
    const owner = pid ? `process ${pid}` : 'another process'
    return new ConfigError(`SHELFMARK_JOURNAL: ${owner} has ${path} open; stop it, or set another file`)
  }
  const [, refused] = /Could not set lock on file ".*": ([^.,]+)/.exec(message) ?? []
  const reason = refused
    ? `its file system refuses file locks (${refused}); set a file on one that supports them`
    : message.split('\n')[0]
  return new ConfigError(`SHELFMARK_JOURNAL: cannot lock ${path}: ${reason}`)
}

// System locks belong to a process: it can take one twice, and loses it when it closes the file once.
const lockedHere = new Set<string>()

/** The real path of a file whose folder exists, with links resolved. */
const nameOf = (path: string): string => join(realpathSync.native(dirname(path)), basename(path))

/**
 * Locks a file for this process until the returned function is called or the process ends, for any reason: by the lock
 * that DuckDB takes on `FILE.lock`, which works across containers, and across machines whose file system shares locks.
 * The lock file stays: removing it while it is locked would admit a second owner. Throws ConfigError if another process
 * holds the lock, and if the file system has no locks.
 */
export const lockJournal = async (path: string): Promise<() => void> => {
  const name = nameOf(path)
  if (lockedHere.has(name))
    throw new ConfigError(`SHELFMARK_JOURNAL: process ${process.pid} has ${path} open already; set another file`)
  lockedHere.add(name)
  try {
    const database = await openLockFile(`${name}.lock`, 'READ_WRITE')
    return () => {
      database.closeSync()
      lockedHere.delete(name)
    }
  } catch (error) {
    lockedHere.delete(name)
    throw lockError(path, error as Error)
  }
}
