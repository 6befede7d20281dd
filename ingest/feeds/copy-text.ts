import { stat } from 'node:fs/promises'
import { EngineError } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { isTable } from './discover.ts'
import type { SourceColumn } from './heading.ts'
import { type Layout, layOut, type NumberedFile } from './layout.ts'
import type { ScannedFile } from './read-text.ts'
import { checkedRows, copiedRows, copyRows, defineRows, stagedPath } from './rows.ts'
import { defineSource, recordsOf, type SourceLocation, UNSEEN_COLUMN, unpivotedColumns } from './source.ts'

/** A scanned file with its columns. */
export type TextFile = NumberedFile & { scanned: ScannedFile; columns: readonly SourceColumn[]; scan_seconds: number }

/** Whether each record is one line. */
export const hasOneLineRecords = ({ scanned }: TextFile): boolean => scanned.continuation_lines === 0

/** Returns the number of records that DuckDB rejected, and clears them; after scanning there should be none. */
const takeRejects = async (database: Database): Promise<number> => {
  const [{ rejects } = { rejects: 0 }] = await database.execute<{ rejects: number }>(
    'SELECT count(DISTINCT line)::INTEGER AS rejects FROM reject_errors',
  )
  await database.execute('DROP TABLE reject_errors; DROP TABLE reject_scans')
  return rejects
}

const countRecords = async (database: Database, file: NumberedFile, location: SourceLocation, layout: Layout) => {
  const [{ records } = { records: 0 }] = await database.execute<{ records: number }>(
    `SELECT count(*)::DOUBLE AS records FROM ${recordsOf(file, location, layout)}`,
  )
  if (isTable(file.format)) await takeRejects(database)
  return records
}

/** The rows of each of these files, by their numbers. */
const countByFile = async (database: Database, rows: string): Promise<Map<number, number>> => {
  const counted = await database.execute<{ file: number; rows: number }>(
    `SELECT file, count(*)::DOUBLE AS rows FROM ${rows} GROUP BY file`,
  )
  return new Map(counted.map(({ file, rows }) => [file, rows]))
}

/** Copied rows: the relation of them, and how many there are of each file, by its number. */
export type Copied = { rows: string; counts: ReadonlyMap<number, number> }

/** Copies the rows of a source; null if DuckDB does not read all scanned records. */
const copyAll = async (
  database: Database,
  files: readonly TextFile[],
  location: SourceLocation,
  layout: Layout,
  folder: string,
): Promise<Copied | null> => {
  const [file] = files as [TextFile]
  const { feed, format, number, description } = file
  const source = await defineSource(database, `source_${number}`, file, location, layout)
  const to = stagedPath(feed, number, folder)
  const copied = await copyRows(database, feed, checkedRows(feed, source), to)
  const rejects = isTable(format) ? await takeRejects(database) : 0
  const rows = await defineRows(database, `rows_${number}`, copiedRows(feed, to))
  const counts = files.length === 1 ? new Map([[number, copied]]) : await countByFile(database, rows)
  // A record that is unpivoted has any number of rows, so that the records are counted by themselves.
  const read = description.unpivot ? new Map([[number, await countRecords(database, file, location, layout)]]) : counts
  const isComplete = files.every(({ number, scanned }) => (read.get(number) ?? 0) === scanned.records)
  return isComplete && rejects === 0 ? { rows, counts } : null
}

/** Why DuckDB reads another number of records than was scanned. */
const mismatch = async ({ name, path, bytes, scanned }: TextFile): Promise<EngineError> => {
  const { size } = await stat(path)
  const reason =
    size === bytes
      ? `it has ${scanned.records} records, but DuckDB reads another number; the file is not used. Check its quotation marks, ` +
        'or convert it to Parquet.'
      : `the file changed while it was read, from ${bytes} to ${size} bytes; refresh again when it is complete`
  return new EngineError('INVALID_PARAMS', `${name}: ${reason}`, { file: name })
}

/** Copies the rows of scanned files, read by all threads, or by one thread if those miss a record. */
const copyScanned = async (
  database: Database,
  files: readonly TextFile[],
  layout: Layout,
  columns: readonly string[],
  folder: string,
): Promise<Copied> => {
  const [file] = files as [TextFile]
  const { newline } = file.scanned
  const [paths, numbers] = [files.map(({ scanned }) => scanned.path), files.map(({ number }) => number)]
  const records = files.map(({ scanned }) => scanned.records)
  for (const isParallel of hasOneLineRecords(file) ? [true, false] : [false]) {
    const location = { paths, numbers, records, columns, newline, isParallel }
    const copied = await copyAll(database, files, location, layout, folder)
    if (copied) return copied
  }
  throw await mismatch(file)
}

/**
 * Copies the rows of scanned files by their columns. Of JSON lines these are the sampled ones, since every other column
 * takes as long to read, unless a later line of a single file has one more.
 */
export const copyColumns = async (
  database: Database,
  files: readonly TextFile[],
  columns: readonly SourceColumn[],
  folder: string,
): Promise<{ layout: Layout; copied: Copied }> => {
  const [file] = files as [TextFile]
  const layout = await layOut(database, file, await unpivotedColumns(database, file, columns))
  try {
    const keys = columns.map(({ key }) => key)
    return { layout, copied: await copyScanned(database, files, layout, keys, folder) }
  } catch (cause) {
    if (files.length > 1 || !(cause as Error).message.includes(UNSEEN_COLUMN)) throw cause
    const unseen = layout.unseen.map((name) => ({ name, key: name, type: 'VARCHAR' }))
    return copyColumns(database, files, [...columns, ...unseen], folder)
  }
}
