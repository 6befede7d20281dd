import { closeSync, constants, existsSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { DuckDBInstance } from './duckdb.ts'

// A database without tables as DuckDB 1.5.5 writes it, in storage version 64, the oldest it can write.
const EMPTY_DATABASE = inflateRawSync(
  Buffer.from(
    '7dchCsJgGAbgXxxit9rXBjIGxoE28w4w/LHaPIXX8AQmo7vEwGbyGBqGCANhceF5ysvH+13gnbXHtHlcb9tqsyvDMKdVVmTF/z6u97Gu8/wQAwAAADACl+X5OX0t7t/73fP7TLqYdzEJ9j8AAADY//Y/AAAAjMUH',
    'base64',
  ),
)

/** DuckDB's two locks on a database file: exclusive for one writer, or shared by readers. */
export type LockMode = 'READ_WRITE' | 'READ_ONLY'

// The file is only used for its lock. Its content never changes, so it has no write-ahead log. Extensions are disabled, so
// that DuckDB does not download one for a file that looks like another database's.
const openDatabase = (file: string, access_mode: LockMode): Promise<DuckDBInstance> =>
  DuckDBInstance.create(file, {
    access_mode,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: '1',
  })

/**
 * Makes a lock file a valid database, in place. A lock belongs to the file, not to its name, so removing or replacing the
 * file could result in two owners. All processes write the same bytes, so a late write does no harm.
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

/** Whether DuckDB's message, on Linux, macOS or Windows, says that another process has locked the file. */
export const isLockedElsewhere = (reason: string): boolean =>
  /Conflicting lock is held|File is already open in/.test(reason)

const cannotLock = (reason: string): boolean => isLockedElsewhere(reason) || reason.includes('Could not set lock')

/**
 * Takes DuckDB's lock on a lock file, creating or repairing the file if necessary. The lock is released when the database
 * is closed or the process ends for any reason. A process must not open a file twice: closing it once releases the lock.
 */
export const openLockFile = async (file: string, mode: LockMode): Promise<DuckDBInstance> => {
  // DuckDB truncates a file that is created between its check and its open, so the file must exist before.
  if (!existsSync(file)) writeLockFile(file)
  try {
    return await openDatabase(file, mode)
  } catch (cause) {
    if (cannotLock((cause as Error).message)) throw cause
    // The file is empty, corrupt or of a newer DuckDB. No process of this version can have locked it, so it is rewritten.
    writeLockFile(file)
    return openDatabase(file, mode)
  }
}
