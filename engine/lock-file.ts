import { closeSync, constants, existsSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'

// A database without tables as DuckDB 1.5.5 writes it, in storage version 64, the oldest it can write.
const EMPTY_DATABASE = inflateRawSync(
  Buffer.from(
    '7dchCsJgGAbgXxxit9rXBjIGxoE28w4w/LHaPIXX8AQmo7vEwGbyGBqGCANhceF5ysvH+13gnbXHtHlcb9tqsyvDMKdVVmTF/z6u97Gu8/wQAwAAADACl+X5OX0t7t/73fP7TLqYdzEJ9j8AAADY//Y/AAAAjMUH',
    'base64',
  ),
)

/** DuckDB's two locks on a database file: of one writer alone, or shared by readers. */
export type LockMode = 'READ_WRITE' | 'READ_ONLY'

// The file only carries the lock and nothing in it changes, so it has no write-ahead log. DuckDB must not fetch an
// extension for a file that looks like another database's.
const openDatabase = (file: string, access_mode: LockMode): Promise<DuckDBInstance> =>
  DuckDBInstance.create(file, {
    access_mode,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: '1',
  })

/**
 * Makes a lock file a valid database, in place. A lock belongs to a file, not to its name, so a file that was removed or
 * replaced would leave two owners. Everyone writes the same bytes, so a late writer takes nothing from an owner.
 */
export const writeLockFile = (file: string): void => {
  rmSync(`${file}.wal`, { force: true })
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT)
  try {
    writeFileSync(descriptor, EMPTY_DATABASE)
    ftruncateSync(descriptor, EMPTY_DATABASE.length)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether DuckDB refused a lock because another process holds one: what it says on Linux and macOS, and on Windows. */
export const isHeldElsewhere = (reason: string): boolean =>
  /Conflicting lock is held|File is already open in/.test(reason)

const cannotLock = (reason: string): boolean => isHeldElsewhere(reason) || reason.includes('Could not set lock')

/**
 * Takes DuckDB's lock on a lock file, which is made where it is missing and made valid where it is not. The lock is held
 * until the database is closed or the process ends, however it ends. A process may open a file once only: the system
 * drops its locks on a file as soon as it closes that file once.
 */
export const openLockFile = async (file: string, mode: LockMode): Promise<DuckDBInstance> => {
  // DuckDB truncates a file that appears between its look and its open: it never gets to create this one.
  if (!existsSync(file)) writeLockFile(file)
  try {
    return await openDatabase(file, mode)
  } catch (cause) {
    if (cannotLock((cause as Error).message)) throw cause
    // An empty or corrupt file, a database of a newer DuckDB: nobody of this version can hold it, so it is rewritten.
    writeLockFile(file)
    return openDatabase(file, mode)
  }
}
