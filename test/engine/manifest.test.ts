import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  currentSnapshotId,
  type Manifest,
  readCurrentManifest,
  readManifest,
  readPointer,
  sha256Of,
  snapshotFolder,
  snapshotIds,
  verifySnapshot,
} from '../../engine/index.ts'
import { emptyLake } from '../ingest/empty-lake.ts'
import { publishNth, seededRandom, writeAsEarlier } from '../ingest/small-lake.ts'
import { sized } from '../support/full-size.ts'

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
  it('is null where nothing is published, otherwise the id of the newest snapshot', async () => {
    const lake = await emptyLake()
    expect(await currentSnapshotId(lake)).toBeNull()
    expect(await snapshotIds(lake)).toEqual([])
    const first = await publishNth(lake, 1)
    const second = await publishNth(lake, 2)
    expect(await currentSnapshotId(lake)).toBe(second.snapshot_id)
    expect(await snapshotIds(lake)).toEqual([second.snapshot_id, first.snapshot_id])
    expect(second.previous).toBe(first.snapshot_id)
  })

  it('contains the SHA-256 of the manifest', async () => {
    const { lake, manifest, folder } = await published()
    const sha256 = await sha256Of(join(folder, 'manifest.json'))
    expect(await readPointer(lake)).toEqual({ snapshot_id: manifest.snapshot_id, manifest_sha256: sha256 })
    expect(await readFile(join(folder, 'manifest.sha256'), 'utf8')).toBe(`${sha256}  manifest.json\n`)
    expect(await readCurrentManifest(lake)).toEqual(manifest)
  })

  it('is refused without a hash or with the hash of another manifest', async () => {
    const { lake, manifest } = await published()
    await writeFile(join(lake, 'current'), `${manifest.snapshot_id}\n`)
    await expect(readCurrentManifest(lake)).rejects.toMatchObject(refusal('current', 'lacks the SHA-256'))
    await writeFile(join(lake, 'current'), `${manifest.snapshot_id} ${'0'.repeat(64)}\n`)
    await expect(readCurrentManifest(lake)).rejects.toMatchObject(refusal('manifest.json', 'not as published'))
  })

  it('of an earlier version without hashes is accepted', async () => {
    const { lake, manifest } = await published()
    await writeAsEarlier(lake, manifest.snapshot_id, JSON.stringify(manifest))
    expect(await readPointer(lake)).toEqual({ snapshot_id: manifest.snapshot_id, manifest_sha256: null })
    expect(await readCurrentManifest(lake)).toEqual(manifest)
    const second = await publishNth(lake, 2)
    expect(await readPointer(lake)).toEqual({ snapshot_id: second.snapshot_id, manifest_sha256: expect.any(String) })
  })

  it.each([
    '../../etc',
    '',
    '/etc/passwd',
    '000001-deadbeef/../..',
    '000001-deadbeef\n000002-deadbeef\n',
    '000001\0',
    `000001-deadbeef ${'0'.repeat(63)}`,
  ])('is refused if it is %j', async (text) => {
    const { lake } = await published()
    await writeFile(join(lake, 'current'), text)
    await expect(currentSnapshotId(lake)).rejects.toMatchObject(refusal('current', 'names no snapshot'))
    await expect(currentSnapshotId(lake)).rejects.toThrow(`rollback [ID] --lake ${lake}`)
  })

  it('is refused if it is a folder', async () => {
    const lake = await emptyLake()
    await mkdir(join(lake, 'current'), { recursive: true })
    await expect(currentSnapshotId(lake)).rejects.toMatchObject(refusal('current', 'EISDIR'))
  })
})

