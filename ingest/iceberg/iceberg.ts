import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import {
  currentSnapshotId,
  EngineError,
  LAKE_FORMAT,
  type Manifest,
  readCurrentManifest,
  snapshotFolder,
  takeLease,
} from '../../engine/index.ts'
import { Database, DEFAULT_MEMORY_LIMIT, query } from '../database.ts'
import { withLock } from '../snapshot/lock.ts'
import { noSnapshot } from '../snapshot/snapshots.ts'
import { type DataFile, type ManifestOf, manifestFile, manifestList } from './manifest.ts'
import { FIRST_PARTITION_ID, tableMetadata } from './metadata.ts'
import { boundOf, type IcebergField, icebergFields } from './schema.ts'

/** What the footer of a file says of a column. */
const statistics = z.object({
  file: z.string(),
  bytes: z.number(),
  values: z.number(),
  nulls: z.number().nullable(),
  lower: z.array(z.string().nullable()),
  upper: z.array(z.string().nullable()),
})
const COLUMNS = query(
  import.meta.url,
  'columns',
  z.object({ name: z.string(), type: z.string(), statistics: z.array(statistics) }),
)
type TableColumns = readonly z.output<typeof COLUMNS.row>[]

/** The folder of the metadata, in the lake. */
const FOLDER = 'iceberg'
/** Versions of a table's metadata that stay: readers may be at an earlier one. */
const KEPT_VERSIONS = 3

export type IcebergOptions = {
  /** The address of the lake for readers, such as `s3://bucket/lake`; by default that of its folder. */
  address?: string | undefined
}

/** The result: the address of each table, with its files and rows. */
export type IcebergReport = {
  snapshot_id: string
  tables: { table: string; location: string; version: number; files: number; rows: number }[]
}

/** A table's files in a manifest, but for the index, whose rows mean something in their order alone. */
const filesByTable = ({ files }: Manifest): Map<string, Manifest['files']> => {
  const tables = new Map<string, Manifest['files']>()
  for (const file of files) {
    if (file.path.endsWith('.arrow')) continue
    const table = file.path.split('/')[0]!.replace(/\.parquet$/, '')
    tables.set(table, [...(tables.get(table) ?? []), file])
  }
  return tables
}

