import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { codeOf } from '../lake-error.ts'
import type { ObjectContent } from './content.ts'
import type { Store } from './store.ts'

/** The subfolder of objects that are being written. */
export const INCOMING = 'incoming'

const syncFolder = async (folder: string): Promise<void> => {
  const opened = await open(folder, 'r')
  await opened.sync().finally(() => opened.close())
}

const writeWhole = async (path: string, { open: contents }: ObjectContent): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx')
  try {
    for await (const chunk of contents()) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The size of a file, and a tag that is another after the file was replaced; null if there is no file. */
const stateOf = async (path: string): Promise<{ bytes: number; tag: string } | null> => {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    return { bytes: Number(size), tag: [ino, size, mtimeNs].join('-') }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null
    throw cause
  }
}

/**
 * A store in a folder. Objects are flushed to disk before they appear under their names. Conditional writes are safe
 * while the writer holds the lock of the folder. Errors of the file system are thrown as they are.
 */
export const folderStore = (folder: string): Store => {
  const put = async (object: string, content: ObjectContent): Promise<void> => {
    const target = join(folder, object)
    const draft = join(folder, INCOMING, randomBytes(8).toString('hex'))
    try {
      await writeWhole(draft, content)
      await mkdir(dirname(target), { recursive: true })
      await rename(draft, target)
    } catch (cause) {
      await rm(draft, { force: true })
      throw cause
    }
    await syncFolder(dirname(target))
  }
  /** Puts an object if the one that is there has this tag. */
  const putIf = async (object: string, content: ObjectContent, tag: string | null): Promise<boolean> => {
    const state = await stateOf(join(folder, object))
    if ((state?.tag ?? null) !== tag) return false
    await put(object, content)
    return true
  }
  return {
    name: folder,
    folder,
    locate: (object) => ({ path: resolve(folder, object) }),
    async get(object, consume) {
      const path = join(folder, object)
      const state = await stateOf(path)
      return state && consume({ body: createReadStream(path, { highWaterMark: 1 << 20 }), tag: state.tag })
    },
    size: async (object) => (await stateOf(join(folder, object)))?.bytes ?? null,
    put,
    putIfAbsent: (object, content) => putIf(object, content, null),
    putIfMatch: putIf,
  }
}
