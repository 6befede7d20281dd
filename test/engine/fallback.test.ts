import { appendFile, cp, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Engine, readManifest, snapshotFolder } from '../../engine/index.ts'
import { rollback } from '../../ingest/snapshot/snapshots.ts'
import { ask, planOf } from '../support/ask.ts'
import { sized } from '../support/full-size.ts'
import { ensureLake, openEngine, refreshed, temporaryFolder } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'

const as_of = new Date('2026-11-21T00:00:00Z')
const query = ['analyst/category-summary', { category: 'coffee' }] as const

let lakeOfThree: string
let ids: [string, string, string]

const rowsOf = (day: number) =>
  Array.from({ length: 30 + day }, (_, i) => observed(listing(`L${i}`), { [`2026-11-0${day}`]: 1000 + i })).flat()

beforeAll(async () => {
  const { lake } = await ensureLake({ observations: rowsOf(1).map(feedRow) })
  const made: string[] = []
  for (const day of [2, 3]) {
    const { snapshot_id, previous } = await refreshed(lake, { observations: rowsOf(day).map(feedRow) })
    made.push(previous!, snapshot_id!)
  }
  lakeOfThree = lake
  ids = [made[0]!, made[1]!, made[3]!]
})

/** A lake of three snapshots of its own, without links between them. */
const ownLake = async (): Promise<string> => {
  const folder = join(await temporaryFolder(), 'lake')
  await cp(lakeOfThree, folder, { recursive: true })
  return folder
}

const fileOf = (lake: string, id: string, file: string): string => join(snapshotFolder(lake, id), file)
const LISTINGS = 'listings/country=us/part-0.parquet'

/** Flips a bit in the middle of a file; returns what puts it back. */
const flipBit = async (path: string): Promise<() => Promise<void>> => {
  const sound = await readFile(path)
  const damaged = Buffer.from(sound)
  damaged[sound.length >> 1]! ^= 1
  await writeFile(path, damaged)
  return () => writeFile(path, sound)
}

const servedBy = async (engine: Engine): Promise<string> =>
  ((await ask(engine, ...query)) as { meta: { snapshot_id: string } }).meta.snapshot_id

const fallbackIn = async (engine: Engine): Promise<unknown> =>
  ((await ask(engine, 'public/stats', {})) as { fallback_for: unknown }).fallback_for

/** Twice: a change is seen first, and then that it stays. */
const lookTwice = async (engine: Engine): Promise<void> => {
  for (let look = 0; look < 2; look += 1) await engine.reload()
}

type Damaging = [string, (lake: string, id: string) => Promise<unknown>, { file: string; reason: string | RegExp }]

const damages: Damaging[] = [
  ['a flipped bit', (lake, id) => flipBit(fileOf(lake, id, LISTINGS)), { file: LISTINGS, reason: /SHA-256/ }],
  [
    'a missing file',
    (lake, id) => rm(fileOf(lake, id, 'brands.parquet')),
    { file: 'brands.parquet', reason: 'missing' },
  ],
  [
    'a longer file',
    (lake, id) => appendFile(fileOf(lake, id, LISTINGS), 'x'),
    { file: LISTINGS, reason: /bytes instead/ },
  ],
  [
    'one file more',
    (lake, id) => cp(fileOf(lake, id, LISTINGS), fileOf(lake, id, LISTINGS.replace('part-0', 'part-1'))),
    { file: LISTINGS.replace('part-0', 'part-1'), reason: 'not in the manifest' },
  ],
  [
    'an edited manifest',
    async (lake, id) => {
      const path = fileOf(lake, id, 'manifest.json')
      await writeFile(path, (await readFile(path, 'utf8')).replace('"observed_to": "2026', '"observed_to": "2126'))
    },
    { file: 'manifest.json', reason: /not as published/ },
  ],
  [
    'a missing manifest',
    (lake, id) => rm(fileOf(lake, id, 'manifest.json')),
    { file: 'manifest.json', reason: 'missing' },
  ],
  [
    'a missing folder',
    (lake, id) => rm(snapshotFolder(lake, id), { recursive: true }),
    { file: 'manifest.json', reason: 'missing' },
  ],
  [
    'a symbolic link as its folder',
    async (lake, id) => {
      await rename(snapshotFolder(lake, id), join(lake, 'elsewhere'))
      await symlink(join(lake, 'elsewhere'), snapshotFolder(lake, id))
    },
    { file: 'its folder', reason: /symbolic link/ },
  ],
]

test.each(damages)(
  'at the start %s makes the engine serve the newest sound snapshot before it',
  async (_, damage, expected) => {
    const lake = await ownLake()
    await damage(lake, ids[2])
    await flipBit(fileOf(lake, ids[1], LISTINGS))
    const engine = await openEngine(lake, { as_of })
    expect(await servedBy(engine)).toBe(ids[0])
    const reason = typeof expected.reason === 'string' ? expected.reason : expect.stringMatching(expected.reason)
    expect(engine.state).toEqual({
      snapshot_id: ids[0],
      published_id: ids[2],
      damage: { snapshot_id: ids[2], file: expected.file, reason },
    })
    expect(await fallbackIn(engine)).toBe(ids[2])
  },
)

