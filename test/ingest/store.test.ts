import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  currentSnapshotId,
  fileObject,
  manifestObject,
  openStore,
  readPointer,
  readSealedManifest,
  readStorePointer,
  type Store,
  snapshotFolder,
  snapshotIds,
  takeLease,
} from '../../engine/index.ts'
import { pull } from '../../ingest/snapshot/pull.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { prune, rollback, verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { emptyLake } from './empty-lake.ts'
import { contentsOf, publishContents, publishNth } from './small-lake.ts'

let objects: ObjectStore
let prefixes = 0
beforeAll(async () => {
  objects = await startObjectStore()
})
beforeEach(() => {
  objects.fault = () => undefined
  objects.isConditional = true
  prefixes += 1
})

/** A new store of each kind, and where its objects are as files. */
const kinds: [kind: string, open: () => Promise<{ store: Store; pathOf(object: string): string }>][] = [
  [
    'a folder',
    async () => {
      const folder = await emptyLake()
      return { store: openStore(folder), pathOf: (object) => join(folder, object) }
    },
  ],
  [
    'a bucket',
    async () => {
      const prefix = `p ${prefixes}/lake`
      const pathOf = (object: string) => join(objects.folder, prefix, object)
      return { store: objects.open(prefix), pathOf }
    },
  ],
]

const LISTINGS = 'listings/country=us/part-0.parquet'
const hashOf = async (lake: string, path: string): Promise<string> => {
  const { manifest } = await readSealedManifest(lake, (await currentSnapshotId(lake))!)
  return manifest.files.find((file) => file.path === path)!.sha256
}
const problemsIn = async (lake: string) => (await verifyLake(lake, { every: true })).flatMap(({ problems }) => problems)
const expectSameSnapshot = async (lake: string, replica: string): Promise<void> => {
  expect(await readPointer(replica)).toEqual(await readPointer(lake))
  expect(await problemsIn(replica)).toEqual([])
  expect(await readdir(join(replica, 'staging'))).toEqual([])
}

