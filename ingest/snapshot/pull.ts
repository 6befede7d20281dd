import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  currentSnapshotId,
  damagedObject,
  differenceOf,
  emptyStore,
  fileObject,
  type ManifestFile,
  readSealedManifest,
  readStoreManifest,
  readStorePointer,
  type SealedManifest,
  type Store,
  snapshotFolder,
  snapshotIds,
  storeFailureOf,
  verified,
  withoutFacts,
} from '../../engine/index.ts'
import { type CopyOptions, copySnapshot, writeChunks } from './copy.ts'
import { pointTo, sync } from './durable.ts'
import { withLock } from './lock.ts'
import { discard, linkOrCopy, removeOldSnapshots } from './publish.ts'
import { anotherLake, checkTarget, isIntact, replaceSnapshot, type TransferOptions } from './transfer.ts'

export type PullOptions = Pick<TransferOptions, 'signal' | 'onProgress'> & {
  /** The number of snapshots that the lake keeps, including the pulled one. Default 3. */
  keep?: number | undefined
  /** Leaves out the files of observed prices: enough for a service whose cluster has these. */
  without_facts?: boolean | undefined
}

/** A number of files and their bytes. */
export type FileTotals = { files: number; bytes: number }

/** The result of pulling a snapshot. */
export type PullReport = {
  store: string
  lake: string
  /** The snapshot that the lake serves, and the one before; null for none. */
  snapshot_id: string
  previous: string | null
  /** Files from the store. */
  fetched: FileTotals
  /** Files that the lake had in another snapshot, or from an interrupted pull. */
  reused: FileTotals
  /** Whether the lake had the whole snapshot. */
  is_present: boolean
  removed: string[]
  warnings: string[]
}

const count = (totals: FileTotals, { bytes }: ManifestFile): void => {
  totals.files += 1
  totals.bytes += bytes
}

/** A file of a snapshot, as its manifest lists it. */
export type LocalFile = { lake: string; id: string; folder: string; file: ManifestFile }

/** The files of a lake's snapshots by their SHA-256, those of the newest first. */
export const filesByHash = async (lake: string): Promise<Map<string, LocalFile[]>> => {
  const byHash = new Map<string, LocalFile[]>()
  for (const id of await snapshotIds(lake)) {
    const sealed = await readSealedManifest(lake, id).catch(() => null)
    for (const file of sealed?.manifest.files ?? [])
      byHash.set(file.sha256, [
        ...(byHash.get(file.sha256) ?? []),
        { lake, id, folder: snapshotFolder(lake, id), file },
      ])
  }
  return byHash
}

/** An undamaged file among these; undefined if there is none. */
export const firstIntact = async (files: readonly LocalFile[]): Promise<LocalFile | undefined> => {
  for (const local of files) if ((await differenceOf(local.folder, local.file)) === null) return local
  return undefined
}

/** Gets a file from a store, and checks every byte of it. */
export const fetchFile = async (store: Store, file: ManifestFile, to: string, options: CopyOptions): Promise<void> => {
  const object = fileObject(file.sha256)
  const damaged = (reason: string) => damagedObject(store, object, reason)
  const isFound = await store.get(object, async ({ body }) => {
    // A retry replaces what a broken connection has left.
    await rm(to, { force: true })
    await writeChunks(to, verified(body, file, damaged), options)
    return true
  })
  if (!isFound) throw damaged('missing')
}

/** Reads a file from a store, and checks every byte of it. Throws NOT_READY if it is missing or damaged. */
export const checkObject = async (store: Store, file: ManifestFile): Promise<void> => {
  const object = fileObject(file.sha256)
  const damaged = (reason: string) => damagedObject(store, object, reason)
  const isFound = await store.get(object, async ({ body }) => {
    for await (const _ of verified(body, file, damaged));
    return true
  })
  if (!isFound) throw damaged('missing')
}

