import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLockedElsewhere, openLockFile } from '../../engine/index.ts'
import { ConfigError } from '../config.ts'

const refusalOf = (path: string, { message }: Error): ConfigError => {
  if (isLockedElsewhere(message)) {
    // The system says 0 for a process of another container, and a negative number for one of another machine.
    const [, pid] = /\bPID ([1-9]\d*)/.exec(message) ?? []
    const owner = pid ? `process ${pid}` : 'another process'
    return new ConfigError(`SHELFMARK_JOURNAL: ${owner} has ${path} open; stop it, or name another file`)
  }
  const [, refused] = /Could not set lock on file ".*": ([^.,]+)/.exec(message) ?? []
  const reason = refused
    ? `its file system refuses file locks (${refused}); name a file on one that grants them`
    : message.split('\n')[0]
  return new ConfigError(`SHELFMARK_JOURNAL: cannot lock ${path}: ${reason}`)
}

// A system's locks belong to a process: it grants one twice, and drops it as soon as the process closes the file once.
const lockedHere = new Set<string>()

/** The name of a file whose folder exists, whatever links lead there. */
const nameOf = (path: string): string => join(realpathSync.native(dirname(path)), basename(path))

/**
 * Keeps a file to this process until the returned function is called or the process ends, however it ends: by the lock
 * that DuckDB takes on `FILE.lock`, which works across containers, and across machines whose file system shares locks.
 * The lock file stays: to remove it while somebody holds it would admit a second owner. Throws ConfigError where another
 * process holds the lock, and where the file system grants none.
 */
export const lockOf = async (path: string): Promise<() => void> => {
  const name = nameOf(path)
  if (lockedHere.has(name))
    throw new ConfigError(`SHELFMARK_JOURNAL: process ${process.pid} has ${path} open already; name another file`)
  lockedHere.add(name)
  try {
    const database = await openLockFile(`${name}.lock`, 'READ_WRITE')
    return () => {
      database.closeSync()
      lockedHere.delete(name)
    }
  } catch (error) {
    lockedHere.delete(name)
    throw refusalOf(path, error as Error)
  }
}
