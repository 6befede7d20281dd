import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  currentSnapshotId,
  Engine,
  LAKE_FORMAT,
  type Manifest,
  readManifest,
  snapshotFolder,
  snapshotIds,
} from '../../engine/index.ts'
import { refresh } from '../../ingest/refresh.ts'
import { pointTo } from '../../ingest/snapshot/durable.ts'
import {
  listSnapshots,
  prune,
  renderSnapshots,
  renderVerifications,
  rollback,
  verifyLake,
} from '../../ingest/snapshot/snapshots.ts'
import { emptyLake } from './empty-lake.ts'
import { csv, givenFiles } from './feeds.ts'
import { publishNth, writeAsEarlier } from './small-lake.ts'

const lakeOf = async (count: number): Promise<{ lake: string; manifests: Manifest[] }> => {
  const lake = await emptyLake()
  const manifests: Manifest[] = []
  for (let n = 1; n <= count; n += 1)
    manifests.push(await publishNth(lake, n, { keep: count, published_at: `2026-03-0${n}T00:00:00Z` }))
  return { lake, manifests }
}

describe('listSnapshots', () => {
  it('lists the snapshots, newest first, including one with a damaged manifest', async () => {
    const { lake, manifests } = await lakeOf(2)
    const [first, second] = manifests as [Manifest, Manifest]
    await writeAsEarlier(lake, first.snapshot_id, '{')
    await pointTo(lake, second.snapshot_id)
    const rows = await listSnapshots(lake)
    expect(rows).toEqual([
      {
        snapshot_id: second.snapshot_id,
        current: true,
        published_at: '2026-03-02T00:00:00Z',
        observed_from: '2026-01-01T00:00:00Z',
        observed_to: '2026-02-28T12:00:00Z',
        observations: 1234,
        listings: 2,
        bytes: 10 + 10 + 9 + 10,
        problem: null,
      },
      expect.objectContaining({
        snapshot_id: first.snapshot_id,
        current: false,
        published_at: null,
        problem: 'not JSON',
      }),
    ])
    expect(renderSnapshots(rows).split('\n')).toEqual([
      '   snapshot         published             observed                observations  listings  MiB',
      `*  ${second.snapshot_id}  2026-03-02T00:00:00Z  2026-01-01..2026-02-28         1,234         2  0.0`,
      `   ${first.snapshot_id}  manifest not JSON     -                                  -         -    -`,
    ])
  })
})

describe('a lake of an older format', () => {
  const oldLake = async () => {
    const { lake, manifests } = await lakeOf(1)
    const [{ snapshot_id }] = manifests as [Manifest]
    await writeAsEarlier(lake, snapshot_id, JSON.stringify({ format: 2, snapshot_id }))
    return { lake, snapshot_id }
  }

  it.each<[string, (lake: string) => Promise<unknown>]>([
    ['the engine', (lake) => Engine.open(lake)],
    ['a refresh', async (lake) => refresh({ feeds: await givenFiles({ 'price_observations/a.csv': csv() }), lake })],
    ['verify', (lake) => verifyLake(lake)],
    ['verify --all', (lake) => verifyLake(lake, { every: true })],
    ['rollback', async (lake) => rollback(lake, (await currentSnapshotId(lake))!)],
  ])('is refused by %s, with how to rebuild it', async (_, command) => {
    const { lake, snapshot_id } = await oldLake()
    await expect(command(lake)).rejects.toMatchObject({
      code: 'NOT_READY',
      message:
        `snapshot ${snapshot_id} of ${lake} is of lake format 2, not 3 to 10: it was written by another version. Rebuild the lake ` +
        'from its feeds in an empty folder: npm run -s refresh -- --feeds DIR --lake EMPTY_DIR',
    })
    expect(await snapshotIds(lake)).toEqual([snapshot_id])
  })

  it('is listed with its format', async () => {
    const { lake, snapshot_id } = await oldLake()
    const rows = await listSnapshots(lake)
    expect(rows).toMatchObject([{ snapshot_id, published_at: null, problem: 'of lake format 2, not 3 to 10' }])
    expect(renderSnapshots(rows)).toContain(`*  ${snapshot_id}  manifest of lake format 2, not 3 to 10  `)
  })
})

describe('an empty lake', () => {
  it.each([listSnapshots, verifyLake, (lake: string) => rollback(lake), (lake: string) => prune(lake, 1)])(
    'is refused with what to run, and not created',
    async (command) => {
      const lake = await emptyLake()
      await expect(command(lake)).rejects.toMatchObject({
        code: 'NOT_READY',
        message: expect.stringContaining(`npm run -s refresh -- --feeds DIR --lake ${lake}`),
      })
      await expect(readdir(lake)).rejects.toThrow('ENOENT')
    },
  )
})

