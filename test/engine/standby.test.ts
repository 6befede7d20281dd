import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Engine, readManifest, snapshotFolder } from '../../engine/index.ts'
import { prune } from '../../ingest/snapshot/snapshots.ts'
import { ask } from '../support/ask.ts'
import { ensureLake, openEngine, refreshed } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'

const as_of = new Date('2026-11-21T00:00:00Z')
const query = ['analyst/category-summary', { category: 'coffee' }] as const

const rowsOf = (month: string, day: number) =>
  Array.from({ length: 30 }, (_, i) => observed(listing(`L${i}`), { [`2026-${month}-0${day}`]: 1000 + i })).flat()

/** A lake of three snapshots, which share the prices of October. */
const lakeOfThree = async () => {
  const { lake } = await ensureLake({ observations: rowsOf('10', 1).map(feedRow) })
  const ids: string[] = []
  for (const day of [1, 2]) {
    const { previous, snapshot_id } = await refreshed(lake, { observations: rowsOf('11', day).map(feedRow) })
    ids.push(previous!, snapshot_id!)
  }
  return { lake, ids: [ids[0]!, ids[1]!, ids[3]!] as const }
}

const standbyOf = async (engine: Engine): Promise<string> => {
  while (engine.standby_id === null) {
    await engine.reload()
    await sleep(10)
  }
  return engine.standby_id
}

const flipBit = async (path: string): Promise<void> => {
  const bytes = await readFile(path)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(path, bytes)
}

const servedBy = async (engine: Engine): Promise<string> =>
  ((await ask(engine, ...query)) as { meta: { snapshot_id: string } }).meta.snapshot_id

test('the snapshot before the served one stands ready, and is served when that is damaged', async () => {
  const { lake, ids } = await lakeOfThree()
  const engine = await openEngine(lake, { as_of, has_standby: true })
  expect(await standbyOf(engine)).toBe(ids[1])
  const answer = await ask(engine, ...query)
  await flipBit(join(snapshotFolder(lake, ids[2]), 'listings/country=us/part-0.parquet'))
  expect(await engine.reload()).toBe(true)
  expect(engine.standby_id).toBeNull()
  expect(await servedBy(engine)).toBe(ids[1])
  expect(answer).toMatchObject({ meta: { snapshot_id: ids[2] } })
  expect(await standbyOf(engine)).toBe(ids[0])
})

test('damage to a file of both is found in both, and neither is served', async () => {
  const { lake, ids } = await lakeOfThree()
  const [first, second, third] = await Promise.all(ids.map((id) => readManifest(lake, id)))
  const isShared = ({ sha256 }: { sha256: string }) => second!.files.some((file) => file.sha256 === sha256)
  const { path } = third!.files.find((file) => isShared(file) && file.path.startsWith('observations/'))!
  expect(first!.files.map((file) => file.path)).toContain(path)
  const engine = await openEngine(lake, { as_of, has_standby: true })
  expect(await standbyOf(engine)).toBe(ids[1])
  const shared = join(snapshotFolder(lake, ids[2]), path)
  const { atime, mtime } = await stat(shared)
  await flipBit(shared)
  await utimes(shared, atime, new Date(mtime.getTime() + 1000))
  await engine.reload()
  expect(engine.state).toMatchObject({ snapshot_id: null, damage: { snapshot_id: ids[2], file: path } })
  expect(engine.standby_id).toBeNull()
})

test('a snapshot that stands by can be removed, and the one before it takes its place', async () => {
  const { lake, ids } = await lakeOfThree()
  const engine = await openEngine(lake, { as_of, has_standby: true })
  expect(await standbyOf(engine)).toBe(ids[1])
  expect(await prune(lake, 1)).toMatchObject({ removed: [ids[1], ids[0]], in_use: [] })
  await engine.reload()
  expect(engine.standby_id).toBeNull()
  expect(await servedBy(engine)).toBe(ids[2])
})
