import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pointerText, readSealedManifest } from '../../engine/index.ts'

/** Adds the path to an error: Node does so for open, but not for write or fsync. */
export const withPath = (path: string) => (cause: unknown) => {
  const { message } = cause as Error
  throw message.includes(path) ? cause : new Error(`${message} '${path}'`, { cause })
}

/** Flushes a file, or the entries of a folder, to disk. */
export const sync = async (path: string): Promise<void> => {
  const opened = await open(path, 'r')
  await opened
    .sync()
    .catch(withPath(path))
    .finally(() => opened.close())
}

/** Writes a whole file and flushes it; its name is durable when its folder is flushed too. */
export const writeDurably = async (path: string, text: string | Uint8Array): Promise<void> => {
  await writeFile(path, text).catch(withPath(path))
  await sync(path)
}

/**
 * Points a lake at one of its snapshots, by its id and the SHA-256 of its manifest. Readers see either the old or the
 * new id; when this returns, the new one is durable. On an error the pointer is restored.
 */
export const pointTo = async (lake: string, id: string): Promise<void> => {
  const pointer = join(lake, 'current')
  const draft = join(lake, 'current.tmp')
  const before = await readFile(pointer, 'utf8').catch(() => null)
  const { sha256 } = await readSealedManifest(lake, id)
  await writeDurably(draft, pointerText(id, sha256))
  await rename(draft, pointer)
  try {
    await sync(lake)
  } catch (cause) {
    if (before === null) await rm(pointer)
    else await writeFile(draft, before).then(() => rename(draft, pointer))
    throw cause
  }
}
