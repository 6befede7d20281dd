import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { icebergManifests, icebergMetadata, icebergRead } from 'icebird'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, openStore } from '../../../engine/index.ts'
import { writeIceberg } from '../../../ingest/iceberg/iceberg.ts'
import { pull } from '../../../ingest/snapshot/pull.ts'
import { push } from '../../../ingest/snapshot/push.ts'
import { rollback, verifyLake } from '../../../ingest/snapshot/snapshots.ts'
import { transfer } from '../../../ingest/snapshot/transfer.ts'
import { type FileServer, serveFiles } from '../../support/static-files.ts'
import { emptyLake } from '../empty-lake.ts'
import { csv, type Lake, newFolder, query, runFiles } from '../feeds.ts'
import { toFormat3 } from '../format-3.ts'
import { asText, FEEDS, ROWS, readSource, TABLES } from './tables.ts'

let lake: Lake
let server: FileServer
beforeAll(async () => {
  lake = await runFiles(FEEDS)
  server = await serveFiles(lake.lake)
  await writeIceberg(lake.lake, { address: server.url })
})

const tableUrl = (name: string, of = server): string => `${of.url}/iceberg/${name}`

describe('the tables that an independent reader finds', () => {
  test('are those of the snapshot, but for the search index and what only refreshes read', async () => {
    expect((await readdir(join(lake.lake, 'iceberg'))).sort()).toEqual(TABLES)
  })

  test.each(TABLES)('%s has the columns and rows that DuckDB reads', async (name) => {
    const { columns, rows } = await readSource(lake, name)
    const metadata = await icebergMetadata({ tableUrl: tableUrl(name) })
    expect(metadata.schemas[0]!.fields.map((field) => field.name)).toEqual(columns)
    if (rows.length === 0) {
      const [manifest] = await icebergManifests(metadata)
      expect(manifest!.entries).toEqual([])
    } else expect(asText(await icebergRead({ tableUrl: tableUrl(name) }))).toEqual(asText(rows))
  })

  test('have the counts and sums of a country and month', async () => {
    const rows = await icebergRead({ tableUrl: tableUrl('observations') })
    const sumOf = (country: string, month: string) => {
      const partition = rows.filter((row) => row.country === country && row.month === month)
      return { count: partition.length, cents: partition.reduce((sum, { price }) => sum + price, 0) }
    }
    expect(sumOf('us', '2026-02')).toEqual({ count: 2, cents: 1600 })
    expect(sumOf('ca', '2025-12')).toEqual({ count: 1, cents: 1450 })
  })
})

type Pair = { key: number; value: Uint8Array }

/** A bound as its column has it. */
const decode = (type: unknown, bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes)
  if (type === 'string') return buffer.toString()
  if (type === 'long') return String(buffer.readBigInt64LE())
  const number = buffer.readInt32LE()
  return type === 'date' ? new Date(number * DAY_MS).toISOString().slice(0, 10) : String(number)
}

describe('by the metadata alone a reader knows', () => {
  test('which files a country and month are in', async () => {
    const before = server.requests.length
    const [manifest] = await icebergManifests(await icebergMetadata({ tableUrl: tableUrl('observations') }))
    expect(server.requests.slice(before).filter((path) => path.endsWith('.parquet'))).toEqual([])
    const partitions = manifest!.entries.map(({ data_file }) => data_file.partition as unknown)
    expect(partitions).toHaveLength(6)
    expect(partitions).toEqual(
      expect.arrayContaining(
        ['us', 'ca'].flatMap((country) => ['2025-12', '2026-01', '2026-02'].map((month) => ({ country, month }))),
      ),
    )
    const years = await icebergManifests(await icebergMetadata({ tableUrl: tableUrl('listing_months') }))
    expect(years[0]!.entries.map(({ data_file }) => data_file.partition)).toContainEqual({
      country: 'ca',
      year: '2026',
    })
  })

  test.each(['observations', 'listings', 'listing_months', 'social_brand_days'])(
    'the lowest and highest values of the columns of each file of %s',
    async (name) => {
      const metadata = await icebergMetadata({ tableUrl: tableUrl(name) })
      const [manifest] = await icebergManifests(metadata)
      const fields = new Map(metadata.schemas[0]!.fields.map((field) => [field.id, field]))
      expect(manifest!.entries.length).toBeGreaterThan(0)
      for (const { data_file } of manifest!.entries) {
        const path = data_file.file_path.replace(server.url, lake.lake)
        const { lower_bounds, upper_bounds, record_count } = data_file as unknown as Record<
          'lower_bounds' | 'upper_bounds',
          Pair[]
        > & { record_count: bigint }
        expect(lower_bounds.length).toBeGreaterThan(2)
        for (const [index, { key, value }] of lower_bounds.entries()) {
          const { name: column, type } = fields.get(key)!
          const [actual] = await query(`SELECT min("${column}")::VARCHAR AS lower, max("${column}")::VARCHAR AS upper,
            count(*)::VARCHAR AS rows FROM read_parquet('${path}', hive_partitioning = false)`)
          expect(upper_bounds[index]!.key).toBe(key)
          const bounds = { lower: decode(type, value), upper: decode(type, upper_bounds[index]!.value) }
          expect({ ...bounds, rows: String(record_count) }, `${column} of ${path}`).toEqual(actual)
        }
      }
    },
  )
})