// By default one kind for each thing that a reload compares: the files, their list and the manifest.
test.each(sized([damages[0]!, damages[3]!, damages[4]!], damages.slice(0, 6)))(
  'while the snapshot is served %s is found by the next reload',
  async (_, damage, { file }) => {
    const lake = await ownLake()
    const engine = await openEngine(lake, { as_of })
    expect([await servedBy(engine), await fallbackIn(engine), engine.epoch]).toEqual([ids[2], null, 0])
    const plan = await planOf(engine, ...query)
    await damage(lake, ids[2])
    expect(await engine.reload()).toBe(true)
    expect(engine.state).toMatchObject({ snapshot_id: ids[1], published_id: ids[2], damage: { file } })
    expect([await servedBy(engine), await fallbackIn(engine), engine.epoch]).toEqual([ids[1], ids[2], 1])
    await expect(engine.run(plan)).rejects.toMatchObject({ code: 'NOT_READY' })
  },
)

test('a repaired snapshot is served again', async () => {
  const lake = await ownLake()
  const repair = await flipBit(fileOf(lake, ids[2], LISTINGS))
  const engine = await openEngine(lake, { as_of })
  await lookTwice(engine)
  expect(await servedBy(engine)).toBe(ids[1])
  await repair()
  await lookTwice(engine)
  expect(await servedBy(engine)).toBe(ids[2])
  expect(engine.state).toEqual({ snapshot_id: ids[2], published_id: ids[2], damage: null })
  expect(await fallbackIn(engine)).toBeNull()
})

test('a damaged new snapshot is not served, and the damage is reported', async () => {
  const lake = await ownLake()
  await rollback(lake, ids[0])
  const engine = await openEngine(lake, { as_of })
  await rollback(lake, ids[2])
  await rm(fileOf(lake, ids[2], 'brands.parquet'))
  expect(await engine.reload()).toBe(false)
  expect(await servedBy(engine)).toBe(ids[0])
  expect(engine.state.damage).toEqual({ snapshot_id: ids[2], file: 'brands.parquet', reason: 'missing' })
})

test('a query that reads a damaged file is refused, and the next one is answered from the snapshot before', async () => {
  const lake = await ownLake()
  const engine = await openEngine(lake, { as_of })
  const plan = await planOf(engine, ...query)
  await writeFile(fileOf(lake, ids[2], LISTINGS), 'PAR1 no parquet PAR1')
  await expect(engine.run(plan)).rejects.toMatchObject({ code: 'NOT_READY', details: { file: LISTINGS } })
  expect(await engine.reload()).toBe(true)
  expect(await servedBy(engine)).toBe(ids[1])
})

test('a newer snapshot that a rollback left does not replace a damaged one', async () => {
  const lake = await ownLake()
  await rollback(lake, ids[1])
  await rm(fileOf(lake, ids[1], 'brands.parquet'))
  expect(await servedBy(await openEngine(lake, { as_of }))).toBe(ids[0])
  await rm(fileOf(lake, ids[0], 'brands.parquet'))
  await expect(Engine.open(lake)).rejects.toMatchObject({ code: 'NOT_READY', details: { snapshot_id: ids[1] } })
})

test.each([
  ['empty', ''],
  ['of another manifest', '000003-deadbeef 00\n'],
  ['gone', null],
])('a pointer that is %s leaves the served snapshot in place and is reported', async (_, text) => {
  const lake = await ownLake()
  const engine = await openEngine(lake, { as_of })
  const sound = await readFile(join(lake, 'current'), 'utf8')
  await (text === null ? rm(join(lake, 'current')) : writeFile(join(lake, 'current'), text))
  expect(await engine.reload()).toBe(false)
  expect(engine.state).toMatchObject({ snapshot_id: ids[2], damage: { snapshot_id: null, file: 'current' } })
  expect(await fallbackIn(engine)).toBe(ids[2])
  await writeFile(join(lake, 'current'), sound)
  await engine.reload()
  expect(await fallbackIn(engine)).toBeNull()
})

test('a pointer without a hash is reported at the start and while a snapshot is served', async () => {
  const lake = await ownLake()
  const engine = await openEngine(lake, { as_of })
  await writeFile(join(lake, 'current'), `${ids[2]}\n`)
  await engine.reload()
  const damage = { snapshot_id: ids[2], file: 'current' }
  expect(engine.state).toMatchObject({ snapshot_id: ids[2], damage })
  expect((await openEngine(lake, { as_of })).state).toMatchObject({ snapshot_id: ids[1], damage })
})

test('the newest sound snapshot is served where the pointer cannot be read', async () => {
  const lake = await ownLake()
  await writeFile(join(lake, 'current'), '../../etc')
  const engine = await openEngine(lake, { as_of })
  expect(await servedBy(engine)).toBe(ids[2])
  expect(await fallbackIn(engine)).toBe('unknown')
})

test('damage that changes neither size nor time of a file is found by the periodic check', async () => {
  const lake = await ownLake()
  const { files } = await readManifest(lake, ids[2])
  const path = fileOf(lake, ids[2], files.at(-1)!.path)
  const past = new Date('2026-11-01T00:00:00Z')
  await utimes(path, past, past)
  const engine = await openEngine(lake, { as_of, scrub_hours: 2 / 3600 })
  await flipBit(path)
  await utimes(path, past, past)
  await engine.reload()
  expect(engine.state.damage).toBeNull()
  while (engine.state.snapshot_id !== ids[1]) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(engine.state).toMatchObject({ snapshot_id: ids[1], damage: { snapshot_id: ids[2], file: files.at(-1)!.path } })
})
