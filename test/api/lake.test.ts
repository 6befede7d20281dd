import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { currentSnapshotId, snapshotFolder } from '../../engine/index.ts'
import { pointTo } from '../../ingest/snapshot/durable.ts'
import { refreshed, temporaryFolder } from '../support/given.ts'
import { RELOADED, type Service, serveLake } from '../support/http.ts'
import { feedRow, listing, observed } from '../support/rows.ts'

const AS_OF = '2026-11-21T00:00:00Z'
const path = '/v1/analyst/category-summary?category=coffee'

/** Adds a day on which so many more listings are priced; returns the new snapshot's id. */
const refreshWith = async (lake: string, day: number): Promise<string> => {
  const rows = Array.from({ length: 30 + day }, (_, i) =>
    observed(listing(`L${i}`), { [`2026-11-${String(day).padStart(2, '0')}`]: 1000 + i }),
  )
  await refreshed(lake, { observations: rows.flat().map(feedRow) })
  return (await currentSnapshotId(lake))!
}

/** Sends requests until it is stopped. */
const until = async (what: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await what())) await sleep(10)
}

const serving = async ({ get }: Service): Promise<string | undefined> => {
  const { status, body } = await get(path)
  return status === 200 ? JSON.parse(body).meta.snapshot_id : undefined
}

test('a service without a snapshot starts, reports that once, and serves the first snapshot that appears', async () => {
  const lake = await temporaryFolder()
  const service = await serveLake(lake, { ...RELOADED, SHELFMARK_AS_OF: AS_OF })
  expect((await service.get(path)).status).toBe(503)
  await sleep(200)
  const said = () => service.log.filter(({ msg }) => msg === 'no new snapshot')
  expect(said()).toMatchObject([{ reason: expect.stringContaining('npm run -s refresh') }])
  const id = await refreshWith(lake, 1)
  await until(async () => (await serving(service)) === id)
  expect(said()).toHaveLength(1)
})

describe('a lake refreshed while it is served', () => {
  const ids: string[] = []
  let lake: string
  let service: Service

  beforeAll(async () => {
    lake = await temporaryFolder()
    ids.push(await refreshWith(lake, 1))
    service = await serveLake(lake, { ...RELOADED, SHELFMARK_AS_OF: AS_OF })
  })

  test('drops no request and answers each one from a single whole snapshot', async () => {
    const counts = new Map<string, Set<number>>()
    let isOver = false
    const client = async (): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const { status, body } = await service.get(`${path}&days=${1 + (i % 365)}`)
        await sleep(5)
        if (status === 404) continue
        expect(status, body).toBe(200)
        const { meta, product_count } = JSON.parse(body)
        counts.set(meta.snapshot_id, (counts.get(meta.snapshot_id) ?? new Set()).add(product_count))
      }
    }
    const clients = Array.from({ length: 3 }, client)
    for (const day of [2, 3]) {
      ids.push(await refreshWith(lake, day))
      await until(() => counts.has(ids.at(-1)!))
    }
    isOver = true
    await Promise.all(clients)
    expect([...counts.keys()]).toEqual(ids)
    expect([...counts.values()].map((products) => [...products])).toEqual([[31], [32], [33]])
  })

  test('reports a damaged new snapshot once and keeps serving the snapshot before', async () => {
    const before = await currentSnapshotId(lake)
    const id = '000099-0badcafe'
    await cp(snapshotFolder(lake, before!), snapshotFolder(lake, id), { recursive: true })
    await writeFile(join(lake, 'current'), `${id} ${'0'.repeat(64)}\n`)
    const complaints = () => service.log.filter(({ snapshot_id }) => snapshot_id === id)
    await until(() => complaints().length > 0)
    await sleep(200)
    expect(complaints()).toMatchObject([
      {
        level: 50,
        msg: 'damaged snapshot: another snapshot answers in its place',
        file: 'manifest.json',
        reason: expect.stringContaining('not as published'),
        serving: before,
      },
    ])
    expect(await serving(service)).toBe(before)
    expect(service.state()).toMatchObject({ snapshot_id: before, published_id: id, fallback_for: id })
    await pointTo(lake, ids.at(-1)!)
  })

  test('serves the next good snapshot at once', async () => {
    const id = await refreshWith(lake, 5)
    await until(async () => (await serving(service)) === id)
  })
})