describe('after a refresh', () => {
  const refreshed = async () => {
    const first = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    const files = await serveFiles(first.lake)
    await writeIceberg(first.lake, { address: files.url })
    const more = { 'price_observations/b.csv': csv('acme,us,mug,2026-02-20T10:00:00Z,11.00,USD') }
    const second = await runFiles(more, { lake: first.lake })
    return { lake: first.lake, files, first, second }
  }
  const rowsOf = async (files: FileServer, metadataFileName?: string): Promise<number> =>
    (
      await icebergRead({
        tableUrl: tableUrl('observations', files),
        ...(metadataFileName === undefined ? {} : { metadataFileName }),
      })
    ).length

  test('the next run leads readers to the new snapshot, and one at the version before still reads that', async () => {
    const { lake: folder, files, second } = await refreshed()
    expect(await rowsOf(files)).toBe(9)
    const report = await writeIceberg(folder, { address: files.url })
    expect(report.snapshot_id).toBe(second.snapshot_id)
    expect(report.tables.find(({ table: name }) => name === 'observations')).toEqual({
      table: 'observations',
      location: tableUrl('observations', files),
      version: 2,
      files: 6,
      rows: 10,
    })
    expect(await rowsOf(files)).toBe(10)
    expect(await rowsOf(files, 'v1.metadata.json')).toBe(9)
  })

  test('and a rollback the newest version is of the snapshot that is published; three versions stay', async () => {
    const { lake: folder, files, first } = await refreshed()
    await rollback(folder, first.snapshot_id!)
    for (let run = 0; run < 3; run += 1) await writeIceberg(folder, { address: files.url })
    const metadata = await icebergMetadata({ tableUrl: tableUrl('observations', files) })
    expect(metadata.properties).toMatchObject({ 'shelfmark.snapshot_id': first.snapshot_id })
    expect(await rowsOf(files)).toBe(9)
    const names = await readdir(join(folder, 'iceberg/observations/metadata'))
    expect(names.sort()).toEqual([
      ...[2, 3, 4].flatMap((version) =>
        ['-manifest.avro', '-manifests.avro', '.metadata.json'].map((end) => `v${version}${end}`),
      ),
      'version-hint.text',
    ])
  })
})

describe('the addresses', () => {
  const metadataOf = async (folder: string, version: number) =>
    JSON.parse(await readFile(join(folder, `iceberg/listings/metadata/v${version}.metadata.json`), 'utf8'))

  test('are those of the folder, and after it has moved the next run names the new one', async () => {
    const { lake: folder } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    await writeIceberg(folder)
    expect((await metadataOf(folder, 1)).location).toBe(`file://${folder}/iceberg/listings`)
    const moved = join(await newFolder(), 'moved lake')
    await rename(folder, moved)
    await writeIceberg(moved)
    const { location, snapshots } = await metadataOf(moved, 2)
    expect(location).toBe(`file://${moved}/iceberg/listings`)
    expect(snapshots[0]['manifest-list']).toBe(`${location}/metadata/v2-manifests.avro`)
  })

  test('are below the one that is given', async () => {
    const { lake: folder } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    await writeIceberg(folder, { address: 's3://bucket/lake/' })
    expect((await metadataOf(folder, 1)).location).toBe('s3://bucket/lake/iceberg/listings')
  })
})

test('a lake with it is verified, backed up, pulled into and restored as before', async () => {
  const { lake: folder, snapshot_id } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
  await writeIceberg(folder)
  const [backup, store] = [join(await newFolder(), 'backup'), openStore(join(await newFolder(), 'store'))]
  expect((await verifyLake(folder)).flatMap(({ problems }) => problems)).toEqual([])
  expect(await transfer(folder, backup)).toMatchObject({ serves: snapshot_id, refused: [] })
  expect(await readdir(backup)).not.toContain('iceberg')
  await push(folder, store)
  expect(await pull(store, folder)).toMatchObject({ snapshot_id, is_present: true })
  expect(await transfer(backup, folder)).toMatchObject({ serves: snapshot_id, refused: [] })
})

test('a lake without a snapshot is refused and not created, and so is one whose files lack the columns of their folders', async () => {
  const nothing = await emptyLake()
  await expect(writeIceberg(nothing)).rejects.toMatchObject({ code: 'NOT_READY' })
  await expect(readdir(nothing)).rejects.toThrow('ENOENT')
  const { lake: folder, snapshot_id } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
  await toFormat3(folder)
  await expect(writeIceberg(folder)).rejects.toMatchObject({
    code: 'NOT_READY',
    message: `snapshot ${snapshot_id} of ${folder} is of lake format 3, whose files lack the columns country, month and year; refresh the lake, then retry`,
  })
})
