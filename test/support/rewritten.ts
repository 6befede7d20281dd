import { createHash } from 'node:crypto'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { rewriteIndex } from '../../bench/copies/search-index.ts'
import { readManifest, snapshotFolder } from '../../engine/index.ts'
import { Database } from '../../ingest/database.ts'
import { writeAsEarlier } from '../ingest/small-lake.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The SELECT of a file's new rows; `source` is the file as a table function, `folder` that of the snapshot. */
type RewrittenBy = (source: string, folder: string) => string

const entryOf = async (folder: string, path: string, rows: number) => {
  const bytes = await readFile(join(folder, path))
  return { path, rows, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Writes the index of a snapshot again; returns the entries of its files in the manifest. */
const indexEntries = async (folder: string) => {
  const database = await Database.open({ memory_limit: '1GiB', spill: await temporaryFolder() })
  const rows = await rewriteIndex(database, folder).finally(() => database.close())
  return Promise.all(Object.entries(rows).map(([path, count]) => entryOf(folder, path, count)))
}

/** Rewrites the files of tables of a snapshot, its index if listings are among them, and its manifest with them. */
export const rewriteTables = async (
  lake: string,
  id: string,
  tables: Readonly<Record<string, RewrittenBy>>,
): Promise<void> => {
  const folder = snapshotFolder(lake, id)
  const rewritten = join(await temporaryFolder(), 'rewritten.parquet')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const { files, ...manifest } = await readManifest(lake, id)
  const all = []
  for (const entry of files) {
    const select = tables[entry.path.split('/', 1)[0]!]
    if (!select) {
      all.push(entry)
      continue
    }
    const file = join(folder, entry.path)
    await connection.run(
      `COPY (${select(`read_parquet('${file}', hive_partitioning = false)`, folder)}) TO '${rewritten}' (FORMAT parquet)`,
    )
    await copyFile(rewritten, file)
    const counted = await connection.runAndReadAll(`SELECT count(*)::INTEGER AS rows FROM read_parquet('${file}')`)
    const [{ rows } = { rows: 0 }] = counted.getRowObjectsJS() as { rows: number }[]
    all.push({ ...entry, ...(await entryOf(folder, entry.path, rows)) })
  }
  connection.closeSync()
  const index = tables.listings ? await indexEntries(folder) : []
  const others = all.filter(({ path }) => !index.some((entry) => entry.path === path))
  await writeAsEarlier(lake, id, JSON.stringify({ ...manifest, files: [...others, ...index] }))
}
