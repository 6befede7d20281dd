import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { giveWay } from '../contract/turn.ts'
import { codeOf, damagedLake, type FileProblem, throwIfExhausted } from './lake-error.ts'
import { MANIFEST_HASH, type Manifest, type ManifestFile, snapshotFolder, staysInside } from './manifest.ts'

export type VerifyOptions = {
  onProgress?: ((progress: { files: number; bytes: number }) => void) | undefined
  /** The files that must be there; default all of the manifest. */
  files?: readonly ManifestFile[] | undefined
  /** Whether a file is known to be sound, so that it is not hashed again. */
  isSound?: ((file: ManifestFile) => Promise<boolean>) | undefined
}

/** What is read at once, and the size up to which a file is small. */
const PART_BYTES = 1 << 18

/** Called with the number of bytes just hashed; hashing continues when the promise resolves. */
export type Pace = (bytes: number) => Promise<void>

const hashInParts = async (path: string, pace?: Pace): Promise<string> => {
  const hash = createHash('sha256')
  const file = await open(path)
  try {
    const buffer = new Uint8Array(PART_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
      await pace?.(bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** The SHA-256 of a file, in hexadecimal. */
export const sha256Of = async (path: string, pace?: Pace): Promise<string> => {
  if (statSync(path).size > PART_BYTES) return hashInParts(path, pace)
  // Most files of a snapshot are small, and each call that another thread answers costs more than reading and hashing one.
  await giveWay()
  const bytes = readFileSync(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await pace?.(bytes.length)
  return sha256
}

/** Visits a list two entries at a time, so that one file is read while another is hashed. */
export const inPairs = async <T>(list: readonly T[], visit: (entry: T) => Promise<void>): Promise<void> => {
  const rest = list.values()
  const visitRest = async () => {
    for (const entry of rest) await visit(entry)
  }
  await Promise.all([visitRest(), visitRest()])
}

/** The files in a folder and its subfolders, as sorted relative paths with forward slashes. */
export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}

/** How a file differs from its entry in the manifest; null if it does not. */
export const differenceOf = async (folder: string, file: ManifestFile, pace?: Pace): Promise<string | null> => {
  if (!staysInside(file.path)) return 'leaves the snapshot folder'
  const path = join(folder, file.path)
  try {
    // A symbolic link could lead out of the snapshot.
    const stats = lstatSync(path)
    if (!stats.isFile()) return 'not a file'
    if (stats.size !== file.bytes) return `${stats.size} bytes instead of ${file.bytes}`
    return (await sha256Of(path, pace)) === file.sha256 ? null : 'SHA-256 not as published'
  } catch (cause) {
    throwIfExhausted(cause)
    return codeOf(cause) === 'ENOENT' ? 'missing' : `unreadable: ${codeOf(cause)}`
  }
}

/** The files in a snapshot's folder that its manifest does not list. */
export const unlistedFiles = async (folder: string, manifest: Manifest): Promise<FileProblem[]> => {
  const listed = new Set(['manifest.json', MANIFEST_HASH, ...manifest.files.map((file) => file.path)])
  try {
    const paths = await filesBelow(folder)
    return paths.filter((file) => !listed.has(file)).map((file) => ({ file, reason: 'not in the manifest' }))
  } catch (cause) {
    throwIfExhausted(cause)
    return [{ file: '.', reason: `unreadable: ${codeOf(cause)}` }]
  }
}

/**
 * The files of a snapshot that differ from its manifest in presence, size or SHA-256, and those the manifest does not
 * list. Sorted by file; empty for a sound snapshot. Throws NOT_READY if the process has no file descriptors left.
 */
export const findProblems = async (
  lake: string,
  manifest: Manifest,
  { files = manifest.files, onProgress, isSound }: VerifyOptions = {},
): Promise<FileProblem[]> => {
  const folder = snapshotFolder(lake, manifest.snapshot_id)
  const problems = await unlistedFiles(folder, manifest)
  const progress = { files: 0, bytes: 0 }
  await inPairs(files, async (file) => {
    const reason = (await isSound?.(file)) ? null : await differenceOf(folder, file)
    if (reason !== null) problems.push({ file: file.path, reason })
    progress.files += 1
    progress.bytes += file.bytes
    onProgress?.({ ...progress })
  })
  return problems.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** The refusal of a snapshot with a damaged file. */
export const damagedFile = (lake: string, snapshot_id: string, { file, reason }: FileProblem) =>
  damagedLake(lake, `snapshot ${snapshot_id}: ${file}: ${reason}`, { file, reason, snapshot_id })

/** Throws NOT_READY if a snapshot is damaged (see `findProblems`), naming the first damaged file and what to run. */
export const verifySnapshot = async (lake: string, manifest: Manifest, options: VerifyOptions = {}): Promise<void> => {
  const [first] = await findProblems(lake, manifest, options)
  if (first) throw damagedFile(lake, manifest.snapshot_id, first)
}
