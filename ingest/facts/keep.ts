import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { snapshotFolder } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { literal } from '../feeds/sql-text.ts'
import type { RefreshPaths } from '../paths.ts'
import { linkFrom } from '../snapshot/publish.ts'

/** The columns that the folders of a file are named by, such as `'us' AS country`. */
const folderColumns = (path: string): string[] =>
  [...path.matchAll(/(\w+)=([^/]+)\//g)].map(([, name, value]) => `${literal(value!)} AS ${name}`)

/** Since this lake format files have the columns that their folders are named by. */
const FIRST_WITH_FOLDER_COLUMNS = 4

const MIN_ROW_GROUP_ROWS = 2048

/** Writes a file with the columns that its folders are named by, in row groups as large as before. */
const writeWithFolderColumns = async (database: Database, path: string, from: string, to: string): Promise<void> => {
  const [groups] = await database.execute<{ rows: number }>(
    `SELECT max(row_group_num_rows)::INTEGER AS rows FROM parquet_metadata(${literal(from)})`,
  )
  await database.execute(`COPY (
      SELECT *, ${folderColumns(path).join(', ')} FROM read_parquet(${literal(from)}, hive_partitioning = false)
    ) TO ${literal(to)}
    (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${Math.max(MIN_ROW_GROUP_ROWS, groups?.rows ?? 0)})`)
}

/**
 * Keeps files of the previous snapshot: links them, or, if their lake format is an older one, whose files lack the columns that
 * their folders are named by, writes them with these columns. Returns the rows of each written file, by its path.
 */
export const keepFiles = async (
  database: Database,
  { snapshot, previous, lake }: RefreshPaths,
  files: readonly string[],
): Promise<Record<string, number>> => {
  const rows: Record<string, number> = {}
  if (!previous) return rows
  const folder = snapshotFolder(lake, previous.snapshot_id)
  const kept = new Set(files)
  for (const { path, rows: count } of previous.files.filter(({ path }) => kept.has(path))) {
    if (previous.format >= FIRST_WITH_FOLDER_COLUMNS) {
      await linkFrom(folder, snapshot, path)
      continue
    }
    const [from, to] = [join(folder, path), join(snapshot, path)]
    await mkdir(dirname(to), { recursive: true })
    await writeWithFolderColumns(database, path, from, to)
    rows[path] = count
  }
  return rows
}
