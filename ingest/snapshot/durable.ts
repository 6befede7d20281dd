import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pointerText, readSealedManifest } from '../../engine/index.ts'

/** Names the path in an error: Node does so for open, but not for write or fsync. */
export const naming = (path: string) => (cause: unknown) => {
  const { message } = cause as Error
  throw message.includes(path) ? cause : new Error(`${message} '${path}'`, { cause })
}

/** Flushes a file, or the names in a folder, to the disk. */
export const sync = async (path: string): Promise<void> => {
  const opened = await open(path, 'r')
  await opened
    .sync()
    .catch(naming(path))
    .finally(() => opened.close())
}

/** Writes a whole file and flushes it; its name is durable once its folder is flushed too. */
export const writeDurably = async (path: string, text: string): Promise<void> => {
  await writeFile(path, text).catch(naming(path))
  await sync(path)
}

/**
 * Points a lake at a snapshot it holds, by its id and the SHA-256 of its manifest. Readers see the old id or the new one, nothing between; once this returns, the new one
 * outlives a loss of power. On an error the pointer is put back.
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
