import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LAKE_FORMAT, snapshotFolder } from '../../engine/index.ts'
import { type Database, step } from '../database.ts'
import { literal } from '../feeds/sql-text.ts'
import type { RefreshPaths } from '../paths.ts'
import { linkFrom } from '../snapshot/publish.ts'

const ADD_COLUMNS = step(import.meta.url, 'add-columns')

/** The columns that the folders of a file are named by, such as `'us' AS country`. */
const folderColumns = (path: string): string[] =>
  [...path.matchAll(/(\w+)=([^/]+)\//g)].map(([, name, value]) => `${literal(value!)} AS ${name}`)

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
    if (previous.format === LAKE_FORMAT) {
      await linkFrom(folder, snapshot, path)
      continue
    }
    const [kept_from, kept_to] = [join(folder, path), join(snapshot, path)]
    await mkdir(dirname(kept_to), { recursive: true })
    await database.execute(`CREATE OR REPLACE TEMP VIEW kept_file AS SELECT *, ${folderColumns(path).join(', ')}
      FROM read_parquet(${literal(kept_from)}, hive_partitioning = false)`)
    await database.setTexts('partition', { kept_from, kept_to })
    await database.run(ADD_COLUMNS)
    rows[path] = count
  }
  return rows
}
