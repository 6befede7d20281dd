import { rm, stat } from 'node:fs/promises'
import { EngineError } from '../../engine/index.ts'
import { type Database, step } from '../database.ts'
import { isJson, isTable } from './discover.ts'
import { headerColumns, objectColumns, type SourceColumn } from './heading.ts'
import { type Layout, layOut, type NumberedFile } from './layout.ts'
import { quoteLines, type ScannedFile, scanText } from './read-text.ts'
import {
  areMonthsMixed,
  checkedRows,
  copiedMonths,
  copiedRows,
  copyMonths,
  copyRows,
  countFaults,
  countObservations,
  defineRows,
  type RowCount,
  stagedPath,
} from './rows.ts'
import { defineSource, recordsOf, type SourceLocation, UNSEEN_COLUMN, unpivotedColumns } from './source.ts'
import type { Batch, StagedFile } from './stage.ts'

const QUARANTINE = step(import.meta.url, 'quarantine#quarantine')

/** Returns the number of records that DuckDB rejected, and clears them; after scanning there should be none. */
const takeRejects = async (database: Database): Promise<number> => {
  const [{ rejects } = { rejects: 0 }] = await database.execute<{ rejects: number }>(
    'SELECT count(DISTINCT line)::INTEGER AS rejects FROM reject_errors',
  )
  await database.execute('DROP TABLE reject_errors; DROP TABLE reject_scans')
  return rejects
}

/** Copies the rows of a source, and returns their number; null if DuckDB does not read all scanned records. */
const copyAll = async (
  database: Database,
  file: NumberedFile,
  location: SourceLocation,
  layout: Layout,
  { folder, records }: { folder: string; records: number },
): Promise<number | null> => {
  const { feed, format, number, description } = file
  const source = await defineSource(database, `source_${number}`, file, location, layout)
  const copied = await copyRows(database, feed, checkedRows(feed, source), stagedPath(feed, number, folder))
  const rejects = isTable(format) ? await takeRejects(database) : 0
  // A record that is unpivoted has any number of rows, so that the records are counted by themselves.
  const read = description.unpivot ? await countRecords(database, file, location, layout) : copied
  return read === records && rejects === 0 ? copied : null
}

const countRecords = async (database: Database, file: NumberedFile, location: SourceLocation, layout: Layout) => {
  const [{ records } = { records: 0 }] = await database.execute<{ records: number }>(
    `SELECT count(*)::DOUBLE AS records FROM ${recordsOf(file, location, layout)}`,
  )
  if (isTable(file.format)) await takeRejects(database)
  return records
}

/** Puts the rows of a text file that break a rule into the quarantine, with their lines. */
const quarantineText = async (
  database: Database,
  { feed, number, format }: NumberedFile,
  rows: string,
  { path, header_lines }: ScannedFile,
): Promise<void> => {
  await database.execute(`INSERT INTO refused_row SELECT row + 1, fault, remark FROM ${rows} WHERE fault IS NOT NULL`)
  // A malformed line of a post may contain its text: it is counted, not kept.
  if (isJson(format) && feed !== 'social_posts') {
    const malformed = `SELECT record::INTEGER AS record FROM refused_row WHERE fault = 'ROW_MALFORMED'`
    const rows = await database.execute<{ record: number }>(malformed)
    const records = rows.map(({ record }) => record)
    await quoteLines(database, path, records)
  }
  await database.set({ source: { file: String(number), header_lines: String(header_lines) } })
  await database.run(QUARANTINE)
}

/** Why DuckDB reads another number of records than was scanned. */
const mismatch = async (file: NumberedFile, { records }: ScannedFile): Promise<EngineError> => {
  const { name, path, bytes } = file
  const { size } = await stat(path)
  const reason =
    size === bytes
      ? `it has ${records} records, but DuckDB reads another number; the file is not used. Check its quotation marks, or ` +
        'convert it to Parquet.'
      : `the file changed while it was read, from ${bytes} to ${size} bytes; refresh again when it is complete`
  return new EngineError('INVALID_PARAMS', `${name}: ${reason}`, { file: name })
}