describe('verifyLake', () => {
  it('checks the current snapshot or every one, and reports each problem', async () => {
    const { lake, manifests } = await lakeOf(3)
    const [first, second, third] = manifests.map((manifest) => manifest.snapshot_id) as [string, string, string]
    await rm(join(snapshotFolder(lake, first), 'manifest.json'))
    await writeFile(join(snapshotFolder(lake, second), 'listings/country=us/part-0.parquet'), 'listings 9')
    await writeFile(join(snapshotFolder(lake, second), 'stray.parquet'), '')
    expect(await verifyLake(lake)).toEqual([{ snapshot_id: third, current: true, files: 4, problems: [] }])
    const all = await verifyLake(lake, { every: true })
    expect(renderVerifications(all).split('\n')).toEqual([
      `${third} (current): 4 files are intact`,
      `${second}: damaged`,
      '  listings/country=us/part-0.parquet: SHA-256 not as published',
      '  stray.parquet: not in the manifest',
      `${first}: damaged`,
      '  manifest.json: missing',
    ])
  })
})

describe('rollback', () => {
  it('points the lake to the snapshot before, or to the given one', async () => {
    const { lake, manifests } = await lakeOf(3)
    const [first, second, third] = manifests.map((manifest) => manifest.snapshot_id) as [string, string, string]
    expect(await rollback(lake)).toEqual({ from: third, to: second, format: LAKE_FORMAT })
    expect(await currentSnapshotId(lake)).toBe(second)
    expect(await rollback(lake, third)).toEqual({ from: second, to: third, format: LAKE_FORMAT })
    expect(await rollback(lake, first)).toEqual({ from: third, to: first, format: LAKE_FORMAT })
    await expect(rollback(lake)).rejects.toThrow(`no snapshot older than ${first}`)
    expect(await snapshotIds(lake)).toEqual([third, second, first])
  })

  it('returns to the snapshot that the current one was made from', async () => {
    const { lake, manifests } = await lakeOf(2)
    await rollback(lake)
    const third = await publishNth(lake, 3)
    expect(third.snapshot_id).toMatch(/^000003-/)
    expect(await rollback(lake)).toEqual({
      from: third.snapshot_id,
      to: manifests[0]!.snapshot_id,
      format: LAKE_FORMAT,
    })
  })

  it('refuses an unknown id and lists the existing ones', async () => {
    const { lake, manifests } = await lakeOf(2)
    for (const id of ['000009-deadbeef', '../../etc'])
      await expect(rollback(lake, id)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: `there is no snapshot ${id}; the lake has ${manifests[1]!.snapshot_id}, ${manifests[0]!.snapshot_id}`,
      })
    expect(await currentSnapshotId(lake)).toBe(manifests[1]!.snapshot_id)
  })

  it('refuses a damaged snapshot and changes nothing', async () => {
    const { lake, manifests } = await lakeOf(2)
    const [first, second] = manifests.map((manifest) => manifest.snapshot_id) as [string, string]
    await writeFile(join(snapshotFolder(lake, first), 'listings/country=us/part-0.parquet'), 'listings 9')
    await expect(rollback(lake)).rejects.toThrow('listings/country=us/part-0.parquet: SHA-256 not as published')
    expect(await currentSnapshotId(lake)).toBe(second)
  })

  it('repairs a damaged pointer, and one to a missing snapshot', async () => {
    const { lake, manifests } = await lakeOf(3)
    const [first, second, third] = manifests.map((manifest) => manifest.snapshot_id) as [string, string, string]
    await writeFile(join(lake, 'current'), '../../etc')
    expect(await rollback(lake)).toEqual({ from: null, to: third, format: LAKE_FORMAT })
    await rm(snapshotFolder(lake, third), { recursive: true })
    expect(await rollback(lake)).toEqual({ from: third, to: second, format: LAKE_FORMAT })
    await rm(join(snapshotFolder(lake, second), 'manifest.json'))
    expect(await rollback(lake)).toEqual({ from: second, to: first, format: LAKE_FORMAT })
  })
})

describe('prune', () => {
  it('keeps the newest snapshots and the current one', async () => {
    const { lake, manifests } = await lakeOf(5)
    const [first, second, third, fourth, fifth] = manifests.map((manifest) => manifest.snapshot_id)
    await rollback(lake, first)
    expect(await prune(lake, 2)).toEqual({ removed: [third, second], in_use: [], warnings: [] })
    expect(await snapshotIds(lake)).toEqual([fifth, fourth, first])
    expect((await prune(lake, 2)).removed).toEqual([])
    await readManifest(lake, first!)
    expect((await verifyLake(lake, { every: true })).flatMap((verification) => verification.problems)).toEqual([])
    expect(await readdir(join(lake, 'staging'))).toEqual([])
  })

  it('removes the refused rows of a snapshot with it', async () => {
    const { lake, manifests } = await lakeOf(2)
    const [first, second] = manifests.map((manifest) => manifest.snapshot_id)
    await mkdir(join(lake, 'quarantine'))
    for (const id of [first, second]) await writeFile(join(lake, 'quarantine', `${id}.jsonl`), '{}\n')
    await prune(lake, 1)
    expect(await readdir(join(lake, 'quarantine'))).toEqual([`${second}.jsonl`])
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses to keep %d', async (keep) => {
    const { lake } = await lakeOf(1)
    await expect(prune(lake, keep)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })
})
