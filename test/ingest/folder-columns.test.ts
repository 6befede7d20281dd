import { cp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, test } from 'vitest'
import { Engine, type Manifest, readCurrentManifest, snapshotFolder } from '../../engine/index.ts'
import { upgrade } from '../../ingest/refresh.ts'
import { rollback, verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { ask } from '../support/ask.ts'
import { csv, newFolder, query, runFiles } from './feeds.ts'
import { folderColumns, toFormat3 } from './format-3.ts'

/** Two countries, three months, two years. */
const ROWS = ['2025-12-30', '2026-01-05', '2026-02-09'].flatMap((day) => [
  `acme,us,mug,${day}T10:00:00Z,10.00,USD`,
  `acme,us,cup,${day}T10:00:00Z,4.00,USD`,
  `acme,ca,mug,${day}T11:00:00Z,14.00,CAD`,
])
/** More of the last month. */
const LATER = csv('acme,us,mug,2026-02-20T10:00:00Z,11.00,USD')

const TABLES = {
  department_days: ['country'],
  listing_days: ['country', 'year', 'block'],
  listing_months: ['country', 'year'],
  listings: ['country'],
  observation_times: ['country', 'month'],
  observations: ['country', 'month'],
  shelf_days: ['country'],
  shelf_months: ['country'],
}

const firstLake = () => runFiles({ 'price_observations/a.csv': csv(...ROWS) })
const manifestOf = async (lake: string): Promise<Manifest> => (await readCurrentManifest(lake))!

/** The rows of one file by a reader that knows nothing of its path. */
const rowsAlone = async (path: string): Promise<Record<string, unknown>[]> => {
  const bytes = await readFile(path)
  return parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    compressors,
  })
}

/** Checks the columns of every file that lies in a folder named by some; returns these by table. */
const checkColumns = async (lake: string): Promise<Record<string, string[]>> => {
  const { files, snapshot_id } = await manifestOf(lake)
  const columns: Record<string, string[]> = {}
  for (const { path, rows } of files.filter(({ path }) => path.includes('=') && path.endsWith('.parquet'))) {
    const expected = folderColumns(path)
    columns[path.split('/')[0]!] = Object.keys(expected)
    const alone = await rowsAlone(join(snapshotFolder(lake, snapshot_id), path))
    expect(alone, path).toHaveLength(rows)
    for (const row of alone) expect(row, path).toMatchObject(expected)
  }
  return columns
}

test('every file of Parquet has the columns that its folders are named by, as an independent reader sees without its path', async () => {
  const { lake } = await firstLake()
  expect(await checkColumns(lake)).toEqual(TABLES)
})

describe('a lake of format 3, whose files lack these columns', () => {
  const oldLake = async () => {
    const { lake } = await firstLake()
    const current = join(await newFolder(), 'lake')
    await cp(lake, current, { recursive: true })
    await toFormat3(lake)
    return { old: lake, current }
  }

  test('is verified, and refused with what to run', async () => {
    const { old } = await oldLake()
    const { snapshot_id, format } = await manifestOf(old)
    expect(format).toBe(3)
    await expect(checkColumns(old)).rejects.toThrow('country')
    await expect(Engine.open(old)).rejects.toMatchObject({
      code: 'NOT_READY',
      message:
        `snapshot ${snapshot_id} of ${old} is of lake format 3, not 10; ` +
        `to serve it, run: npm run -s refresh -- upgrade --lake ${old}`,
    })
    expect((await verifyLake(old)).flatMap(({ problems }) => problems)).toEqual([])
  })

  test('has after the next refresh the same files as one that always had them', async () => {
    const { old, current } = await oldLake()
    for (const lake of [old, current]) await runFiles({ 'price_observations/b.csv': LATER }, { lake })
    const [upgraded, always] = [await manifestOf(old), await manifestOf(current)]
    expect(upgraded.files).toEqual(always.files)
    expect(upgraded).toMatchObject({ format: 10, digest: always.digest })
    expect(await checkColumns(old)).toEqual(TABLES)
    expect((await verifyLake(old)).flatMap(({ problems }) => problems)).toEqual([])
  })

  test('is the same in the current format once it is upgraded, and needs no feeds for it', async () => {
    const { old, current } = await oldLake()
    expect(await upgrade({ lake: old })).toMatchObject({ status: 'published' })
    const [upgraded, always] = [await manifestOf(old), await manifestOf(current)]
    expect(upgraded).toMatchObject({ format: 10, digest: always.digest, files: always.files })
    expect(await upgrade({ lake: old })).toMatchObject({ status: 'unchanged' })
    expect(await rollback(old)).toMatchObject({ from: upgraded.snapshot_id, format: 3 })
  })

  // The mug cost 10.00 on three days, of which 9 February is the last, and costs 11.00 on a fourth; now is 24 February.
  test('says how low a price is once a refresh has counted', async () => {
    const { old } = await oldLake()
    const lowness = async () => {
      const engine = await Engine.open(old, { as_of: new Date('2026-02-25'), threads: 1 })
      const answer = await ask(engine, 'shopper/best-price', { q: 'mug', days: 30 })
      engine.close()
      const { percentile_in_history, days_since_lower, previous_price } = answer.best_price
      return [percentile_in_history, days_since_lower, previous_price]
    }
    await runFiles({ 'price_observations/b.csv': LATER }, { lake: old })
    expect(await lowness()).toEqual([75, 15, 10])
  })

  test('gets a new snapshot from feeds that it has already, after which unchanged files are links again', async () => {
    const { old } = await oldLake()
    const { digest } = await manifestOf(old)
    const again = await runFiles({ 'price_observations/a.csv': csv(...ROWS) }, { lake: old })
    expect(again.status).toBe('published')
    expect(again.digest).not.toBe(digest)
    expect(await checkColumns(old)).toEqual(TABLES)
    expect((await runFiles({ 'price_observations/a.csv': csv(...ROWS) }, { lake: old })).status).toBe('unchanged')
    const { snapshot_id } = await runFiles({ 'price_observations/b.csv': LATER }, { lake: old })
    const inodes = [again.snapshot_id!, snapshot_id!].map(async (id) => {
      const path = join(snapshotFolder(old, id), 'observations/country=us/month=2025-12/part-0.parquet')
      return (await stat(path)).ino
    })
    expect(await inodes[0]).toBe(await inodes[1])
  })
})

test('row groups of a file that gets its columns keep their size', async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => `acme,us,${index},2025-12-30T10:00:00Z,10.00,USD`)
  const { lake } = await runFiles({ 'price_observations/a.csv': csv(...rows) })
  const groups = async (): Promise<unknown> => {
    const { snapshot_id } = await manifestOf(lake)
    const path = join(snapshotFolder(lake, snapshot_id), 'listing_months/country=us/year=2025/part-0.parquet')
    return query(`SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata('${path}') ORDER BY ALL`)
  }
  const before = await groups()
  expect(before).toHaveLength(2)
  await toFormat3(lake)
  await runFiles({ 'price_observations/b.csv': LATER }, { lake })
  expect(await groups()).toEqual(before)
  // A format-3 lake has no listing_days: this refresh writes them, one file for each 16,384 listings.
  const { files } = await manifestOf(lake)
  const blocks = files.filter(({ path }) => path.startsWith('listing_days/country=us/year=2025/'))
  expect(blocks.map(({ path, rows }) => [/block=(\d+)/.exec(path)![1], rows])).toEqual([
    ['0', 16_383],
    ['1', 13_617],
  ])
})
