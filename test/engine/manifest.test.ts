import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  currentSnapshotId,
  type Manifest,
  readManifest,
  snapshotFolder,
  snapshotIds,
  verifySnapshot,
} from '../../engine/manifest.ts'
import { emptyLake } from '../ingest/empty-lake.ts'
import { publishNth, seededRandom } from '../ingest/small-lake.ts'

const published = async () => {
  const lake = await emptyLake()
  const manifest = await publishNth(lake, 1)
  return { lake, manifest, folder: snapshotFolder(lake, manifest.snapshot_id) }
}

const refusal = (file: string, reason: string | RegExp) => ({
  code: 'NOT_READY',
  details: expect.objectContaining({ file, reason: expect.stringMatching(reason) }),
})

describe('the pointer', () => {
  it('is null where nothing is published, else the id of the newest snapshot', async () => {
    const lake = await emptyLake()
    expect(await currentSnapshotId(lake)).toBeNull()
    expect(await snapshotIds(lake)).toEqual([])
    const first = await publishNth(lake, 1)
    const second = await publishNth(lake, 2)
    expect(await currentSnapshotId(lake)).toBe(second.snapshot_id)
    expect(await snapshotIds(lake)).toEqual([second.snapshot_id, first.snapshot_id])
    expect(second.previous).toBe(first.snapshot_id)
  })

  it.each(['../../etc', '', '/etc/passwd', '000001-deadbeef/../..', '000001-deadbeef\n000002-deadbeef\n', '000001\0'])(
    'refuses %j',
    async (text) => {
      const { lake } = await published()
      await writeFile(join(lake, 'current'), text)
      await expect(currentSnapshotId(lake)).rejects.toMatchObject(refusal('current', 'no snapshot id'))
      await expect(currentSnapshotId(lake)).rejects.toThrow(`rollback [ID] --lake ${lake}`)
    },
  )

  it('refuses a pointer that is a folder', async () => {
    const lake = await emptyLake()
    await mkdir(join(lake, 'current'), { recursive: true })
    await expect(currentSnapshotId(lake)).rejects.toMatchObject(refusal('current', 'EISDIR'))
  })
})

describe('a manifest', () => {
  it('is read as it was published', async () => {
    const { lake, manifest } = await published()
    expect(await readManifest(lake, manifest.snapshot_id)).toEqual(manifest)
  })

  const damage: [string, (manifest: Manifest) => string, string][] = [
    ['an empty file', () => '', 'not JSON'],
    ['half a file', (manifest) => JSON.stringify(manifest).slice(0, 200), 'not JSON'],
    ['another format', (manifest) => JSON.stringify({ ...manifest, format: 2 }), '^of lake format 2, not 3$'],
    [
      'another snapshot',
      (manifest) => JSON.stringify({ ...manifest, snapshot_id: '000007-0badc0de' }),
      '000007-0badc0de',
    ],
    ...['../../secret', '/etc/passwd', 'a/../../b', 'a//b', './a', '', 'a\\b'].map(
      (path): [string, (manifest: Manifest) => string, string] => [
        `a file at ${JSON.stringify(path)}`,
        (manifest) => JSON.stringify({ ...manifest, files: [{ ...manifest.files[0]!, path }] }),
        'files.0.path: leaves the snapshot folder',
      ],
    ),
  ]
  it.each(damage)('is refused where it is %s', async (_, write, reason) => {
    const { lake, manifest, folder } = await published()
    await writeFile(join(folder, 'manifest.json'), write(manifest))
    await expect(readManifest(lake, manifest.snapshot_id)).rejects.toMatchObject(refusal('manifest.json', reason))
  })

  it('is refused where it is missing, and looked for under a snapshot id only', async () => {
    const { lake, manifest, folder } = await published()
    await expect(readManifest(lake, '../000001-deadbeef')).rejects.toMatchObject(
      refusal('manifest.json', 'no snapshot id'),
    )
    await rm(join(folder, 'manifest.json'))
    await expect(readManifest(lake, manifest.snapshot_id)).rejects.toMatchObject(refusal('manifest.json', 'missing'))
  })
})

describe('verification', () => {
  it('passes a sound snapshot and reports how far it is', async () => {
    const { lake, manifest } = await published()
    const steps: { files: number; bytes: number }[] = []
    await verifySnapshot(lake, manifest, { onProgress: (progress) => steps.push(progress) })
    expect(steps.map((step) => step.files)).toEqual([1, 2, 3, 4])
    expect(steps.at(-1)!.bytes).toBe(
      'categories'.length + 'listings 1'.length + 'january 0'.length + 'february 1'.length,
    )
  })

  it('refuses every flipped bit, naming the file', async () => {
    const { lake, manifest, folder } = await published()
    const random = seededRandom(7)
    for (let flip = 0; flip < 200; flip += 1) {
      const { path } = manifest.files[Math.floor(random() * manifest.files.length)]!
      const sound = await readFile(join(folder, path))
      const damaged = Buffer.from(sound)
      damaged[Math.floor(random() * damaged.length)]! ^= 1 << Math.floor(random() * 8)
      await writeFile(join(folder, path), damaged)
      await expect(verifySnapshot(lake, manifest)).rejects.toMatchObject(refusal(path, 'another SHA-256'))
      await writeFile(join(folder, path), sound)
    }
    await verifySnapshot(lake, manifest)
  })

  it('refuses every truncation, naming the file and what to run', async () => {
    const { lake, manifest, folder } = await published()
    for (const { path, bytes } of manifest.files) {
      const sound = await readFile(join(folder, path))
      for (let kept = 0; kept < bytes; kept += 1) {
        await truncate(join(folder, path), kept)
        await expect(verifySnapshot(lake, manifest)).rejects.toMatchObject(
          refusal(path, `^${kept} bytes instead of ${bytes}`),
        )
        await writeFile(join(folder, path), sound)
      }
      await truncate(join(folder, path), 0)
      await expect(verifySnapshot(lake, manifest)).rejects.toThrow(
        `${path}: 0 bytes instead of ${bytes}. To see every problem run: npm run -s refresh -- verify --lake ${lake}`,
      )
      await writeFile(join(folder, path), sound)
    }
  })

  it('refuses a missing file, one that is not listed, a link and a path out of the snapshot', async () => {
    const { lake, manifest, folder } = await published()
    const stray = join(folder, 'observations/country=us/month=2026-01/part-1.parquet')
    await writeFile(stray, 'more')
    await expect(verifySnapshot(lake, manifest)).rejects.toMatchObject(
      refusal('observations/country=us/month=2026-01/part-1.parquet', 'not in the manifest'),
    )
    await rm(stray)
    const outside = { ...manifest, files: [...manifest.files, { ...manifest.files[0]!, path: '../../current' }] }
    await expect(verifySnapshot(lake, outside)).rejects.toMatchObject(refusal('../../current', 'leaves'))
    const categories = join(folder, 'categories.parquet')
    await rm(categories)
    await expect(verifySnapshot(lake, manifest)).rejects.toMatchObject(refusal('categories.parquet', 'missing'))
    await writeFile(join(lake, 'elsewhere'), 'categories')
    await symlink(join(lake, 'elsewhere'), categories)
    await expect(verifySnapshot(lake, manifest)).rejects.toMatchObject(refusal('categories.parquet', 'not a file'))
  })
})
