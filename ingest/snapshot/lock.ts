import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { EngineError } from '../../engine/index.ts'

// A database without tables as DuckDB 1.5.5 writes it, in storage version 64, the oldest it can write.
const EMPTY_DATABASE = inflateRawSync(
  Buffer.from(
    '7dchCsJgGAbgXxxit9rXBjIGxoE28w4w/LHaPIXX8AQmo7vEwGbyGBqGCANhceF5ysvH+13gnbXHtHlcb9tqsyvDMKdVVmTF/z6u97Gu8/wQAwAAADACl+X5OX0t7t/73fP7TLqYdzEJ9j8AAADY//Y/AAAAjMUH',
    'base64',
  ),
)

// The file only carries the lock and nothing in it changes, so it has no write-ahead log. DuckDB must not fetch an
// extension for a file that looks like another database's.
const SETTINGS = {
  access_mode: 'READ_WRITE',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  threads: '1',
}

const openDatabase = (file: string): Promise<DuckDBInstance> => DuckDBInstance.create(file, SETTINGS)

/**
 * Makes the lock file a valid database, in place. A lock belongs to a file, not to its name, so a file that was removed
 * or replaced would leave two owners. Everyone writes the same bytes, so a late writer takes nothing from an owner.
 */
const writeLockFile = (file: string): void => {
  rmSync(`${file}.wal`, { force: true })
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT)
  try {
    writeFileSync(descriptor, EMPTY_DATABASE)
    ftruncateSync(descriptor, EMPTY_DATABASE.length)
  } finally {
    closeSync(descriptor)
  }
}

// What DuckDB says on Linux and macOS, and on Windows.
const isHeldElsewhere = (reason: string): boolean => /Conflicting lock is held|File is already open in/.test(reason)

const cannotLock = (reason: string): boolean => isHeldElsewhere(reason) || reason.includes('Could not set lock')

const openLockFile = async (file: string): Promise<DuckDBInstance> => {
  // DuckDB truncates a file that appears between its look and its open: it never gets to create this one.
  if (!existsSync(file)) writeLockFile(file)
  try {
    return await openDatabase(file)
  } catch (cause) {
    if (cannotLock((cause as Error).message)) throw cause
    // An empty or corrupt file, a database of a newer DuckDB: nobody of this version can hold it, so it is rewritten.
    writeLockFile(file)
    return openDatabase(file)
  }
}

const heldBy = (lake: string, pid: number | null): EngineError => {
  const owner = pid === null ? 'another process' : `process ${pid}`
  return new EngineError('NOT_READY', `${owner} is changing the lake ${lake}; retry when it exits`, { pid })
}

const refusalOf = (lake: string, cause: unknown): EngineError => {
  const { message } = cause as Error
  // The system says 0 for a process of another container, and a negative number for one of another machine.
  if (isHeldElsewhere(message)) return heldBy(lake, Number(/\bPID ([1-9]\d*)/.exec(message)?.[1]) || null)
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
    const database = await openLockFile(join(folder, 'lock.duckdb')).catch((cause: unknown) => {
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
