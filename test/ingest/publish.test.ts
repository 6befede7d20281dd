import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { currentSnapshotId, readManifest, snapshotFolder, snapshotIds, verifySnapshot } from '../../engine/index.ts'
import { pointTo } from '../../ingest/snapshot/durable.ts'
import { linkFrom, nextSnapshotId, removeOrphans } from '../../ingest/snapshot/publish.ts'
import { emptyLake } from './empty-lake.ts'
import { contentsOf, publishContents, publishNth } from './small-lake.ts'

const digest = '1f2e3d4c'.repeat(8)

describe('nextSnapshotId', () => {
  it('is a sequence number and the first 8 digits of the digest', () => {
    expect(nextSnapshotId(null, digest)).toBe('000001-1f2e3d4c')
    expect(nextSnapshotId('000002-deadbeef', digest)).toBe('000003-1f2e3d4c')
    expect(nextSnapshotId('999999-deadbeef', digest)).toBe('1000000-1f2e3d4c')
  })
})

describe('publish', () => {
  it('describes every file, new or linked, in the manifest', async () => {
    const lake = await emptyLake()
    await publishNth(lake, 1)
    const manifest = await publishNth(lake, 2, { published_at: '2026-03-01T00:00:00Z' })
    expect(manifest).toMatchObject({
      format: 10,
      previous: expect.stringMatching(/^000001-/),
      report: { rows_read: 7 },
    })
    expect(manifest.published_at).toBe('2026-03-01T00:00:00Z')
    expect(manifest.files.map(({ path, bytes, rows }) => ({ path, bytes, rows }))).toEqual(
      Object.entries(contentsOf(2)).map(([path, text]) => ({ path, bytes: text.length, rows: 1 })),
    )
    await verifySnapshot(lake, manifest)
    expect(await readdir(join(lake, 'staging'))).toEqual([])
  })

  it('keeps the hash of a linked file, so that damage to it is still detected', async () => {
    const lake = await emptyLake()
    const first = await publishNth(lake, 1)
    const second = await publishNth(lake, 2)
    const [before, after] = [first, second].map(({ snapshot_id }) =>
      join(snapshotFolder(lake, snapshot_id), 'categories.parquet'),
    )
    expect((await stat(after!)).ino).toBe((await stat(before!)).ino)
    await writeFile(before!, 'CATEGORIES')
    const third = await publishContents(lake, { ...contentsOf(3), 'categories.parquet': 'CATEGORIES' })
    await expect(verifySnapshot(lake, third)).rejects.toThrow('categories.parquet: SHA-256 not as published')
  })

  it('refuses a new file without a number of rows', async () => {
    const lake = await emptyLake()
    await expect(publishNth(lake, 1, { rows: {} })).rejects.toThrow(
      /categories\.parquet' is staged, but its number of rows/,
    )
    expect(await snapshotIds(lake)).toEqual([])
  })

  it('keeps the three newest snapshots, or as many as requested', async () => {
    const lake = await emptyLake()
    for (let n = 1; n <= 5; n += 1) await publishNth(lake, n)
    expect((await snapshotIds(lake)).map((id) => id.slice(0, 6))).toEqual(['000005', '000004', '000003'])
    await publishNth(lake, 6, { keep: 1 })
    expect(await snapshotIds(lake)).toEqual([await currentSnapshotId(lake)])
  })
})