describe.each(kinds)('%s as a store', (_, open) => {
  it('carries a snapshot to another lake, and then only what is new', async () => {
    const [lake, replica] = [await emptyLake(), await emptyLake()]
    const { store } = await open()
    const first = await publishNth(lake, 1)
    expect(await push(lake, store)).toEqual({
      store: store.name,
      snapshot_id: first.snapshot_id,
      previous: null,
      sent: { files: 4, bytes: 10 + 10 + 9 + 10 },
      present: { files: 0, bytes: 0 },
      is_conditional: true,
      warnings: [],
    })
    expect(await pull(store, replica)).toMatchObject({ previous: null, fetched: { files: 4 }, reused: { files: 0 } })
    await expectSameSnapshot(lake, replica)

    const second = await publishNth(lake, 2)
    expect(await push(lake, store)).toMatchObject({
      previous: first.snapshot_id,
      sent: { files: 2, bytes: 10 + 10 },
      present: { files: 2, bytes: 10 + 9 },
    })
    expect(await pull(store, replica)).toMatchObject({
      snapshot_id: second.snapshot_id,
      previous: first.snapshot_id,
      fetched: { files: 2, bytes: 10 + 10 },
      reused: { files: 2, bytes: 10 + 9 },
      is_present: false,
    })
    await expectSameSnapshot(lake, replica)
    const kept = join(snapshotFolder(replica, second.snapshot_id), 'categories.parquet')
    expect((await stat(kept)).nlink).toBe(2)
  })

  it('is unchanged by a second push, and a second pull fetches nothing', async () => {
    const [lake, replica] = [await emptyLake(), await emptyLake()]
    const { store, pathOf } = await open()
    await publishNth(lake, 1)
    await push(lake, store)
    const before = await stat(pathOf('current'))
    expect(await push(lake, store)).toMatchObject({ sent: { files: 0 }, present: { files: 4 } })
    expect((await stat(pathOf('current'))).mtimeMs).toBe(before.mtimeMs)
    await pull(store, replica)
    expect(await pull(store, replica)).toMatchObject({ is_present: true, fetched: { files: 0 }, reused: { files: 0 } })
  })

  it('never goes back unless the snapshot is named, and then replicas follow', async () => {
    const [lake, replica] = [await emptyLake(), await emptyLake()]
    const { store } = await open()
    const first = await publishNth(lake, 1)
    await push(lake, store)
    await pull(store, replica)
    const second = await publishNth(lake, 2)
    await push(lake, store)
    await pull(store, replica)
    await rollback(lake)
    await expect(push(lake, store)).rejects.toThrow(
      `${store.name} has ${second.snapshot_id}, which is newer than ${first.snapshot_id}; to go back, name it: push ${first.snapshot_id}`,
    )
    expect((await readStorePointer(store))?.snapshot_id).toBe(second.snapshot_id)
    await push(lake, store, { snapshot_id: first.snapshot_id })
    expect(await pull(store, replica)).toMatchObject({
      snapshot_id: first.snapshot_id,
      previous: second.snapshot_id,
      is_present: true,
    })
    await expectSameSnapshot(lake, replica)
  })

  it('takes no snapshot of another lake, and gives none to one', async () => {
    const [lake, other, replica] = [await emptyLake(), await emptyLake(), await emptyLake()]
    const { store } = await open()
    const { snapshot_id } = await publishNth(lake, 1)
    await push(lake, store)
    await publishContents(other, { ...contentsOf(1), 'categories.parquet': 'others' })
    await expect(push(other, store)).rejects.toThrow(`it is another lake; name another store`)
    await expect(pull(store, other)).rejects.toThrow('it is another lake; name an empty folder')
    // The same rows, published at another time: its manifest differs.
    await publishNth(replica, 1, { published_at: '2026-01-01T00:00:00Z' })
    await expect(push(replica, store)).rejects.toThrow(`another ${snapshot_id}: it is another lake`)
    await expect(pull(store, replica)).rejects.toThrow(`another ${snapshot_id}: it is another lake`)
  })

  it('is refused as empty until a snapshot was pushed', async () => {
    const { store } = await open()
    const lake = await emptyLake()
    await expect(pull(store, lake)).rejects.toThrow(`there is no snapshot in ${store.name}. To push one, run:`)
    await expect(push(lake, store)).rejects.toThrow(`the lake ${lake} has no snapshot`)
    expect(await snapshotIds(lake)).toEqual([])
  })

  it('gets no damaged file of the lake', async () => {
    const lake = await emptyLake()
    const { store } = await open()
    const { snapshot_id } = await publishNth(lake, 1)
    const path = join(snapshotFolder(lake, snapshot_id), LISTINGS)
    for (const [damage, reason] of [
      [() => writeFile(path, 'listings ?'), 'SHA-256 not as published'],
      [() => truncate(path, 3), '3 bytes instead of 10'],
      [() => rm(path), 'missing'],
    ] as const) {
      await damage()
      await expect(push(lake, store)).rejects.toMatchObject({ details: { file: LISTINGS, reason, snapshot_id } })
      expect(await readStorePointer(store)).toBeNull()
    }
  })

  const damages: [what: string, reason: string, damage: (path: string) => Promise<void>][] = [
    ['missing', 'missing', (path) => rm(path)],
    ['truncated', '4 bytes instead of 10', (path) => truncate(path, 4)],
    ['longer', 'more than 10 bytes', (path) => writeFile(path, 'listings 1 and more')],
    ['damaged', 'SHA-256 not as published', (path) => writeFile(path, 'listings ?')],
  ]
  it.each(damages)(
    'publishes nothing of a snapshot with an object that is %s, until it is pushed again',
    async (...args) => {
      const [, reason, damage] = args
      const [lake, replica] = [await emptyLake(), await emptyLake()]
      const { store, pathOf } = await open()
      await publishNth(lake, 1)
      await push(lake, store)
      const object = fileObject(await hashOf(lake, LISTINGS))
      await damage(pathOf(object))
      await expect(pull(store, replica)).rejects.toMatchObject({ details: { store: store.name, object, reason } })
      expect([await currentSnapshotId(replica), await snapshotIds(replica)]).toEqual([null, []])
      await rm(pathOf(object), { force: true })
      await push(lake, store)
      expect(await pull(store, replica)).toMatchObject({ fetched: { files: 1 }, reused: { files: 3 } })
      await expectSameSnapshot(lake, replica)
    },
  )

  it('publishes nothing of a damaged or missing manifest, or of a damaged pointer', async () => {
    const [lake, replica] = [await emptyLake(), await emptyLake()]
    const { store, pathOf } = await open()
    await publishNth(lake, 1)
    await push(lake, store)
    const object = manifestObject((await readPointer(lake))!.manifest_sha256!)
    await writeFile(pathOf(object), '{}')
    await expect(pull(store, replica)).rejects.toMatchObject({
      details: { object, reason: 'SHA-256 not as published' },
    })
    await rm(pathOf(object))
    await expect(pull(store, replica)).rejects.toMatchObject({ details: { object, reason: 'missing' } })
    await writeFile(pathOf('current'), '000001-')
    await expect(pull(store, replica)).rejects.toMatchObject({ details: { object: 'current' } })
    expect([await currentSnapshotId(replica), await snapshotIds(replica)]).toEqual([null, []])
  })
})

