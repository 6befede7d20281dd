import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStore, readPointer, readStorePointer } from '../../engine/index.ts'
import { pull } from '../../ingest/snapshot/pull.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
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

const problemsIn = async (lake: string) => (await verifyLake(lake, { every: true })).flatMap(({ problems }) => problems)

describe('two pushes to one bucket', () => {
  /** Two lakes with the same first snapshot, and different second ones. */
  const given = async () => {
    const [one, other] = [await emptyLake(), await emptyLake()]
    const store = objects.open(`race-${prefixes}`)
    await publishNth(one, 1)
    await push(one, store)
    await pull(store, other)
    await publishNth(one, 2)
    await publishContents(other, { ...contentsOf(2), 'categories.parquet': 'others' })
    return { one, other, store }
  }

  it.each([true, false])('move the pointer once; conditional requests are honoured: %s', async (isConditional) => {
    objects.isConditional = isConditional
    const { one, other, store } = await given()
    let pointers = 0
    const bothRead = new Promise<undefined>((resolve) => {
      objects.fault = (method, object) => {
        if (method === 'PUT') return bothRead
        if (object.endsWith('current')) pointers += 1
        if (pointers === 2) resolve(undefined)
        return undefined
      }
    })
    const outcomes = await Promise.allSettled([push(one, store), push(other, store)])
    const won = outcomes.filter(({ status }) => status === 'fulfilled')
    const now = await readStorePointer(store)
    const ids = [await readPointer(one), await readPointer(other)].map((pointer) => pointer!.manifest_sha256)
    expect(ids).toContain(now?.manifest_sha256)
    if (isConditional) {
      expect(won).toHaveLength(1)
      expect(
        JSON.stringify(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.message)),
      ).toContain(`another push has moved the pointer of ${store.name} to 000002-`)
    }
    const replica = await emptyLake()
    await pull(store, replica)
    expect(await problemsIn(replica)).toEqual([])
  })

  it('are warned about where the store ignores conditional requests', async () => {
    objects.isConditional = false
    const lake = await emptyLake()
    await publishNth(lake, 1)
    expect(await push(lake, objects.open(`plain-${prefixes}`))).toMatchObject({
      is_conditional: false,
      warnings: [expect.stringContaining('ignores conditional requests')],
    })
  })

  it('are warned about where the store has no conditional requests at all', async () => {
    const lake = await emptyLake()
    await publishNth(lake, 1)
    let isProbed = false
    objects.fault = (method, object) => {
      if (method !== 'PUT' || !object.includes('manifests/') || isProbed) return undefined
      isProbed = true
      return 501
    }
    expect(await push(lake, objects.open(`none-${prefixes}`))).toMatchObject({ is_conditional: false })
  })
})

describe('a folder that is no store', () => {
  it('is not written to', async () => {
    const lake = await emptyLake()
    await publishNth(lake, 1)
    await expect(push(lake, openStore(lake))).rejects.toThrow(`${lake} contains leases, so it is not a store`)
    expect(await readFile(join(lake, 'current'), 'utf8')).toContain(' ')
  })

  it('is locked while it is pushed to', async () => {
    const [lake, folder] = [await emptyLake(), await emptyLake()]
    await publishNth(lake, 1)
    let second: unknown
    const onProgress = async () => {
      second ??= await push(lake, openStore(folder)).catch((cause: Error) => cause.message)
    }
    await push(lake, openStore(folder), { onProgress })
    expect(second).toContain(`is changing`)
  })
})
