import { cp, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { snapshotFolder } from '../../engine/index.ts'
import { refreshed, temporaryFolder } from '../support/given.ts'
import { RELOADED, type Reply, type Service, serveLake } from '../support/http.ts'
import { startService } from '../support/process.ts'
import { feedRow, listing, observed } from '../support/rows.ts'

const AS_OF = '2026-11-21T00:00:00Z'
const path = '/v1/analyst/category-summary?category=coffee'
const LISTINGS = 'listings/country=us/part-0.parquet'

let lakeOfTwo: string
let first: string
let second: string

const rowsOf = (day: number) =>
  Array.from({ length: 30 + day }, (_, i) => observed(listing(`L${i}`), { [`2026-11-0${day}`]: 1000 + i })).flat()

beforeAll(async () => {
  lakeOfTwo = await temporaryFolder()
  await refreshed(lakeOfTwo, { observations: rowsOf(1).map(feedRow) })
  const { previous, snapshot_id } = await refreshed(lakeOfTwo, { observations: rowsOf(2).map(feedRow) })
  first = previous!
  second = snapshot_id!
})

/** Of its own, without links between its snapshots. */
const ownLake = async (): Promise<string> => {
  const lake = join(await temporaryFolder(), 'lake')
  await cp(lakeOfTwo, lake, { recursive: true })
  return lake
}

const until = async (what: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await what())) await sleep(10)
}

const servedBy = ({ status, body }: Reply): string | null => (status === 200 ? JSON.parse(body).meta.snapshot_id : null)
const fallbackOf = ({ headers }: Reply) => headers['x-snapshot-fallback']

describe('a file that is damaged while the service is running', () => {
  let lake: string
  let service: Service
  let sound: Buffer
  const file = () => join(snapshotFolder(lake, second), LISTINGS)
  const linesOf = (id: string) =>
    service.log
      .filter(({ snapshot_id, msg }) => snapshot_id === id && msg !== 'answered')
      .map(({ msg, level }) => [level, msg])

  beforeAll(async () => {
    lake = await ownLake()
    service = await serveLake(lake, { ...RELOADED, SHELFMARK_AS_OF: AS_OF })
    sound = await readFile(file())
  })

  test('makes the service answer from the snapshot before, name the replaced snapshot in every response, and report the file', async () => {
    const before = await service.get(path)
    expect([servedBy(before), fallbackOf(before)]).toEqual([second, undefined])
    // In place: a file that is written again is empty for a moment, which is found as well.
    const damaged = await open(file(), 'r+')
    await damaged.write(Buffer.of(sound[sound.length >> 1]! ^ 1), 0, 1, sound.length >> 1)
    await damaged.close()
    await until(() => linesOf(first).length > 0)
    expect(servedBy(await service.get(path))).toBe(first)
    for (const address of [path, '/v1/public/stats', '/v1/analyst/inflation', '/nowhere', '/openapi.json'])
      expect(fallbackOf(await service.get(address)), address).toBe(second)
    expect(JSON.parse((await service.get('/v1/public/stats')).body).fallback_for).toBe(second)
    expect(service.state()).toMatchObject({
      snapshot_id: first,
      published_id: second,
      fallback_for: second,
      damage: { snapshot_id: second, file: LISTINGS, reason: 'SHA-256 not as published' },
      refused_snapshots: 1,
      problem: null,
    })
    expect(linesOf(second)).toEqual([
      [30, 'serving snapshot'],
      [50, 'damaged snapshot: another snapshot answers in its place'],
    ])
    expect(linesOf(first)).toEqual([[30, 'serving snapshot']])
  })

  test('is served again within seconds of its repair, without answers cached before', async () => {
    await writeFile(file(), sound)
    await until(() => linesOf(second).length === 3)
    const after = await service.get(path)
    expect([fallbackOf(after), JSON.parse(after.body).meta.served_from]).toEqual([undefined, 'snapshot'])
    expect(JSON.parse((await service.get('/v1/public/stats')).body).fallback_for).toBeNull()
    expect(service.state()).toMatchObject({ snapshot_id: second, fallback_for: null, damage: null })
    expect(linesOf(second).at(-1)).toEqual([30, 'serving snapshot'])
  })

  test('makes the service answer nothing where no older snapshot is sound, until the file is repaired', async () => {
    await writeFile(join(snapshotFolder(lake, first), 'brands.parquet'), '')
    await writeFile(file(), 'PAR1')
    const nothing = [50, 'damaged snapshot: nothing can be answered']
    await until(() => linesOf(second).at(-1)?.[1] === nothing[1])
    expect(service.state().snapshot_id).toBeNull()
    const { status, headers, body } = await service.get(`${path}&days=7`)
    expect([status, headers['retry-after'], JSON.parse(body).error.code]).toEqual([503, '1', 'NOT_READY'])
    expect(linesOf(second).at(-1)).toEqual(nothing)
    await writeFile(file(), sound)
    await until(async () => servedBy(await service.get(path)) === second)
  })
})

test('a service that starts with a damaged snapshot reports it and serves the snapshot before', async () => {
  const lake = await ownLake()
  await writeFile(join(snapshotFolder(lake, second), LISTINGS), 'PAR1')
  const { log } = startService({ SHELFMARK_LAKE: lake, SHELFMARK_AS_OF: AS_OF })
  await until(() => log.some(({ msg }) => msg === 'serving snapshot'))
  expect(log.map(({ msg, snapshot_id, fallback_for }) => ({ msg, snapshot_id, fallback_for })).slice(1)).toEqual([
    { msg: 'damaged snapshot: another snapshot answers in its place', snapshot_id: second },
    { msg: 'serving snapshot', snapshot_id: first, fallback_for: second },
  ])
})
