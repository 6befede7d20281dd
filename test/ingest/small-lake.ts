import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { currentSnapshotId, type Manifest, snapshotFolder, snapshotIds } from '../../engine/index.ts'
import { linkFrom, nextSnapshotId, type Publication, type Published, publish } from '../../ingest/snapshot/publish.ts'

/** The text of each file of a snapshot, by path: publishing is about bytes, so none of these is real Parquet. */
export type Contents = Record<string, string>

/** What the n-th snapshot of a test holds: two files that change every time, one every third time, one never. */
export const contentsOf = (n: number): Contents => ({
  'categories.parquet': 'categories',
  'listings/country=us/part-0.parquet': `listings ${n}`,
  'observations/country=us/month=2026-01/part-0.parquet': `january ${Math.floor(n / 3)}`,
  'observations/country=us/month=2026-02/part-0.parquet': `february ${n}`,
})

/** Stages and publishes as a refresh does: unchanged files are linked from the snapshot before, the others are written. */
export const publishContents = async (
  lake: string,
  contents: Contents,
  fields: Partial<Publication> = {},
): Promise<Manifest> => (await publishWarned(lake, contents, fields)).manifest

/** As `publishContents`, with the warnings. */
export const publishWarned = async (
  lake: string,
  contents: Contents,
  fields: Partial<Publication> = {},
): Promise<Published> => {
  const current = await currentSnapshotId(lake)
  const before = current && snapshotFolder(lake, current)
  const staged = join(lake, 'staging', 'next')
  for (const [path, text] of Object.entries(contents)) {
    if (before && (await readFile(join(before, path), 'utf8').catch(() => null)) === text)
      await linkFrom(before, staged, path)
    else {
      await mkdir(dirname(join(staged, path)), { recursive: true })
      await writeFile(join(staged, path), text)
    }
  }
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('hex')
  return publish({
    lake,
    staged,
    snapshot_id: nextSnapshotId((await snapshotIds(lake))[0] ?? null, digest),
    digest,
    observed_from: '2026-01-01T00:00:00Z',
    observed_to: '2026-02-28T12:00:00Z',
    thin_below: 25,
    counts: { listings: 2, observations: 1234 },
    report: { rows_read: 7 },
    rows: Object.fromEntries(Object.keys(contents).map((path) => [path, 1])),
    ...fields,
  })
}

export const publishNth = (lake: string, n: number, fields: Partial<Publication> = {}): Promise<Manifest> =>
  publishContents(lake, contentsOf(n), fields)

/** Leaves a manifest and the pointer to it as versions wrote them that knew no hash of either. */
export const writeAsEarlier = async (lake: string, id: string, manifest: string): Promise<void> => {
  await rm(join(snapshotFolder(lake, id), 'manifest.sha256'))
  await writeFile(join(snapshotFolder(lake, id), 'manifest.json'), manifest)
  await writeFile(join(lake, 'current'), `${id}\n`)
}

/** Numbers in [0, 1) that are the same in every run (Park and Miller's generator). */
export const seededRandom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