describe('a manifest', () => {
  it('is read exactly as it was published', async () => {
    const { lake, manifest } = await published()
    expect(await readManifest(lake, manifest.snapshot_id)).toEqual(manifest)
  })

  const damage: [string, (manifest: Manifest) => string, string][] = [
    ['an empty file', () => '', 'not JSON'],
    ['half a file', (manifest) => JSON.stringify(manifest).slice(0, 200), 'not JSON'],
    ['another format', (manifest) => JSON.stringify({ ...manifest, format: 2 }), '^of lake format 2, not 3 to 10$'],
    [
      'another snapshot',
      (manifest) => JSON.stringify({ ...manifest, snapshot_id: '000007-0badc0de' }),
      '000007-0badc0de',
    ],
    ...['../../secret', '/etc/passwd', 'a/../../b', 'a//b', './a', '', 'a\\b'].map(
      (path): [string, (manifest: Manifest) => string, string] => [
        `a file at ${JSON.stringify(path)}`,
        (manifest) => JSON.stringify({ ...manifest, files: [{ ...manifest.files[0]!, path }] }),
        'files.0.path leaves the snapshot folder',
      ],
    ),
  ]
  it.each(damage)('is refused if it is %s', async (_, write, reason) => {
    const { lake, manifest } = await published()
    await writeAsEarlier(lake, manifest.snapshot_id, write(manifest))
    await expect(readManifest(lake, manifest.snapshot_id)).rejects.toMatchObject(refusal('manifest.json', reason))
  })

  const edits: [string, (manifest: Manifest) => Partial<Manifest>][] = [
    ['observed_to', () => ({ observed_to: '2126-02-28T12:00:00Z' })],
    ['observed_from', () => ({ observed_from: null })],
    ['published_at', () => ({ published_at: '2027-01-01T00:00:00Z' })],
    ['thin_below', () => ({ thin_below: 24 })],
    ['counts', ({ counts }) => ({ counts: { ...counts, observations: 1235 } })],
    ['the files', ({ files }) => ({ files: files.slice(1) })],
    ['the digest', () => ({ digest: '0'.repeat(64) })],
    ['previous', () => ({ previous: '000009-deadbeef' })],
  ]
  it.each(edits)('is refused if %s was edited, even in a snapshot that is not current', async (_, edit) => {
    const { lake, manifest, folder } = await published()
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...edit(manifest) }))
    const refused = refusal('manifest.json', 'not as published')
    await expect(readCurrentManifest(lake)).rejects.toMatchObject(refused)
    await expect(readManifest(lake, manifest.snapshot_id)).rejects.toMatchObject(refused)
  })

  it('is refused if any single bit of it is flipped', async () => {
    const { lake, manifest, folder } = await published()
    const sound = await readFile(join(folder, 'manifest.json'))
    for (let byte = 0; byte < sound.length; byte += sized(11, 1)) {
      const damaged = Buffer.from(sound)
      damaged[byte]! ^= 1 << (byte & 7)
      await writeFile(join(folder, 'manifest.json'), damaged)
      await expect(readManifest(lake, manifest.snapshot_id)).rejects.toMatchObject({ code: 'NOT_READY' })
    }
  })

  it('is refused in a folder that is a symbolic link, with the name of its snapshot', async () => {
    const { lake, manifest, folder } = await published()
    await rename(folder, `${folder}.elsewhere`)
    await symlink(`${folder}.elsewhere`, folder)
    await expect(readManifest(lake, manifest.snapshot_id)).rejects.toThrow(
      `snapshot ${manifest.snapshot_id}: its folder is a symbolic link`,
    )
  })

  it('is refused if it is missing or its id is not a snapshot id', async () => {
    const { lake, manifest, folder } = await published()
    await expect(readManifest(lake, '../000001-deadbeef')).rejects.toMatchObject(
      refusal('manifest.json', 'not a snapshot id'),
    )
    await rm(join(folder, 'manifest.json'))
    await expect(readManifest(lake, manifest.snapshot_id)).rejects.toMatchObject(refusal('manifest.json', 'missing'))
  })
})

describe('verification', () => {
  it('accepts a sound snapshot and reports its progress', async () => {
    const { lake, manifest } = await published()
    const steps: { files: number; bytes: number }[] = []
    await verifySnapshot(lake, manifest, { onProgress: (progress) => steps.push(progress) })
    expect(steps.map((step) => step.files)).toEqual([1, 2, 3, 4])
    expect(steps.at(-1)!.bytes).toBe(
      'categories'.length + 'listings 1'.length + 'january 0'.length + 'february 1'.length,
    )
  })

  it('refuses a flipped bit and names the file', async () => {
    const { lake, manifest, folder } = await published()
    const random = seededRandom(7)
    for (let flip = 0; flip < sized(40, 200); flip += 1) {
      const { path } = manifest.files[Math.floor(random() * manifest.files.length)]!
      const sound = await readFile(join(folder, path))
      const damaged = Buffer.from(sound)
      damaged[Math.floor(random() * damaged.length)]! ^= 1 << Math.floor(random() * 8)
      await writeFile(join(folder, path), damaged)
      await expect(verifySnapshot(lake, manifest)).rejects.toMatchObject(refusal(path, 'SHA-256 not as published'))
      await writeFile(join(folder, path), sound)
    }
    await verifySnapshot(lake, manifest)
  })

  it('refuses a truncated file and names it and the command to run', async () => {
    const { lake, manifest, folder } = await published()
    for (const { path, bytes } of manifest.files) {
      const sound = await readFile(join(folder, path))
      for (let kept = 0; kept < bytes; kept += sized(7, 1)) {
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

  it('refuses a missing file, an unlisted file, a symbolic link and a path outside the snapshot', async () => {
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
