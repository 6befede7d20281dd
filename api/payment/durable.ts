import { appendFileSync, closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'

/** Flushes a file, or the entries of a folder, to disk. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Atomically replaces a file by the given parts; only its owner may read it. */
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

/** Makes callers that arrive while a flush is under way share the next one. */
export const shareFlushes = (flush: () => Promise<void>): (() => Promise<void>) => {
  let turn = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= turn
      .catch(() => {})
      .then(() => {
        turn = next ?? turn
        next = undefined
        return flush()
      })
    return next
  }
}
