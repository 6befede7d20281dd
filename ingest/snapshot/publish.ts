import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  currentSnapshotId,
  EngineError,
  type Manifest,
  makeLease,
  readCurrentManifest,
  readManifest,
  snapshotFolder,
  snapshotIds,
  withoutReaders,
} from '../../engine/index.ts'
import { pointTo, sync } from './durable.ts'
import { type Staged, seal } from './seal.ts'

/** A staged snapshot, and the number of snapshots that the lake keeps, including the new one. */
export type Publication = Staged & { keep?: number }

/** The id after `previous`, the newest in the lake (`snapshotIds`), which after a rollback is not the current one. */
export const nextSnapshotId = (previous: string | null, digest: string): string => {
  const sequence = previous === null ? 1 : Number.parseInt(previous, 10) + 1
  return `${String(sequence).padStart(6, '0')}-${digest.slice(0, 8)}`
}

const NO_LINK_CODES = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EMLINK'])

/** Links a file, or copies it if the file system has no hard links. */
export const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch((cause: NodeJS.ErrnoException) => {
    if (!NO_LINK_CODES.has(cause.code ?? '')) throw cause
    return copyFile(from, to, constants.COPYFILE_EXCL)
  })

/** Links an unchanged file from the previous snapshot. */
export const linkFrom = async (previousFolder: string, stagedFolder: string, path: string): Promise<void> => {
  const to = join(stagedFolder, path)
  await mkdir(dirname(to), { recursive: true })
  await linkOrCopy(join(previousFolder, path), to)
}

/** Removes a path. If that fails, returns a warning: the next run removes it as an orphan. */
export const discard = async (path: string): Promise<string[]> => {
  try {
    await rm(path, { recursive: true, force: true })
    return []
  } catch (cause) {
    return [`cannot remove ${path} (${(cause as Error).message}); the next refresh retries`]
  }
}

/** Moves the sealed folder into the lake and points the lake at it; moves it back if the pointer is unchanged. */
const moveIntoLake = async ({ lake, staged, snapshot_id }: Publication): Promise<void> => {
  const target = snapshotFolder(lake, snapshot_id)
  await mkdir(dirname(target), { recursive: true })
  makeLease(lake, snapshot_id)
  await rename(staged, target)
  try {
    await sync(dirname(target))
    await pointTo(lake, snapshot_id)
  } catch (cause) {
    const served = await currentSnapshotId(lake).catch(() => snapshot_id)
    if (served !== snapshot_id) await rename(target, staged)
    throw cause
  }
}

/** The published manifest, and failures of the clean-up afterwards. */
export type Published = { manifest: Manifest; warnings: string[] }

/**
 * Makes a staged folder the current snapshot, durably, then removes all but the newest `keep` snapshots. The caller
 * holds the lake's lock. If a step fails, the lake is unchanged, the staged folder is removed, and the error names the
 * path and the failure; after publishing, a failed removal is a warning.
 */
export const publish = async (publication: Publication): Promise<Published> => {
  const { lake, staged, snapshot_id, keep = 3 } = publication
  const previous = await readCurrentManifest(lake)
  try {
    const manifest = await seal(publication, previous)
    await moveIntoLake(publication)
    return { manifest, warnings: await pruned(lake, keep) }
  } catch (cause) {
    await discard(staged)
    const before = previous?.snapshot_id ?? null
    const served = (await currentSnapshotId(lake).catch(() => before)) ?? 'no snapshot'
    throw new Error(`snapshot ${snapshot_id} failed, the lake serves ${served}: ${(cause as Error).message}`, { cause })
  }
}

const pruned = async (lake: string, keep: number): Promise<string[]> => {
  try {
    const { in_use, warnings } = await removeOldSnapshots(lake, keep)
    return [...in_use.map((id) => `snapshot ${id} is in use and stays; the next refresh removes it`), ...warnings]
  } catch (cause) {
    return [`old snapshots stay: ${(cause as Error).message}; the next refresh removes them`]
  }
}

/** The rows that the refresh of a snapshot refused. */
export const quarantineFile = (lake: string, name: string): string => join(lake, 'quarantine', `${name}.jsonl`)

/** The result of removing snapshots. */
export type Removal = { removed: string[]; in_use: string[]; warnings: string[] }

/**
 * Removes all snapshots but the newest `keep` and the current one, and those that a process has open, with the rows that
 * their refreshes refused. The caller holds
 * the lake's lock.
 */
export const removeOldSnapshots = async (lake: string, keep: number): Promise<Removal> => {
  const current = await currentSnapshotId(lake)
  const old = (await snapshotIds(lake)).slice(keep).filter((id) => id !== current)
  const removal: Removal = { removed: [], in_use: [], warnings: [] }
  await mkdir(join(lake, 'staging'), { recursive: true })
  for (const id of old) {
    // Moves it out of `snapshots` first, atomically: an interrupted removal never leaves a partial snapshot there.
    const removed_folder = join(lake, 'staging', id)
    const isGone = await withoutReaders(lake, id, () => rename(snapshotFolder(lake, id), removed_folder))
    removal[isGone ? 'removed' : 'in_use'].push(id)
    if (!isGone) continue
    for (const path of [removed_folder, quarantineFile(lake, id)]) removal.warnings.push(...(await discard(path)))
  }
  return removal
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw cause
  })

const isIncomplete = async (lake: string, id: string): Promise<boolean> => {
  const cause: unknown = await readManifest(lake, id).then(
    () => null,
    (error: unknown) => error,
  )
  return cause instanceof EngineError && ['missing', 'not JSON'].includes(String(cause.details.reason))
}

const LEASE = /^(.+)\.duckdb$/

/** Lease files of removed snapshots. */
const idleLeases = async (lake: string): Promise<string[]> => {
  const ids = new Set(await snapshotIds(lake))
  const names = await namesIn(join(lake, 'leases'))
  return names.filter((name) => !ids.has(LEASE.exec(name)?.[1] ?? '')).map((name) => join('leases', name))
}

/**
 * Removes what an interrupted run has left: staged folders, a draft of the pointer, leases of removed snapshots, and
 * snapshot folders without a manifest, but never the current one. Returns the paths, relative to the
 * lake, and what could not be removed. The caller holds the lake's lock.
 */
export const removeOrphans = async (lake: string): Promise<{ removed: string[]; warnings: string[] }> => {
  const current = await currentSnapshotId(lake)
  const orphans = (await namesIn(join(lake, 'staging'))).map((name) => join('staging', name))
  if ((await namesIn(lake)).includes('current.tmp')) orphans.push('current.tmp')
  for (const id of await snapshotIds(lake))
    if (id !== current && (await isIncomplete(lake, id))) orphans.push(join('snapshots', id))
  orphans.push(...(await idleLeases(lake)))
  const warnings: string[] = []
  for (const path of orphans) warnings.push(...(await discard(join(lake, path))))
  return { removed: orphans, warnings }
}
