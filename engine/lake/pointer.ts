import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, damagedLake, throwIfExhausted } from './lake-error.ts'

/**
 * The content of the file `current` of a lake: the published snapshot and the SHA-256 of its manifest, which is null in
 * lakes of earlier versions.
 */
export type Pointer = { snapshot_id: string; manifest_sha256: string | null }

const POINTER = /^(\d{6,}-[0-9a-f]{8})(?: ([0-9a-f]{64}))?\n?$/

/** A pointer as text. */
export const pointerText = (snapshot_id: string, manifest_sha256: string): string =>
  `${snapshot_id} ${manifest_sha256}\n`

/** The pointer that a text is; null if it is none. */
export const parsePointer = (text: string): Pointer | null => {
  const [, snapshot_id, manifest_sha256 = null] = POINTER.exec(text) ?? []
  return snapshot_id === undefined ? null : { snapshot_id, manifest_sha256 }
}

/** The pointer of a lake; null if nothing is published. Throws NOT_READY if it is unreadable or malformed. */
export const readPointer = async (lake: string): Promise<Pointer | null> => {
  const fail = (reason: string) => damagedLake(lake, `the pointer current ${reason}`, { file: 'current', reason })
  const text = await readFile(join(lake, 'current'), 'utf8').catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null
    throwIfExhausted(cause)
    throw fail(`is unreadable: ${codeOf(cause)}`)
  })
  if (text === null) return null
  const pointer = parsePointer(text)
  if (!pointer) throw fail(`contains ${JSON.stringify(text.slice(0, 40))}, which names no snapshot`)
  return pointer
}

/** The id of the published snapshot; null if there is none. Throws NOT_READY like `readPointer`. */
export const currentSnapshotId = async (lake: string): Promise<string | null> =>
  (await readPointer(lake))?.snapshot_id ?? null
