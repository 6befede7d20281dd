import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EngineError } from '../contract/errors.ts'
import type { FileProblem } from './lake-error.ts'
import {
  MANIFEST_HASH,
  type Manifest,
  type ManifestFile,
  type PublishedFiles,
  readSealedManifest,
  snapshotFolder,
} from './manifest.ts'
import type { Pointer } from './pointer.ts'
import { damagedFile, differenceOf, unlistedFiles } from './verify.ts'
import { Watch } from './watch.ts'

/** A damaged file of a snapshot, or the damaged pointer; then `snapshot_id` is null if the pointer names none. */
export type Damage = FileProblem & { snapshot_id: string | null }

/** The damage that a refusal reports; undefined for any other error. */
export const damageOf = (cause: unknown): Damage | undefined => {
  if (!(cause instanceof EngineError) || cause.code !== 'NOT_READY') return undefined
  const { file, reason, snapshot_id = null } = cause.details as Partial<Damage>
  return file === undefined || reason === undefined ? undefined : { file, reason, snapshot_id }
}

const MANIFEST_FILES = ['manifest.json', MANIFEST_HASH]

const foldersOf = (path: string): string[] => (path === '.' ? [] : [dirname(path), ...foldersOf(dirname(path))])

/** Watches files of a snapshot, their folders, the manifest and its hash. */
export const watchSnapshot = (lake: string, { snapshot_id, files }: PublishedFiles): Promise<Watch> => {
  const paths = [...MANIFEST_FILES, ...files.map(({ path }) => path)]
  return Watch.of(snapshotFolder(lake, snapshot_id), [...new Set([...paths, ...paths.flatMap(foldersOf)])])
}

/** Damaged files are checked again after this time even if they seem unchanged, as when a disk is remounted. */
const RECHECK_MS = 60_000

/** Decides when to check a damaged file again: after it has changed and then remained unchanged for one check. */
export class RepairWatch {
  readonly #watch: Promise<Watch>
  #hasChanged = false
  #recheckAt = performance.now() + RECHECK_MS

  constructor(lake: string, { file, snapshot_id }: Damage) {
    const paths = snapshot_id === null ? [] : ['.', ...MANIFEST_FILES, dirname(file), file]
    const below = [...new Set(paths)].map((path) => join('snapshots', snapshot_id ?? '', path))
    this.#watch = Watch.of(lake, ['current', ...below])
  }

  async mayBeRepaired(): Promise<boolean> {
    const { paths, accept } = await (await this.#watch).changes()
    accept()
    if (paths.length > 0) {
      this.#hasChanged = true
      return false
    }
    const isDue = this.#hasChanged || performance.now() > this.#recheckAt
    if (isDue) [this.#hasChanged, this.#recheckAt] = [false, performance.now() + RECHECK_MS]
    return isDue
  }
}

/** The damage that `read` reports; null if it succeeds. */
const problemIn = async (read: () => Promise<unknown>): Promise<FileProblem | null> => {
  try {
    await read()
    return null
  } catch (cause) {
    const damage = damageOf(cause)
    if (!damage) throw cause
    return { file: damage.file, reason: damage.reason }
  }
}

/** Checks the manifest and the files at `paths`; if folders are among the paths, checks for unlisted files too. */
const findProblemAt = async (
  lake: string,
  manifest: Manifest,
  paths: ReadonlySet<string>,
  pointer?: Pointer,
): Promise<FileProblem | null> => {
  const { snapshot_id, files } = manifest
  const folder = snapshotFolder(lake, snapshot_id)
  if (MANIFEST_FILES.some((path) => paths.has(path))) {
    const problem = await problemIn(() => readSealedManifest(lake, snapshot_id, pointer))
    if (problem) return problem
  }
  const suspects = files.filter(({ path }) => paths.has(path))
  for (const file of suspects) {
    const reason = await differenceOf(folder, file)
    if (reason !== null) return { file: file.path, reason }
  }
  const [unlisted] = paths.size > suspects.length ? await unlistedFiles(folder, manifest) : []
  return unlisted ?? null
}

const filesNamedIn = (message: string, { files }: Manifest): string[] =>
  files.map(({ path }) => path).filter((path) => message.replaceAll('\\', '/').includes(path))

/** The parts of an open snapshot that are needed to find damage. */
export type Watched = { manifest: Manifest; watch: Watch }

/** Checks the files of an open snapshot that have changed since the last check, and those that a failure message names. */
export const findProblem = async (
  lake: string,
  { manifest, watch }: Watched,
  { pointer, failure = '' }: { pointer?: Pointer | undefined; failure?: string } = {},
): Promise<FileProblem | null> => {
  const { paths, accept } = await watch.changes()
  const problem = await findProblemAt(lake, manifest, new Set([...paths, ...filesNamedIn(failure, manifest)]), pointer)
  accept()
  return problem
}

/** Checks a damaged file again, and nothing else; null if it is repaired. */
export const remainingDamage = (lake: string, id: string, { file }: Damage, pointer?: Pointer) =>
  problemIn(async () => {
    const { manifest } = await readSealedManifest(lake, id, pointer)
    const problem = await findProblemAt(lake, manifest, new Set([file]))
    if (problem) throw damagedFile(lake, id, problem)
  })

const READ_FAILURE = /^(IO|Invalid|Invalid Input|Serialization|Out of Range) Error|parquet/i

/** Whether a statement failed because the process ran out of file descriptors. */
export const isOutOfFileDescriptors = (cause: unknown): boolean => /Too many open files/.test((cause as Error).message)

/** Whether a statement failed while reading files, rather than because of its SQL or its values. */
export const isReadFailure = (cause: unknown): boolean => READ_FAILURE.test((cause as Error).message)

/**
 * Whether a file of a snapshot is the very file of an open one, by a hard link, and unchanged since that was verified. A
 * change after the call is for the watch of either to detect.
 */
export const sharedFiles = async (lake: string, snapshot_id: string, { manifest, watch }: Watched) => {
  const changed = new Set((await watch.changes()).paths)
  const hashes = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]))
  const identityOf = async (id: string, path: string): Promise<string> => {
    const { dev, ino } = await lstat(join(snapshotFolder(lake, id), path), { bigint: true })
    return `${dev} ${ino}`
  }
  return async ({ path, sha256 }: ManifestFile): Promise<boolean> => {
    if (hashes.get(path) !== sha256 || changed.has(path)) return false
    const [own, other] = await Promise.all(
      [snapshot_id, manifest.snapshot_id].map((id) => identityOf(id, path).catch(() => null)),
    )
    return own !== null && own === other
  }
}