const partitionOf = (path: string): Record<string, string> =>
  Object.fromEntries([...path.matchAll(/(\w+)=([^/]+)\//g)].map(([, name, value]) => [name!, value!]))

const figuresOf = (fields: readonly IcebergField[], columns: TableColumns, path: string): DataFile['columns'] =>
  fields.flatMap(({ id, type }, number) => {
    // Those of a list are of its elements.
    const figures = typeof type === 'string' && columns[number]!.statistics.find(({ file }) => file === path)
    if (!figures) return []
    const { bytes, values, nulls, lower, upper } = figures
    return {
      ...{ id, bytes, values, nulls },
      lower: boundOf(type, 'lower', lower),
      upper: boundOf(type, 'upper', upper),
    }
  })

const versionOf = (name: string): number => Number(/^v(\d+)\b/.exec(name)?.[1] ?? 0)

/** Writes a file under its name at once as a whole. */
const place = async (folder: string, name: string, content: string | Buffer): Promise<void> => {
  await writeFile(join(folder, `.${name}.tmp`), content)
  await rename(join(folder, `.${name}.tmp`), join(folder, name))
}

type Job = { database: Database; lake: string; address: string; manifest: Manifest }

/** Writes the next version of a table's metadata; returns null if Iceberg has no types for its columns. */
const writeTable = async (
  { database, lake, address, manifest }: Job,
  table: string,
  entries: Manifest['files'],
): Promise<IcebergReport['tables'][number] | null> => {
  const { snapshot_id, published_at } = manifest
  const paths = entries.map(({ path }) => join(snapshotFolder(lake, snapshot_id), path))
  await database.set({ files: paths })
  const described = await database.rows(COLUMNS)
  const fields = icebergFields(described)
  if (fields === null) return null
  const files = entries.flatMap(({ path, bytes, rows }, number): DataFile[] => {
    const columns = figuresOf(fields, described, paths[number]!)
    const file = { address: `${address}/snapshots/${snapshot_id}/${path}`, bytes, rows, columns }
    return rows === 0 ? [] : [{ ...file, partition: partitionOf(path) }]
  })
  const partition = Object.keys(partitionOf(entries[0]!.path)).map((name, index) => ({
    'source-id': fields.find((field) => field.name === name)!.id,
    'field-id': FIRST_PARTITION_ID + index,
    name,
    transform: 'identity' as const,
  }))

  const folder = join(lake, FOLDER, table, 'metadata')
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  const version = Math.max(0, ...names.map(versionOf)) + 1
  const location = `${address}/${FOLDER}/${table}`
  const of: ManifestOf = { fields, partition, snapshot: Number.parseInt(snapshot_id, 10), sequence: version }
  const [inner, outer] = [`v${version}-manifest.avro`, `v${version}-manifests.avro`]
  const content = manifestFile(of, files)
  const list = `${location}/metadata/${outer}`
  await place(folder, inner, content)
  await place(
    folder,
    outer,
    manifestList(of, { address: `${location}/metadata/${inner}`, bytes: content.length }, files),
  )
  const metadata = tableMetadata({ ...of, location, list, files, snapshot_id, published_at })
  // Readers find the newest version by this name or by the hint: both come last.
  await place(folder, `v${version}.metadata.json`, metadata)
  await place(folder, 'version-hint.text', String(version))
  const old = names.filter((name) => versionOf(name) > 0 && versionOf(name) <= version - KEPT_VERSIONS)
  for (const name of old) await rm(join(folder, name))
  return { table, location, version, files: files.length, rows: files.reduce((sum, { rows }) => sum + rows, 0) }
}

const olderFormat = (lake: string, { snapshot_id, format }: Manifest): EngineError => {
  const reason = `of lake format ${format}, whose files lack the columns country, month and year`
  return new EngineError('NOT_READY', `snapshot ${snapshot_id} of ${lake} is ${reason}; refresh the lake, then retry`, {
    snapshot_id,
    reason,
  })
}

/**
 * Writes metadata of Apache Iceberg, version 2, for the tables of the published snapshot: into `iceberg/TABLE/metadata` of the
 * lake; nothing is copied. Readers must find the files at the lake's address. Tables whose columns Iceberg has no types for and
 * the search index are left out. NOT_READY if there is no snapshot, its files lack the columns of their folders, or another
 * process is changing the lake.
 */
export const writeIceberg = async (lake: string, options: IcebergOptions = {}): Promise<IcebergReport> => {
  if ((await currentSnapshotId(lake)) === null) throw noSnapshot(lake)
  return withLock(lake, async () => {
    const manifest = (await readCurrentManifest(lake))!
    if (manifest.format !== LAKE_FORMAT) throw olderFormat(lake, manifest)
    const lease = await takeLease(lake, manifest.snapshot_id)
    const spill = await mkdtemp(join(tmpdir(), 'shelfmark-iceberg-'))
    const database = await Database.open({ spill, memory_limit: DEFAULT_MEMORY_LIMIT, threads: 1 })
    try {
      // Readers take an address for a path as it is: nothing is escaped.
      const address = (options.address ?? `file://${resolve(lake)}`).replace(/\/+$/, '')
      const job: Job = { database, lake, address, manifest }
      const tables: IcebergReport['tables'] = []
      for (const [table, files] of filesByTable(manifest)) {
        const written = await writeTable(job, table, files)
        if (written) tables.push(written)
      }
      return { snapshot_id: manifest.snapshot_id, tables }
    } finally {
      database.close()
      lease.release()
      await rm(spill, { recursive: true, force: true })
    }
  })
}
