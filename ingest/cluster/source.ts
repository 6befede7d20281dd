import { join, resolve } from 'node:path'
import {
  damagedFile,
  differenceOf,
  emptyStore,
  fileObject,
  type ManifestFile,
  type ObjectLocation,
  readPointer,
  readSealedManifest,
  readStoreManifest,
  readStorePointer,
  type SealedSnapshot,
  type Store,
  snapshotFolder,
  takeLease,
} from '../../engine/index.ts'
import { checkObject } from '../snapshot/pull.ts'
import { noSnapshot } from '../snapshot/snapshots.ts'
import type { TypedColumn } from './sums.ts'

/** A snapshot to load, and where nodes read its files. */
export type SnapshotSource = {
  snapshot: SealedSnapshot
  locate(file: ManifestFile): ObjectLocation
  /** Throws NOT_READY if a file is not as published. */
  check(file: ManifestFile): Promise<void>
  close(): void
}

const storeSource = async (store: Store): Promise<SnapshotSource> => {
  const pointer = await readStorePointer(store)
  if (pointer === null) throw emptyStore(store)
  return {
    snapshot: await readStoreManifest(store, pointer),
    locate: ({ sha256 }) => store.locate(fileObject(sha256)),
    check: (file) => checkObject(store, file),
    close: () => undefined,
  }
}

const lakeSource = async (lake: string): Promise<SnapshotSource> => {
  const pointer = await readPointer(lake)
  if (pointer === null) throw noSnapshot(lake)
  const { snapshot_id } = pointer
  const lease = await takeLease(lake, snapshot_id)
  const folder = resolve(snapshotFolder(lake, snapshot_id))
  try {
    return {
      snapshot: await readSealedManifest(lake, snapshot_id, pointer),
      locate: ({ path }) => ({ path: join(folder, path) }),
      check: async (file) => {
        const reason = await differenceOf(folder, file)
        if (reason !== null) throw damagedFile(lake, snapshot_id, { file: file.path, reason })
      },
      close: () => lease.release(),
    }
  } catch (cause) {
    lease.release()
    throw cause
  }
}

/** The published snapshot of a store, or of the lake in a folder. Throws NOT_READY if there is none, or its manifest is damaged. */
export const openSource = (from: Store | string): Promise<SnapshotSource> =>
  typeof from === 'string' ? lakeSource(from) : storeSource(from)

/** A text as ClickHouse reads it. */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

/**
 * Columns of a Parquet file as a table of ClickHouse, which writes the keys of a store as [HIDDEN] into its logs. Without their
 * types each file would be read twice.
 */
export const tableSql = (location: ObjectLocation, columns: readonly TypedColumn[]): string => {
  const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  if ('path' in location) return `file(${[location.path, 'Parquet', structure].map(quoted).join(', ')})`
  const { access_key_id, secret_access_key, session_token } = location.credentials
  const keys = [access_key_id, secret_access_key, ...(session_token === undefined ? [] : [session_token])]
  return `s3(${[location.url, ...keys, 'Parquet', structure].map(quoted).join(', ')})`
}

/** A text without the keys of a store: ClickHouse repeats a statement that it cannot read. */
export const withoutKeys = (text: string, location: ObjectLocation): string => {
  if ('path' in location) return text
  const { secret_access_key, session_token = secret_access_key } = location.credentials
  return text.replaceAll(secret_access_key, '[HIDDEN]').replaceAll(session_token, '[HIDDEN]')
}
