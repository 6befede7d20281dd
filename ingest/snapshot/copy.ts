import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type ByteChunks,
  damagedFile,
  MANIFEST_HASH,
  type ManifestFile,
  manifestHashText,
  type SealedManifest,
  snapshotFolder,
  verified,
} from '../../engine/index.ts'
import { sync, withPath, writeDurably } from './durable.ts'
import { foldersIn } from './seal.ts'

export type CopyOptions = {
  signal?: AbortSignal | undefined
  /** Called with the bytes copied since the last call; copying waits for it. */
  onBytes?: ((bytes: number) => unknown) | undefined
}

/** Writes a new file and flushes it, but not its folder. */
export const writeChunks = async (to: string, chunks: ByteChunks, { signal, onBytes }: CopyOptions): Promise<void> => {
  const copy = await open(to, 'wx')
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted()
      await copy.writeFile(chunk).catch(withPath(to))
      await onBytes?.(chunk.length)
    }
    await copy.sync().catch(withPath(to))
  } finally {
    await copy.close()
  }
}

/** The bytes of a file of a snapshot, checked against the manifest. Throws NOT_READY if it is damaged. */
export async function* publishedChunks(lake: string, id: string, file: ManifestFile): AsyncGenerator<Uint8Array> {
  const damaged = (reason: string) => damagedFile(lake, id, { file: file.path, reason })
  const chunks = createReadStream(join(snapshotFolder(lake, id), file.path), { highWaterMark: 1 << 20 })
  try {
    yield* verified(chunks, file, damaged)
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? damaged('missing') : cause
  }
}

/** How many files are copied at the same time. */
const PARALLEL = 4

/** Visits a list, some entries at a time. After a failure no further one is begun; it is thrown when all have ended. */
export const inParallel = async <T>(list: readonly T[], visit: (entry: T) => Promise<void>): Promise<void> => {
  const rest = list.values()
  const failures: unknown[] = []
  const visitRest = async () => {
    for (const entry of rest) {
      if (failures.length > 0) return
      await visit(entry).catch((cause: unknown) => failures.push(cause))
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, visitRest))
  if (failures.length > 0) throw failures[0]
}

/** A snapshot to copy, which of its files, by default all, and what writes the copy of one, checked against its hash and flushed to disk. */
export type SourceSnapshot = SealedManifest & {
  files?: readonly ManifestFile[]
  write(file: ManifestFile, to: string): Promise<void>
}

/** Copies a snapshot into a folder, durably. */
export const copySnapshot = async (source: SourceSnapshot, to: string): Promise<void> => {
  const { manifest, files = manifest.files, sha256, bytes, write } = source
  await inParallel(files, async (file) => {
    const target = join(to, file.path)
    await mkdir(dirname(target), { recursive: true })
    await write(file, target)
  })
  await writeDurably(join(to, 'manifest.json'), bytes)
  await writeDurably(join(to, MANIFEST_HASH), manifestHashText(sha256))
  for (const folder of await foldersIn(to)) await sync(folder)
}
