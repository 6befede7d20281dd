import { appendFileSync, closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'

/** Flushes a file, or the names in a folder, to the disk. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Replaces a file by the given parts, whole or not at all; only its owner may read it. */
export const replaceFile = (path: string, parts: Iterable<string | Uint8Array>): void => {
  const descriptor = openSync(`${path}.new`, 'w', 0o600)
  try {
    for (const part of parts) appendFileSync(descriptor, part)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(`${path}.new`, path)
  syncPath(dirname(path))
}
