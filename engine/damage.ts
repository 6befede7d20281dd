import { dirname, join } from 'node:path'
import { EngineError } from './errors.ts'
import type { FileProblem } from './lake-error.ts'
import { MANIFEST_HASH, type Manifest, readSealedManifest, snapshotFolder } from './manifest.ts'
import type { Pointer } from './pointer.ts'
import { damagedFile, differenceOf, strayFiles } from './verify.ts'
import { Watch } from './watch.ts'

/** What is not as it was published, a file of a snapshot or the pointer: that may name none. */
export type Damage = FileProblem & { snapshot_id: string | null }

/** The damage that a refusal reports; undefined for any other error. */
export const damageOf = (cause: unknown): Damage | undefined => {
  if (!(cause instanceof EngineError) || cause.code !== 'NOT_READY') return undefined
  const { file, reason, snapshot_id = null } = cause.details as Partial<Damage>
  return file === undefined || reason === undefined ? undefined : { file, reason, snapshot_id }
}

const VOUCHING = ['manifest.json', MANIFEST_HASH]

const foldersOf = (path: string): string[] => (path === '.' ? [] : [dirname(path), ...foldersOf(dirname(path))])

/** All that a snapshot consists of: its files, the folders they lie in, and what vouches for them. */
export const watchSnapshot = (lake: string, { snapshot_id, files }: Manifest): Promise<Watch> => {
  const paths = [...VOUCHING, ...files.map(({ path }) => path)]
  return Watch.of(snapshotFolder(lake, snapshot_id), [...new Set([...paths, ...paths.flatMap(foldersOf)])])
}

/** Damaged files are checked again after this time even if they look unchanged, as after a disk comes back. */
const AGAIN_MS = 60_000

/** Decides when to check a damaged file again: after it has changed and then remained unchanged for one check. */
export class RepairWatch {
  readonly #watch: Promise<Watch>
  #hasChanged = false
  #again = performance.now() + AGAIN_MS

  constructor(lake: string, { file, snapshot_id }: Damage) {
    const paths = snapshot_id === null ? [] : ['.', ...VOUCHING, dirname(file), file]
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
    const isDue = this.#hasChanged || performance.now() > this.#again
    if (isDue) [this.#hasChanged, this.#again] = [false, performance.now() + AGAIN_MS]
    return isDue
  }
}

/** What `read` refuses as damaged; null where it reads. */
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

/** What the manifest and some of the files of a snapshot lack; where folders are among the paths, names in them too. */
const findProblemAt = async (
  lake: string,
  manifest: Manifest,
  paths: ReadonlySet<string>,
  pointer?: Pointer,
): Promise<FileProblem | null> => {
  const { snapshot_id, files } = manifest
  const folder = snapshotFolder(lake, snapshot_id)
  if (VOUCHING.some((path) => paths.has(path))) {
    const problem = await problemIn(() => readSealedManifest(lake, snapshot_id, pointer))
    if (problem) return problem
  }
  const suspects = files.filter(({ path }) => paths.has(path))
  for (const file of suspects) {
    const reason = await differenceOf(folder, file)
    if (reason !== null) return { file: file.path, reason }
  }
  const [stray] = paths.size > suspects.length ? await strayFiles(folder, manifest) : []
  return stray ?? null
}

const namedIn = (message: string, { files }: Manifest): string[] =>
  files.map(({ path }) => path).filter((path) => message.replaceAll('\\', '/').includes(path))

/** An open snapshot as far as damage goes. */
export type Watched = { manifest: Manifest; watch: Watch }

/** What is damaged of an open snapshot, of what has changed since it was last looked at, and of what a failure names. */
export const findProblem = async (
  lake: string,
  { manifest, watch }: Watched,
  { pointer, failure = '' }: { pointer?: Pointer | undefined; failure?: string } = {},
): Promise<FileProblem | null> => {
  const { paths, accept } = await watch.changes()
  const problem = await findProblemAt(lake, manifest, new Set([...paths, ...namedIn(failure, manifest)]), pointer)
  accept()
  return problem
}

/** Whether what was damaged still is, looking at nothing else; the damage there is now. */
export const damageLeft = (lake: string, id: string, { file }: Damage, pointer?: Pointer) =>
  problemIn(async () => {
    const { manifest } = await readSealedManifest(lake, id, pointer)
    const problem = await findProblemAt(lake, manifest, new Set([file]))
    if (problem) throw damagedFile(lake, id, problem)
  })

const OF_FILES = /^(IO|Invalid|Invalid Input|Serialization|Out of Range) Error|parquet/i

/** Whether a statement failed for want of file descriptors, which says nothing about the files. */
export const isForWantOfFiles = (cause: unknown): boolean => /Too many open files/.test((cause as Error).message)

/** Whether a statement failed over what it read, rather than over what it was asked. */
export const isOfFiles = (cause: unknown): boolean => OF_FILES.test((cause as Error).message)