describe('linkFrom', () => {
  it('copies a file that cannot be linked', async ({ skip }) => {
    const staged = await emptyLake()
    const elsewhere = await mkdtemp('/dev/shm/shelfmark-').catch(() => skip('no second file system at /dev/shm'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    await mkdir(staged)
    if ((await stat(elsewhere)).dev === (await stat(staged)).dev) skip('/dev/shm is no second file system')
    await writeFile(join(elsewhere, 'brands.parquet'), 'brands')
    await linkFrom(elsewhere, staged, 'brands.parquet')
    expect(await readFile(join(staged, 'brands.parquet'), 'utf8')).toBe('brands')
    await expect(linkFrom(elsewhere, staged, 'listings.parquet')).rejects.toThrow(/ENOENT.*listings\.parquet/)
  })
})

describe('a publication that fails', () => {
  const obstacles: [string, (lake: string) => Promise<unknown>, RegExp][] = [
    ['a folder at the draft of the pointer', (lake) => mkdir(join(lake, 'current.tmp')), /EISDIR.*current\.tmp/],
    [
      'a folder at the manifest',
      (lake) => mkdir(join(lake, 'staging/next/manifest.json'), { recursive: true }),
      /EISDIR.*staging\/next\/manifest\.json/,
    ],
    [
      'a snapshot of that id',
      async (lake) => {
        const { snapshot_id } = await publishNth(lake, 2)
        await pointTo(lake, (await readManifest(lake, snapshot_id)).previous!)
      },
      /(ENOTEMPTY|EEXIST).*snapshots\/000002-/,
    ],
  ]
  it.each(obstacles)('because of %s leaves the old snapshot current', async (_, obstruct, message) => {
    const lake = await emptyLake()
    const first = await publishNth(lake, 1)
    await obstruct(lake)
    const kept = await snapshotIds(lake)
    const again = { snapshot_id: kept.length === 1 ? '000002-deadbeef' : kept[0]! }
    const failure = await publishNth(lake, 2, again).then(
      () => expect.unreachable('it was published'),
      (cause: Error) => cause,
    )
    expect(failure.message).toMatch(message)
    expect(failure.message).toContain(`${again.snapshot_id} failed, the lake serves ${first.snapshot_id}`)
    expect(await currentSnapshotId(lake)).toBe(first.snapshot_id)
    expect(await snapshotIds(lake)).toEqual(kept)
    expect(await readdir(join(lake, 'staging'))).toEqual([])
    await verifySnapshot(lake, await readManifest(lake, first.snapshot_id))
  })

  it('because of a full disk leaves the old snapshot current', async ({ skip }) => {
    const lake = await emptyLake()
    await mkdir(lake)
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', lake]).status !== 0)
      skip('cannot mount a tmpfs here')
    onTestFinished(() => void spawnSync('umount', [lake]))
    const { snapshot_id } = await publishNth(lake, 1)
    await expect(publishNth(lake, 2, { report: 'x'.repeat(1 << 18) })).rejects.toThrow(
      new RegExp(`serves ${snapshot_id}: ENOSPC.*staging/next/manifest\\.json`),
    )
    expect(await snapshotIds(lake)).toEqual([snapshot_id])
    expect(await readdir(join(lake, 'staging'))).toEqual([])
    await publishNth(lake, 2)
  })

  it('in a lake without a snapshot leaves it without one', async () => {
    const lake = await emptyLake()
    await mkdir(lake)
    await writeFile(join(lake, 'snapshots'), 'in the way')
    await expect(publishNth(lake, 1, { snapshot_id: '000001-deadbeef' })).rejects.toThrow(/ENOTDIR|EEXIST/)
    expect(await currentSnapshotId(lake)).toBeNull()
  })
})

describe('removeOrphans', () => {
  it('removes exactly what an interrupted publication has left', async () => {
    const lake = await emptyLake()
    const first = await publishNth(lake, 1)
    const second = await publishNth(lake, 2)
    await mkdir(join(lake, 'staging/next/listings'), { recursive: true })
    await mkdir(join(lake, 'snapshots/000003-deadbeef/listings'), { recursive: true })
    await mkdir(join(lake, 'snapshots/000004-deadbeef'))
    await writeFile(join(lake, 'snapshots/000004-deadbeef/manifest.json'), '{"format": 1, "snap')
    await mkdir(join(lake, 'snapshots/notes'))
    await writeFile(join(lake, 'current.tmp'), '000003-')
    expect((await removeOrphans(lake)).removed.sort()).toEqual([
      'current.tmp',
      'snapshots/000003-deadbeef',
      'snapshots/000004-deadbeef',
      'staging/next',
    ])
    expect(await removeOrphans(lake)).toEqual({ removed: [], warnings: [] })
    expect((await readdir(join(lake, 'snapshots'))).sort()).toEqual([first.snapshot_id, second.snapshot_id, 'notes'])
    expect(await currentSnapshotId(lake)).toBe(second.snapshot_id)
  })

  it('leaves snapshots of another format, the current snapshot and an empty lake alone', async () => {
    const lake = await emptyLake()
    expect(await removeOrphans(lake)).toEqual({ removed: [], warnings: [] })
    const { snapshot_id } = await publishNth(lake, 1)
    await mkdir(join(lake, 'snapshots/000002-deadbeef'))
    await writeFile(join(lake, 'snapshots/000002-deadbeef/manifest.json'), '{"format": 2}')
    await rm(join(snapshotFolder(lake, snapshot_id), 'manifest.json'))
    expect(await removeOrphans(lake)).toEqual({ removed: [], warnings: [] })
  })
})
