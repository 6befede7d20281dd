import { type Database, query, step } from '../database.ts'
import type { Merged } from '../facts/merge.ts'
import type { StagedFile } from '../feeds/stage.ts'
import type { RefreshPaths } from '../paths.ts'
import { partRow, partsOf } from '../snapshot/digest.ts'

const TABLE = 'official_figures'
const FILE = `${TABLE}.parquet`

const FIGURES = query(import.meta.url, 'official#figures', partRow)
const WRITE = step(import.meta.url, 'official#write-figures')

/**
 * Writes the figures of official series, those of the lake with new ones: every figure stays that an office released, since
 * a query as of a day uses the one of that day. A lake that never had any gets no file.
 */
export const keepOfficialFigures = async (
  database: Database,
  { previous }: RefreshPaths,
  files: readonly StagedFile[],
  merged: Merged,
): Promise<void> => {
  const hasOfficial = files.some(({ feed }) => feed === 'official_series')
  if (!hasOfficial && !previous?.files.some(({ path }) => path === FILE)) return
  const parts = partsOf(await database.rows(FIGURES))
  await database.run(WRITE)
  Object.assign(merged.parts, parts)
  merged.rows[FILE] = parts[TABLE]!.rows
}
