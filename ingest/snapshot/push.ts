import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  EngineError,
  fileObject,
  INCOMING,
  manifestObject,
  POINTER_OBJECT,
  pointerText,
  readPointer,
  readSealedManifest,
  readStorePointer,
  type SealedManifest,
  type Store,
  type StorePointer,
  storeFailureOf,
  takeLease,
  textContent,
} from '../../engine/index.ts'
import { inParallel, publishedChunks } from './copy.ts'
import { withLock } from './lock.ts'
import { discard } from './publish.ts'
import type { FileTotals } from './pull.ts'
import { noSnapshot } from './snapshots.ts'
import { anotherLake, type TransferOptions } from './transfer.ts'

export type PushOptions = Pick<TransferOptions, 'signal' | 'onProgress'> & {
  /** The snapshot to push, even if the store has a newer one; by default the one that is published. */
  snapshot_id?: string | undefined
}

/** The result of pushing a snapshot. */
export type PushReport = {
  store: string
  /** The snapshot that the pointer of the store names, and the one before; null for none. */
  snapshot_id: string
  previous: string | null
  sent: FileTotals
  /** Files that the store had. */
  present: FileTotals
  /** Whether the store refuses a write if another one came first, so that two pushes cannot interfere. */
  is_conditional: boolean
  warnings: string[]
}

const STORE_ENTRIES = new Set(['current', 'files', 'manifests', INCOMING, 'lock.duckdb', 'lost+found'])

/** Refuses a folder that is neither empty nor a store, such as a lake. */
const checkFolder = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  const unexpected = names.find((name) => !STORE_ENTRIES.has(name) && !name.startsWith('.'))
  if (unexpected === undefined) return
  const reason = `${folder} contains ${unexpected}, so it is not a store; name an empty folder or a store`
  throw new EngineError('NOT_READY', reason, { reason })
}

/** Runs work on a store; where it is a folder, while no other process pushes to it. */
const whileWriting = async <T>({ folder }: Store, work: () => Promise<T>): Promise<T> => {
  if (folder === null) return work()
  await checkFolder(folder)
  return withLock(folder, async () => {
    await discard(join(folder, INCOMING))
    return work()
  })
}

const numberOf = (id: string): number => Number.parseInt(id, 10)

/** Refuses to replace a snapshot of another lake and, unless it was named, a newer one. */
const checkSuccession = (
  store: Store,
  there: StorePointer | null,
  next: { id: string; sha256: string; isNamed: boolean },
): void => {
  if (there === null || there.manifest_sha256 === next.sha256) return
  if (numberOf(there.snapshot_id) === numberOf(next.id))
    throw anotherLake(store.name, `another ${there.snapshot_id}`, 'another store')
  if (numberOf(there.snapshot_id) < numberOf(next.id) || next.isNamed) return
  const reason = `${store.name} has ${there.snapshot_id}, which is newer than ${next.id}; to go back, name it: push ${next.id}`
  throw new EngineError('NOT_READY', reason, { reason })
}

type PushJob = { store: Store; lake: string; sealed: SealedManifest; options: PushOptions }

/** Sends the files that the store lacks, or has in another size. */
const sendFiles = async (
  { store, lake, sealed: { manifest }, options }: PushJob,
  { sent, present }: PushReport,
): Promise<void> => {
  const { snapshot_id } = manifest
  const files = [...new Map(manifest.files.map((file) => [file.sha256, file])).values()]
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  await inParallel(files, async (file) => {
    options.signal?.throwIfAborted()
    const { bytes, sha256 } = file
    const object = fileObject(sha256)
    const isPresent = (await store.size(object)) === bytes
    if (!isPresent) await store.put(object, { bytes, sha256, open: () => publishedChunks(lake, snapshot_id, file) })
    const totals = isPresent ? present : sent
    totals.files += 1
    totals.bytes += bytes
    done += bytes
    await options.onProgress?.({ done, total })
  })
}