/** Copies the rows of a scanned file, read by all threads, or by one thread if those miss a record. */
const copyScanned = async (
  database: Database,
  file: NumberedFile,
  scanned: ScannedFile,
  layout: Layout,
  { columns, folder }: { columns: readonly string[]; folder: string },
): Promise<number> => {
  const { path, newline, continuation_lines, records } = scanned
  for (const isParallel of continuation_lines === 0 ? [true, false] : [false]) {
    const location = { paths: [path], numbers: [file.number], columns, newline, isParallel }
    const rows = await copyAll(database, file, location, layout, { folder, records })
    if (rows !== null) return rows
  }
  throw await mismatch(file, scanned)
}

/**
 * Copies the rows of a scanned file by its columns, which it returns. Of JSON lines these are the sampled ones, since
 * every other column takes as long to read, unless a later line has one more.
 */
const copyColumns = async (
  database: Database,
  file: NumberedFile,
  scanned: ScannedFile,
  columns: readonly SourceColumn[],
  folder: string,
): Promise<{ layout: Layout; rows: number }> => {
  const layout = await layOut(database, file, await unpivotedColumns(database, file, columns))
  try {
    const keys = columns.map(({ key }) => key)
    return { layout, rows: await copyScanned(database, file, scanned, layout, { columns: keys, folder }) }
  } catch (cause) {
    if (!(cause as Error).message.includes(UNSEEN_COLUMN)) throw cause
    const unseen = layout.unseen.map((name) => ({ name, key: name, type: 'VARCHAR' }))
    return copyColumns(database, file, scanned, [...columns, ...unseen], folder)
  }
}

/** Copies the staged rows of a file again, by country and month. */
const divideByMonth = async (
  database: Database,
  { feed, number }: NumberedFile,
  rows: string,
  folder: string,
): Promise<void> => {
  const to = stagedPath(feed, number, folder, true)
  const count = await copyMonths(database, rows, to)
  await defineRows(database, rows, copiedMonths(to, count))
  await rm(stagedPath(feed, number, folder))
}

/** Counts the rows of a file: observations by month, other feeds only by fault. */
const countCopied = async (
  database: Database,
  { feed, number }: NumberedFile,
  rows: string,
  { columns }: Layout,
  folder: string,
): Promise<Pick<RowCount, 'months' | 'faults'>> => {
  if (feed !== 'price_observations') return { months: 0, faults: await countFaults(database, number, rows, 'text') }
  const [counted] = await countObservations(database, { rows, format: 'text', number, columns }, folder)
  return counted ?? { months: 0, faults: 0 }
}

/**
 * Reads one text file into `folder`: typed rows, with invalid ones in the quarantine. INVALID_PARAMS if its columns do
 * not fit its feed, or its lines and rows do not add up.
 */
export const stageText = async (
  database: Database,
  file: NumberedFile,
  folder: string,
  signal?: AbortSignal,
): Promise<Batch> => {
  const start = performance.now()
  const { feed, number, description } = file
  const { unpivot } = description
  const scanned = await scanText(database, file, folder, signal)
  try {
    const columns = 'header' in scanned ? headerColumns(scanned.header) : await objectColumns(scanned.path)
    const { layout, rows: copied } = await copyColumns(database, file, scanned, columns, folder)
    const rows = await defineRows(database, `rows_${number}`, copiedRows(feed, stagedPath(feed, number, folder)))
    const { months, faults } = await countCopied(database, file, rows, layout, folder)
    if (faults > 0) await quarantineText(database, file, rows, scanned)
    const isByMonth = months > 2 && (await areMonthsMixed(database, rows))
    if (isByMonth) await divideByMonth(database, file, rows, folder)
    const { lines, header_lines, blank_lines, continuation_lines } = scanned
    const staged: StagedFile = {
      ...file,
      ...{ lines, header_lines, blank_lines, continuation_lines },
      rows_read: copied + scanned.rejected,
      empty_cells: unpivot ? scanned.records * unpivot.columns.length - copied : 0,
      unused_columns: layout.unused,
      columns: layout.columns,
      seconds: (performance.now() - start) / 1000,
    }
    const kept =
      feed === 'price_observations' ? await defineRows(database, `kept_${number}`, `${rows} WHERE is_sound`) : rows
    const narrow = async () => kept
    return { feed, files: [staged], rows: kept, has_faults: false, is_copied: isByMonth, narrow }
  } finally {
    if (scanned.is_copy) await rm(scanned.path, { force: true })
  }
}
