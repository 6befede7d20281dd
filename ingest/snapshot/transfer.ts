import { mkdir, mkdtemp, readdir, realpath, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  EngineError,
  findProblems,
  type ManifestFile,
  makeLease,
  type Pointer,
  readPointer,
  readSealedManifest,
  type SealedManifest,
  snapshotFolder,
  snapshotIds,
  takeLease,
} from '../../engine/index.ts'
import { type CopyOptions, copySnapshot, publishedChunks, writeChunks } from './copy.ts'
import { pointTo, sync } from './durable.ts'
import { withLock } from './lock.ts'
import { discard } from './publish.ts'

export type TransferOptions = Pick<CopyOptions, 'signal'> & {
  /** The snapshot to copy; by default the one that is published. */
  snapshot_id?: string | undefined
  /** Whether every snapshot is copied. */
  every?: boolean | undefined
  onProgress?: ((progress: { done: number; total: number }) => unknown) | undefined
}

/** The result of copying snapshots from one lake to another. */
export type TransferReport = {
  from: string
  to: string
  copied: { snapshot_id: string; files: number; bytes: number }[]
  /** Snapshots that the target already had, intact. */
  present: string[]
  /** Snapshots that are damaged in the source. */
  refused: { snapshot_id: string; problem: string }[]
  /** The published snapshot of the target; null for none. */
  serves: string | null
  warnings: string[]
}

/** The entries of a lake, and of the root of some file systems. */
const LAKE_ENTRIES = new Set(
  ['current', 'current.tmp', 'iceberg', 'leases', 'lock.duckdb', 'quarantine', 'snapshots', 'staging'].concat(
    'lost+found',
  ),
)

const refused = (message: string, details: Record<string, unknown> = {}): EngineError =>
  new EngineError('NOT_READY', message, details)

/** The refusal of a target that has a snapshot of another lake. */
export const anotherLake = (to: string, has: string, instead = 'an empty folder'): EngineError =>
  refused(`${to} has ${has}: it is another lake; name ${instead}`, { to })

/** Refuses a target that is neither empty nor a lake, or is another lake: restoring there would destroy it. */
export const checkTarget = async (to: string, ids: readonly string[]): Promise<void> => {
  const names = await readdir(to).catch(() => [])
  const unexpected = names.find((name) => !LAKE_ENTRIES.has(name) && !name.startsWith('.'))
  if (unexpected)
    throw refused(`${to} contains ${unexpected}, so it is not a lake; name an empty folder or a lake`, { to })
  const there = await snapshotIds(to)
  const numberOf = (id: string) => Number.parseInt(id, 10)
  for (const id of ids) {
    const other = there.find((candidate) => numberOf(candidate) === numberOf(id) && candidate !== id)
    if (other) throw anotherLake(to, `${other} instead of ${id}`)
  }
}

const checkDistinct = async (from: string, to: string): Promise<void> => {
  const [one, other] = await Promise.all([from, to].map((path) => realpath(path).catch(() => path)))
  if (one === other) throw new EngineError('INVALID_PARAMS', `${from} and ${to} are the same folder; name another`)
}

/** The ids to copy, the oldest first, and the one to point at. */
const chosen = async (from: string, pointer: Pointer | null, { snapshot_id, every }: TransferOptions) => {
  const ids = (await snapshotIds(from)).reverse()
  const current = snapshot_id ?? pointer?.snapshot_id
  if (current === undefined || ids.length === 0)
    throw refused(`there is no snapshot in ${from}; name a lake that has one`, { from })
  if (!ids.includes(current))
    throw new EngineError('NOT_FOUND', `there is no snapshot ${current} in ${from}; it has ${ids.join(', ')}`, {
      ids,
    })
  return { ids: every ? ids : [current], current }
}

/** Whether a lake has this snapshot with these files of it, by default all, undamaged: each is hashed. */
export const isIntact = async (
  lake: string,
  id: string,
  { sha256 }: SealedManifest,
  files?: readonly ManifestFile[],
): Promise<boolean> => {
  const there = await readSealedManifest(lake, id).catch(() => null)
  return there?.sha256 === sha256 && (await findProblems(lake, there.manifest, { files })).length === 0
}

/** Moves a complete copy into the lake, replacing a damaged snapshot. Returns warnings. */
export const replaceSnapshot = async (to: string, id: string, staged: string): Promise<string[]> => {
  const target = snapshotFolder(to, id)
  await mkdir(dirname(target), { recursive: true })
  makeLease(to, id)
  const replaced = `${staged}-replaced`
  const isThere = (await snapshotIds(to)).includes(id)
  if (isThere) await rename(target, replaced)
  await rename(staged, target)
  await sync(dirname(target))
  return isThere ? discard(replaced) : []
}

type CopyJob = { from: string; to: string; pointer: Pointer | null; options: TransferOptions }

/** Copies one snapshot unless the target has it, and records the result in `transfer`. NOT_READY if it is damaged. */
const copyOne = async (
  { from, to, pointer, options }: CopyJob,
  id: string,
  transfer: TransferReport,
): Promise<void> => {
  const lease = await takeLease(from, id)
  await mkdir(join(to, 'staging'), { recursive: true })
  const folder = await mkdtemp(join(to, 'staging', 'copy-'))
  try {
    const published = pointer?.snapshot_id === id ? pointer : undefined
    const sealed = await readSealedManifest(from, id, published)
    if (await isIntact(to, id, sealed)) {
      transfer.present.push(id)
      return
    }
    const { files } = sealed.manifest
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    let done = 0
    const onBytes = (bytes: number) => {
      done += bytes
      return options.onProgress?.({ done, total: Math.max(done, total) })
    }
    const staged = join(folder, id)
    const write = (file: ManifestFile, target: string) =>
      writeChunks(target, publishedChunks(from, id, file), { signal: options.signal, onBytes })
    await copySnapshot({ ...sealed, write }, staged)
    transfer.warnings.push(...(await replaceSnapshot(to, id, staged)))
    transfer.copied.push({ snapshot_id: id, files: files.length, bytes: total })
  } finally {
    lease.release()
    transfer.warnings.push(...(await discard(folder)))
  }
}

const isDamage = (cause: unknown): cause is EngineError =>
  cause instanceof EngineError && cause.details.file !== undefined

/**
 * Copies the published snapshot of a lake, one by its id, or every one to another lake, and points that at it: a backup
 * is a lake, and so is the result of restoring it. Every file is a separate copy, hashed while it is copied and flushed
 * to disk; a snapshot appears atomically, and an existing one is kept if it is intact, else replaced. Nothing else in
 * the target changes, and its lock is taken. NOT_READY if the snapshot is damaged, or the target is neither empty nor a
 * copy of this lake. With `every`, damaged snapshots are skipped and reported.
 */
export const transfer = async (from: string, to: string, options: TransferOptions = {}): Promise<TransferReport> => {
  await checkDistinct(from, to)
  const pointer = await readPointer(from)
  const { ids, current } = await chosen(from, pointer, options)
  await checkTarget(to, ids)
  return withLock(to, async () => {
    const result: TransferReport = { from, to, copied: [], present: [], refused: [], serves: null, warnings: [] }
    for (const id of ids)
      await copyOne({ from, to, pointer, options }, id, result).catch((cause: unknown) => {
        if (!isDamage(cause) || !options.every) throw cause
        result.refused.push({ snapshot_id: id, problem: cause.message })
      })
    const isThere = !result.refused.some(({ snapshot_id }) => snapshot_id === current)
    if (isThere) await pointTo(to, current)
    result.serves = (await readPointer(to))?.snapshot_id ?? null
    return result
  })
}