/** What stages a file: from an earlier try of this pull, from another snapshot of the lake, or from the store. */
const createWriter = async (store: Store, lake: string, staged: string, report: PullReport, options: CopyOptions) => {
  const local = await filesByHash(lake)
  return async (file: ManifestFile, to: string): Promise<void> => {
    options.signal?.throwIfAborted()
    const isStaged = (await differenceOf(staged, file)) === null
    const copy = isStaged ? undefined : await firstIntact(local.get(file.sha256) ?? [])
    if (!isStaged) await rm(to, { force: true })
    if (copy) {
      await linkOrCopy(join(copy.folder, copy.file.path), to)
      await sync(to)
    }
    if (isStaged || copy) {
      count(report.reused, file)
      await options.onBytes?.(file.bytes)
      return
    }
    await fetchFile(store, file, to, options)
    count(report.fetched, file)
  }
}

/** Removes what other interrupted changes of the lake have left, but not the folder with this name. */
const clearStaging = async (lake: string, keep: string): Promise<string[]> => {
  const staging = join(lake, 'staging')
  await mkdir(staging, { recursive: true })
  const others = (await readdir(staging)).filter((name) => name !== keep)
  return (await Promise.all(others.map((name) => discard(join(staging, name))))).flat()
}

/** Stages a snapshot and moves it into the lake. If the store fails, the files that were fetched stay for the next pull. */
const place = async (
  store: Store,
  lake: string,
  sealed: SealedManifest,
  report: PullReport,
  files: readonly ManifestFile[],
  { signal, onProgress }: PullOptions,
): Promise<void> => {
  // Staged files of another manifest would be no part of the snapshot.
  const name = `pull-${sealed.sha256.slice(0, 16)}`
  report.warnings.push(...(await clearStaging(lake, name)))
  const staged = join(lake, 'staging', name)
  await mkdir(staged, { recursive: true })
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    return onProgress?.({ done, total: Math.max(done, total) })
  }
  try {
    const write = await createWriter(store, lake, staged, report, { signal, onBytes })
    await copySnapshot({ ...sealed, files, write }, staged)
    report.warnings.push(...(await replaceSnapshot(lake, sealed.manifest.snapshot_id, staged)))
  } catch (cause) {
    if (!storeFailureOf(cause) && !signal?.aborted) await discard(staged)
    throw cause
  }
}

/**
 * Makes the published snapshot of a store the current one of a lake. Files that the lake has in any snapshot are linked,
 * the others are fetched; every byte is checked before the snapshot appears, atomically and durably, and older ones are
 * removed. Takes the lake's lock. NOT_READY, with the lake unchanged, if an object is missing or damaged, the store
 * fails, or the lake is not a copy of the one that was pushed.
 */
export const pull = async (store: Store, lake: string, options: PullOptions = {}): Promise<PullReport> => {
  const pointer = await readStorePointer(store)
  if (pointer === null) throw emptyStore(store)
  const { snapshot_id } = pointer
  const sealed = await readStoreManifest(store, pointer)
  const files = options.without_facts ? withoutFacts(sealed.manifest) : sealed.manifest.files
  await checkTarget(lake, [snapshot_id])
  return withLock(lake, async () => {
    const there = await readSealedManifest(lake, snapshot_id).catch(() => null)
    if (there && there.sha256 !== sealed.sha256) throw anotherLake(lake, `another ${snapshot_id}`)
    const report: PullReport = {
      store: store.name,
      lake,
      snapshot_id,
      previous: await currentSnapshotId(lake).catch(() => null),
      fetched: { files: 0, bytes: 0 },
      reused: { files: 0, bytes: 0 },
      is_present: await isIntact(lake, snapshot_id, sealed, files),
      removed: [],
      warnings: [],
    }
    if (!report.is_present) await place(store, lake, sealed, report, files, options)
    await pointTo(lake, snapshot_id)
    const { removed, in_use, warnings } = await removeOldSnapshots(lake, options.keep ?? 3)
    const kept = in_use.map((id) => `snapshot ${id} is in use and stays; the next pull removes it`)
    return { ...report, removed, warnings: [...report.warnings, ...kept, ...warnings] }
  })
}