describe('a pull', () => {
  const given = async () => {
    const [lake, replica, folder] = [await emptyLake(), await emptyLake(), await emptyLake()]
    await publishNth(lake, 1)
    const store = openStore(folder)
    await push(lake, store)
    await pull(store, replica)
    return { lake, replica, store }
  }

  it('replaces files that are damaged in the lake, and reuses none of them', async () => {
    const { lake, replica, store } = await given()
    const { snapshot_id } = await publishNth(lake, 2)
    await push(lake, store)
    await writeFile(
      join(snapshotFolder(replica, (await currentSnapshotId(replica))!), 'categories.parquet'),
      'cat?gories',
    )
    expect(await pull(store, replica)).toMatchObject({ fetched: { files: 3 }, reused: { files: 1 } })
    await writeFile(join(snapshotFolder(replica, snapshot_id), LISTINGS), 'listings ?')
    await writeFile(join(snapshotFolder(replica, snapshot_id), 'stray.parquet'), '')
    expect(await pull(store, replica)).toMatchObject({ is_present: false, fetched: { files: 1 }, reused: { files: 3 } })
    expect((await verifyLake(replica)).flatMap(({ problems }) => problems)).toEqual([])
  })

  it('repairs a damaged pointer, removes old snapshots but not one in use, and what other pulls have left', async () => {
    const { lake, replica, store } = await given()
    const ids = [(await currentSnapshotId(lake))!]
    const lease = await takeLease(replica, ids[0]!)
    await writeFile(join(replica, 'current'), '0000')
    await mkdir(join(replica, 'staging', 'pull-0badcafe'), { recursive: true })
    for (const n of [2, 3]) {
      ids.push((await publishNth(lake, n)).snapshot_id)
      await push(lake, store)
      await pull(store, replica, { keep: 1 })
    }
    lease.release()
    expect(await snapshotIds(replica)).toEqual([ids[2], ids[0]])
    await expectSameSnapshot(lake, replica)
    expect(await pull(store, replica, { keep: 1 })).toMatchObject({ removed: [ids[0]] })
  })

  it('publishes the snapshot that it began with if the pointer moves meanwhile, and the next one afterwards', async () => {
    const { lake, replica, store } = await given()
    const second = await publishNth(lake, 2)
    await push(lake, store)
    let third: string | undefined
    const onProgress = async () => {
      if (third !== undefined) return
      third = ''
      third = (await publishNth(lake, 3)).snapshot_id
      await push(lake, store)
      await prune(lake, 1)
    }
    expect(await pull(store, replica, { onProgress })).toMatchObject({ snapshot_id: second.snapshot_id })
    expect(await problemsIn(replica)).toEqual([])
    expect(await pull(store, replica)).toMatchObject({ snapshot_id: third })
    await expectSameSnapshot(lake, replica)
  })
})
