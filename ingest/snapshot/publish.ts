import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  currentSnapshotId,
  EngineError,
  type Manifest,
  readCurrentManifest,
  readManifest,
  snapshotFolder,
  snapshotIds,
} from '../../engine/index.ts'
import { pointTo, sync } from './durable.ts'
import { type Staged, seal } from './seal.ts'

/** A staged snapshot, and how many snapshots the lake keeps, the new one included. */
export type Publication = Staged & { keep?: number }

/** The id after `previous`, the newest in the lake (`snapshotIds`): after a rollback that is not the current one. */
export const nextSnapshotId = (previous: string | null, digest: string): string => {
  const sequence = previous === null ? 1 : Number.parseInt(previous, 10) + 1
  return `${String(sequence).padStart(6, '0')}-${digest.slice(0, 8)}`
}

const linkless = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EMLINK'])

/** Takes an unchanged file over from the snapshot before: a hard link, or a copy where the file system has none. */
export const linkFrom = async (previousFolder: string, stagedFolder: string, path: string): Promise<void> => {
  const from = join(previousFolder, path)
  const to = join(stagedFolder, path)
  await mkdir(dirname(to), { recursive: true })
  await link(from, to).catch((cause: NodeJS.ErrnoException) => {
    if (!linkless.has(cause.code ?? '')) throw cause
    return copyFile(from, to, constants.COPYFILE_EXCL)
  })
}

// What cannot be removed now is an orphan, and the next run's.
const discard = (path: string): Promise<void> => rm(path, { recursive: true, force: true }).catch(() => undefined)

/** Moves the sealed folder to its place and points the lake at it; moves it back where the pointer stays. */
const place = async ({ lake, staged, snapshot_id }: Publication): Promise<void> => {
  const target = snapshotFolder(lake, snapshot_id)
  await mkdir(dirname(target), { recursive: true })
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

/**
 * Makes a staged folder the current snapshot, durably, then removes all but the newest `keep` snapshots. The caller holds
 * the lake's lock. Where any step fails the lake serves what it served, the staged folder is gone, and the error names
 * the path and the failure.
 */
export const publish = async (publication: Publication): Promise<Manifest> => {
  const { lake, staged, snapshot_id, keep = 3 } = publication
  const previous = await readCurrentManifest(lake)
  const current = previous?.snapshot_id ?? null
  try {
    const manifest = await seal(publication, previous)
    await place(publication)
    // The snapshot is published: names that stay are the next run's to prune.
    await removeOldSnapshots(lake, keep).catch(() => [])
    return manifest
  } catch (cause) {
    await discard(staged)
    const served = (await currentSnapshotId(lake).catch(() => current)) ?? 'no snapshot'
    throw new Error(`snapshot ${snapshot_id} failed, the lake serves ${served}: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Removes all snapshots but the newest `keep` and the current one, and returns their ids. A reader keeps the files it
 * holds open. The caller holds the lake's lock.
 */
export const removeOldSnapshots = async (lake: string, keep: number): Promise<string[]> => {
  const current = await currentSnapshotId(lake)
  const old = (await snapshotIds(lake)).slice(keep).filter((id) => id !== current)
  await mkdir(join(lake, 'staging'), { recursive: true })
  for (const id of old) {
    // Out of `snapshots` first, in one step: a removal cut short never leaves half a snapshot there.
    const leaving = join(lake, 'staging', id)
    await rename(snapshotFolder(lake, id), leaving)
    await rm(leaving, { recursive: true })
  }
  return old
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw cause
  })

const isTorn = async (lake: string, id: string): Promise<boolean> => {
  const cause: unknown = await readManifest(lake, id).then(
    () => null,
    (error: unknown) => error,
  )
  return cause instanceof EngineError && ['missing', 'not JSON'].includes(String(cause.details.reason))
}

/**
 * Removes what a run that was cut short left behind: staged folders, a draft of the pointer, and folders among the
 * snapshots without a manifest, never the current one. Returns the paths, relative to the lake. The caller holds the
 * lake's lock.
 */
export const removeOrphans = async (lake: string): Promise<string[]> => {
  const current = await currentSnapshotId(lake)
  const orphans = (await namesIn(join(lake, 'staging'))).map((name) => join('staging', name))
  if ((await namesIn(lake)).includes('current.tmp')) orphans.push('current.tmp')
  for (const id of await snapshotIds(lake))
    if (id !== current && (await isTorn(lake, id))) orphans.push(join('snapshots', id))
  for (const path of orphans) await rm(join(lake, path), { recursive: true })
  return orphans
}
