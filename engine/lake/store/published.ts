import { EngineError } from '../../contract/errors.ts'
import { commandLine } from '../../contract/program.ts'
import { type Fail, parseManifest, type SealedManifest, sha256OfText } from '../manifest.ts'
import { parsePointer } from '../pointer.ts'
import type { ByteChunks } from './content.ts'
import { storeFailure } from './failure.ts'
import type { Store } from './store.ts'

/** The object that names the published snapshot, in the format of the pointer of a lake. It alone changes. */
export const POINTER_OBJECT = 'current'

/** The object of the manifest with this SHA-256. */
export const manifestObject = (sha256: string): string => `manifests/${sha256}.json`

/** The object of a file of a snapshot with this SHA-256. */
export const fileObject = (sha256: string): string => `files/${sha256}`

/** The pointer of a store; the tag is null if the store reports none. */
export type StorePointer = { snapshot_id: string; manifest_sha256: string; tag: string | null }

const MAX_POINTER_BYTES = 1000
const MAX_MANIFEST_BYTES = 2 ** 28

/** Reads a small object. Throws `fail` if it is larger than the limit. */
const bytesOf = async (body: ByteChunks, limit: number, fail: Fail): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw fail(`larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The refusal of an object that is missing or differs from what was pushed. */
export const damagedObject = ({ name }: Pick<Store, 'name'>, object: string, reason: string): EngineError =>
  storeFailure(
    { store: name, object, reason, is_transient: false },
    `delete the object if it is there, then push the snapshot again: ${commandLine('refresh', `push --lake LAKE --to ${name}`)}`,
  )

/** The published snapshot of a store; null if nothing was pushed to it. NOT_READY for a pointer that names no snapshot. */
export const readStorePointer = (store: Store): Promise<StorePointer | null> =>
  store.get(POINTER_OBJECT, async ({ body, tag }) => {
    const fail: Fail = (reason) => damagedObject(store, POINTER_OBJECT, reason)
    const text = (await bytesOf(body, MAX_POINTER_BYTES, fail)).toString()
    const pointer = parsePointer(text)
    if (!pointer?.manifest_sha256) throw fail(`contains ${JSON.stringify(text.slice(0, 40))}, which names no snapshot`)
    return { snapshot_id: pointer.snapshot_id, manifest_sha256: pointer.manifest_sha256, tag }
  })

/** The refusal of a store to which nothing was pushed. */
export const emptyStore = (store: Store): EngineError =>
  new EngineError(
    'NOT_READY',
    `there is no snapshot in ${store.name}. To push one, run: ${commandLine('refresh', `push --lake LAKE --to ${store.name}`)}`,
    { reason: 'nothing was pushed' },
  )

/** The manifest that a pointer names, checked against its hash. NOT_READY if it is missing or damaged. */
export const readStoreManifest = async (
  store: Store,
  { snapshot_id, manifest_sha256 }: StorePointer,
): Promise<SealedManifest> => {
  const object = manifestObject(manifest_sha256)
  const fail: Fail = (reason) => damagedObject(store, object, reason)
  const bytes = await store.get(object, ({ body }) => bytesOf(body, MAX_MANIFEST_BYTES, fail))
  if (bytes === null) throw fail('missing')
  if (sha256OfText(bytes) !== manifest_sha256) throw fail('SHA-256 not as published')
  return { manifest: parseManifest(store.name, snapshot_id, bytes, fail), sha256: manifest_sha256, bytes }
}