const NOT_IMPLEMENTED = /^501\b/

/**
 * Puts the manifest, and finds out whether the store honours conditional requests: to put the same object again must be
 * refused.
 */
const sendManifest = async ({ store, sealed: { sha256, bytes } }: PushJob): Promise<boolean> => {
  const [object, content] = [manifestObject(sha256), textContent(bytes)]
  try {
    const isNew = await store.putIfAbsent(object, content)
    return !isNew || !(await store.putIfAbsent(object, content))
  } catch (cause) {
    if (!NOT_IMPLEMENTED.test(storeFailureOf(cause)?.reason ?? '')) throw cause
    await store.put(object, content)
    return false
  }
}

const isSame = (one: StorePointer | null, other: StorePointer | null): boolean =>
  one?.manifest_sha256 === other?.manifest_sha256 && one?.tag === other?.tag

/** Moves the pointer, unless another push has moved it since `there` was read. */
const movePointer = async (
  { store, sealed: { manifest, sha256 } }: PushJob,
  there: StorePointer | null,
  isConditional: boolean,
): Promise<void> => {
  const content = textContent(pointerText(manifest.snapshot_id, sha256))
  if (!isConditional || (there !== null && there.tag === null)) {
    if (isSame(await readStorePointer(store), there)) await store.put(POINTER_OBJECT, content)
  } else if (there?.tag == null) await store.putIfAbsent(POINTER_OBJECT, content)
  else await store.putIfMatch(POINTER_OBJECT, content, there.tag)
  // Also where the write was refused: a first try may have succeeded without an answer.
  const now = await readStorePointer(store)
  if (now?.manifest_sha256 === sha256) return
  const reason = `another push has moved the pointer of ${store.name} to ${now?.snapshot_id ?? 'nothing'}; check which snapshot it must name, then push that again`
  throw new EngineError('NOT_READY', reason, { reason })
}

const NOT_CONDITIONAL =
  'the store ignores conditional requests: of two pushes at the same time, either may win; run one at a time'

const pushSnapshot = async (job: PushJob): Promise<PushReport> => {
  const { store, sealed, options } = job
  const { snapshot_id } = sealed.manifest
  const there = await readStorePointer(store)
  const isNamed = options.snapshot_id !== undefined
  checkSuccession(store, there, { id: snapshot_id, sha256: sealed.sha256, isNamed })
  const nothing = { files: 0, bytes: 0 }
  const report: PushReport = {
    store: store.name,
    snapshot_id,
    previous: there?.snapshot_id ?? null,
    sent: { ...nothing },
    present: { ...nothing },
    is_conditional: true,
    warnings: [],
  }
  await sendFiles(job, report)
  report.is_conditional = await sendManifest(job)
  if (!report.is_conditional) report.warnings.push(NOT_CONDITIONAL)
  if (there?.manifest_sha256 !== sealed.sha256) await movePointer(job, there, report.is_conditional)
  return report
}

/**
 * Makes a snapshot of a lake, by default the published one, the published one of a store: sends the files that it lacks,
 * then the manifest, then the pointer. Every byte is checked against the manifest before it is sent. An interrupted push
 * is continued by the next; until the pointer moves, readers see the snapshot before. NOT_READY if a file is damaged, the
 * store fails, has a snapshot of another lake or a newer one that was not named, or another push came first.
 */
export const push = async (lake: string, store: Store, options: PushOptions = {}): Promise<PushReport> => {
  const pointer = await readPointer(lake)
  const id = options.snapshot_id ?? pointer?.snapshot_id
  if (id === undefined) throw noSnapshot(lake)
  const lease = await takeLease(lake, id)
  try {
    const sealed = await readSealedManifest(lake, id, pointer?.snapshot_id === id ? pointer : undefined)
    return await whileWriting(store, () => pushSnapshot({ store, lake, sealed, options }))
  } finally {
    lease.release()
  }
}
