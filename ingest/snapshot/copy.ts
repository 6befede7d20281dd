import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { damagedFile, MANIFEST_HASH, type Manifest, manifestHashText, snapshotFolder } from '../../engine/index.ts'
import { sync, withPath, writeDurably } from './durable.ts'
import { foldersIn } from './seal.ts'

export type CopyOptions = {
  signal?: AbortSignal | undefined
  /** Called with the bytes copied since the last call; copying waits for it. */
  onBytes?: ((bytes: number) => unknown) | undefined
}

/** Copies and flushes a file, but not its folder, and returns the SHA-256 of the copy. */
const copyHashed = async (from: string, to: string, { signal, onBytes }: CopyOptions): Promise<string> => {
  await mkdir(dirname(to), { recursive: true })
  const hash = createHash('sha256')
  const copy = await open(to, 'wx')
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20 })) {
      signal?.throwIfAborted()
      hash.update(chunk)
      await copy.writeFile(chunk).catch(withPath(to))
      await onBytes?.(chunk.length)
    }
    await copy.sync().catch(withPath(to))
  } finally {
    await copy.close()
  }
  return hash.digest('hex')
}

/** A snapshot to copy, and the SHA-256 of its manifest. */
export type SourceSnapshot = { lake: string; manifest: Manifest; sha256: string }

/**
 * Copies a whole snapshot into an empty folder, durably, without links. NOT_READY if the hash of a file differs from
 * the manifest.
 */
export const copySnapshot = async (
  { lake, manifest, sha256 }: SourceSnapshot,
  to: string,
  options: CopyOptions = {},
): Promise<void> => {
  const { snapshot_id, files } = manifest
  const from = snapshotFolder(lake, snapshot_id)
  for (const file of [{ path: 'manifest.json', sha256 }, ...files]) {
    const copied = await copyHashed(join(from, file.path), join(to, file.path), options)
    if (copied !== file.sha256)
      throw damagedFile(lake, snapshot_id, { file: file.path, reason: 'SHA-256 not as published' })
  }
  await writeDurably(join(to, MANIFEST_HASH), manifestHashText(sha256))
  for (const folder of await foldersIn(to)) await sync(folder)
}
