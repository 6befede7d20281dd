import { rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Database, step } from '../database.ts'
import { copyColumns, hasOneLineRecords, type TextFile } from './copy-text.ts'
import { isJson } from './discover.ts'
import { delimiterOf, headerColumns, objectColumns } from './heading.ts'
import type { Layout, NumberedFile } from './layout.ts'
import { quoteLines, scanText } from './read-text.ts'
import {
  areMonthsMixed,
  copiedMonths,
  copyMonths,
  countFaults,
  countObservations,
  defineRows,
  type RowCount,
  stagedPath,
} from './rows.ts'
import type { Batch, StagedFile, UnlessRefused } from './stage.ts'

const QUARANTINE = step(import.meta.url, 'quarantine#quarantine')

/** Scans a text file, whose invalid lines go to the quarantine. INVALID_PARAMS if it cannot be read. */
export const scanFile = async (
  database: Database,
  file: NumberedFile,
  folder: string,
  signal?: AbortSignal,
): Promise<TextFile> => {
  const start = performance.now()
  const scanned = await scanText(database, file, folder, signal)
  const columns = 'header' in scanned ? headerColumns(scanned.header) : await objectColumns(scanned.path)
  return { ...file, scanned, columns, scan_seconds: (performance.now() - start) / 1000 }
}

/** Files with more records together are read one by one: planning takes little of the time. */
const MAX_GROUP_RECORDS = 100_000

/** Whether a file can be read by the statement that reads a group: it has the same form, and there are few rows. */
export const canJoinTexts = (group: readonly TextFile[], file: TextFile): boolean => {
  const [first] = group as [TextFile]
  const records = group.reduce((sum, { scanned }) => sum + scanned.records, file.scanned.records)
  return (
    records <= MAX_GROUP_RECORDS &&
    file.feed === 'price_observations' &&
    first.feed === file.feed &&
    first.format === file.format &&
    first.scanned.newline === file.scanned.newline &&
    [first, file].every(hasOneLineRecords) &&
    // DuckDB's number of a file has this name.
    !file.columns.some(({ key }) => key.toLowerCase() === 'file_index') &&
    delimiterOf(first) === delimiterOf(file) &&
    file.description.unpivot === undefined &&
    isDeepStrictEqual(first.columns, file.columns) &&
    isDeepStrictEqual(first.description, file.description)
  )
}

/** Puts the rows of text files that break a rule into the quarantine, with their lines. */
const quarantineText = async (database: Database, files: readonly TextFile[], rows: string): Promise<void> => {
  const [{ feed, format }] = files as [TextFile]
  // A malformed line of a post may contain its text: it is counted, not kept.
  if (isJson(format) && feed !== 'social_posts') {
    const malformed = await database.execute<{ file: number; record: number }>(
      `SELECT file, (row + 1)::INTEGER AS record FROM ${rows} WHERE fault = 'ROW_MALFORMED'`,
    )
    for (const { number, scanned } of files) {
      const records = malformed.flatMap(({ file, record }) => (file === number ? record : []))
      await quoteLines(database, { number, path: scanned.path }, new Set(records))
    }
  }
  await database.set({ source: { rows } })
  await database.run(QUARANTINE)
}

/** Copies the staged rows of files again, by country and month. */
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

/** Counts the rows of files: observations by month, other feeds only by fault. */
const countCopied = async (
  database: Database,
  { feed, number }: NumberedFile,
  rows: string,
  { columns }: Layout,
  folder: string,
): Promise<Pick<RowCount, 'months' | 'faults'>> => {
  if (feed !== 'price_observations') return { months: 0, faults: await countFaults(database, number, rows, 'text') }
  const counted = await countObservations(database, { rows, format: 'text', number, columns }, folder)
  return {
    months: Math.max(0, ...counted.map(({ months }) => months)),
    faults: counted.reduce((sum, { faults }) => sum + faults, 0),
  }
}

const stagedFile = (
  { scanned, columns: _, scan_seconds, ...file }: TextFile,
  { unused, columns }: Layout,
  copied: number,
  seconds: number,
): StagedFile => {
  const { lines, header_lines, blank_lines, continuation_lines } = scanned
  const { unpivot } = file.description
  return {
    ...file,
    ...{ lines, header_lines, blank_lines, continuation_lines },
    rows_read: copied + scanned.rejected,
    empty_cells: unpivot ? scanned.records * unpivot.columns.length - copied : 0,
    unused_columns: unused,
    columns,
    seconds: scan_seconds + seconds,
  }
}

/**
 * Reads scanned files of one form into `folder`: typed rows, with invalid ones in the quarantine. INVALID_PARAMS if their
 * columns do not fit their feed, or lines and rows do not add up; null for several files, of which this may be true of one.
 */
const stageForm = async (database: Database, files: readonly TextFile[], folder: string): Promise<Batch | null> => {
  const start = performance.now()
  const [file] = files as [TextFile]
  const { feed, number } = file
  const result = await copyColumns(database, files, file.columns, folder).catch((cause: unknown) => {
    if (files.length === 1) throw cause
    return null
  })
  if (result === null) return null
  const { layout, copied } = result
  const { rows } = copied
  const { months, faults } = await countCopied(database, file, rows, layout, folder)
  if (faults > 0) await quarantineText(database, files, rows)
  const isByMonth = months > 2 && (await areMonthsMixed(database, rows))
  if (isByMonth) await divideByMonth(database, file, rows, folder)
  const seconds = (performance.now() - start) / 1000 / files.length
  const staged = files.map((each) => stagedFile(each, layout, copied.counts.get(each.number) ?? 0, seconds))
  const kept =
    feed === 'price_observations' ? await defineRows(database, `kept_${number}`, `${rows} WHERE is_sound`) : rows
  return { feed, files: staged, rows: kept, has_faults: false, is_copied: isByMonth, narrow: async () => kept }
}

/** Reads scanned files of one form, and removes their repaired copies. What they cannot be read for together is said of each. */
export const stageTexts = async (
  database: Database,
  files: readonly TextFile[],
  folder: string,
  unlessRefused: UnlessRefused,
): Promise<Batch[]> => {
  try {
    const together = await unlessRefused(() => stageForm(database, files, folder))
    if (together !== null) return together ? [together] : []
    const batches: Batch[] = []
    for (const file of files) {
      const batch = await unlessRefused(() => stageForm(database, [file], folder))
      if (batch) batches.push(batch)
    }
    return batches
  } finally {
    for (const { scanned } of files) if (scanned.is_copy) await rm(scanned.path, { force: true })
  }
}
