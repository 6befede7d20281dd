import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  differenceOf,
  type FileProblem,
  type ManifestFile,
  readSealedManifest,
  type Store,
  snapshotFolder,
  storeFailureOf,
} from '../../engine/index.ts'
import { publishedChunks, writeChunks } from './copy.ts'
import { sync } from './durable.ts'
import { withLock } from './lock.ts'
import { discard, linkOrCopy } from './publish.ts'
import { fetchFile, filesByHash, firstIntact } from './pull.ts'
import { type Verification, verifyLake } from './snapshots.ts'

/** What was checked and repaired of a snapshot; `problems` are what is left. */
export type Repair = Verification & { repaired: string[] }

/** Where sound files are: a backup, which is a lake, or a store. */
export type RepairSource = { backup: string } | { store: Store }

/** Whether a folder is a lake rather than a store. */
export const isLake = (folder: string): Promise<boolean> =>
  stat(join(folder, 'snapshots')).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Writes a sound copy of a file, of another snapshot of the lake or else of the source. Returns why not; null if it did. */
const createCopier = async (lake: string, source: RepairSource | null) => {
  const copies = await filesByHash(lake)
  const backed = source && 'backup' in source ? await filesByHash(source.backup) : null
  return async (file: ManifestFile, to: string): Promise<string | null> => {
    const local = await firstIntact(copies.get(file.sha256) ?? [])
    if (local) {
      await linkOrCopy(join(local.folder, local.file.path), to)
      await sync(to)
      return null
    }
    const backup = await firstIntact(backed?.get(file.sha256) ?? [])
    if (backup) {
      await writeChunks(to, publishedChunks(backup.lake, backup.id, backup.file), {})
      return null
    }
    if (!source || 'backup' in source) return 'no other snapshot has it'
    try {
      await fetchFile(source.store, file, to, {})
      return null
    } catch (cause) {
      // A store that lacks the file, or has it damaged, is no reason to leave the others.
      if (storeFailureOf(cause)) return (cause as Error).message
      throw cause
    }
  }
}

type Copier = Awaited<ReturnType<typeof createCopier>>

/** Puts sound files in place of damaged and missing ones, each atomically; a reader has the one or the other. */
const repairSnapshot = async (lake: string, checked: Verification, copy: Copier): Promise<Repair> => {
  const { snapshot_id } = checked
  const folder = snapshotFolder(lake, snapshot_id)
  const sealed = await readSealedManifest(lake, snapshot_id).catch(() => null)
  const files = new Map(sealed?.manifest.files.map((file) => [file.path, file]))
  const draft = join(lake, 'staging', `repair-${snapshot_id}`)
  await mkdir(dirname(draft), { recursive: true })
  const [repaired, problems]: [string[], FileProblem[]] = [[], []]
  for (const problem of checked.problems) {
    const file = files.get(problem.file)
    await rm(draft, { force: true })
    const failure = file ? await copy(file, draft) : 'not a file of the manifest'
    if (!file || failure !== null) {
      problems.push({ file: problem.file, reason: `${problem.reason}; ${failure}` })
      continue
    }
    const target = join(folder, file.path)
    await mkdir(dirname(target), { recursive: true })
    await rename(draft, target)
    await sync(dirname(target))
    const reason = await differenceOf(folder, file)
    if (reason === null) repaired.push(file.path)
    else problems.push({ file: file.path, reason })
  }
  await discard(draft)
  return { ...checked, problems, repaired }
}

/**
 * Checks snapshots as `verifyLake`, and restores damaged and missing files by their hash: from another snapshot of the
 * lake, a backup of it or a store. A damaged manifest and files that nobody lists stay; `restore` and `pull` replace a whole
 * snapshot. Takes the lake's lock.
 */
export const repairLake = (lake: string, source: RepairSource | null, every = false): Promise<Repair[]> =>
  withLock(lake, async () => {
    const repairs: Repair[] = []
    for (const checked of await verifyLake(lake, { every }))
      repairs.push(await repairSnapshot(lake, checked, await createCopier(lake, source)))
    return repairs
  })

/** A line for each snapshot, and one for each file that was repaired or is still damaged. */
export const renderRepairs = (repairs: readonly Repair[]): string =>
  repairs
    .flatMap(({ snapshot_id, current, files, repaired, problems }) => [
      `${snapshot_id}${current ? ' (current)' : ''}: ${problems.length === 0 ? `${files} files are intact` : 'damaged'}`,
      ...repaired.map((file) => `  ${file}: repaired`),
      ...problems.map(({ file, reason }) => `  ${file}: ${reason}`),
    ])
    .join('\n')
