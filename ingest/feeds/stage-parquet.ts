import { areSmall, type Database } from '../database.ts'
import type { SourceColumn } from './heading.ts'
import { type Layout, layOut, type NumberedFile } from './layout.ts'
import { NO_LINES } from './read-text.ts'
import {
  checkedRows,
  copiedMonths,
  copiedRows,
  copyMonths,
  copyRows,
  countFaults,
  countObservations,
  defineRows,
  loadRows,
  type RowCount,
  stagedPath,
} from './rows.ts'
import { defineSource, unpivotedColumns } from './source.ts'
import { literal } from './sql-text.ts'
import type { Batch, StagedFile } from './stage.ts'

/** A file with more months than this is copied by month, since each month would read it again. */
const MAX_MONTHS_PER_FILE = 3

type Staging = Pick<Batch, 'rows' | 'has_faults' | 'is_copied'> & { counted: RowCount[] }

/** Whether times and prices need no conversion, so that reading rows again is cheaper than copying them. */
const isTyped = ({ description }: NumberedFile, { fields }: Layout): boolean =>
  description.timezone === undefined &&
  (['observed_at', 'price'] as const).every((column) => fields.get(column)?.type !== 'VARCHAR')

const copyObservations = async (
  database: Database,
  { number }: NumberedFile,
  rows: string,
  folder: string,
): Promise<string> => {
  const to = stagedPath('price_observations', number, folder, true)
  const count = await copyMonths(database, rows, to)
  return defineRows(database, `rows_${number}`, copiedMonths(to, count))
}

const hasFaults = (counted: readonly RowCount[]): boolean => counted.some(({ faults }) => faults > 0)

/** Leaves observations in place, unless their values must be converted or are of many months. */
const stageObservations = async (
  database: Database,
  file: NumberedFile,
  layout: Layout,
  { rows, isLoaded }: { rows: string; isLoaded: boolean },
  folder: string,
): Promise<Staging> => {
  const { number } = file
  const count = (rows: string) =>
    countObservations(database, { rows, format: 'parquet', number, columns: layout.columns }, folder)
  if (!isLoaded && !isTyped(file, layout)) {
    const copied = await copyObservations(database, file, rows, folder)
    const counted = await count(copied)
    return { rows: copied, has_faults: hasFaults(counted), counted, is_copied: true }
  }
  const counted = await count(rows)
  const staging = { has_faults: hasFaults(counted), counted }
  if (isLoaded || counted.every(({ months }) => months <= MAX_MONTHS_PER_FILE))
    return { ...staging, rows, is_copied: false }
  return { ...staging, rows: await copyObservations(database, file, rows, folder), is_copied: true }
}

/** Copies the rows of another feed, and puts invalid rows into the quarantine. */
const stageOther = async (
  database: Database,
  { feed, number }: NumberedFile,
  rows: string,
  folder: string,
): Promise<Staging> => {
  const to = stagedPath(feed, number, folder)
  const copied = await copyRows(database, feed, rows, to)
  const staged = await defineRows(database, `rows_${number}`, copiedRows(feed, to))
  const faults = await countFaults(database, number, staged, 'parquet')
  return { rows, has_faults: faults > 0, is_copied: true, counted: [{ file: number, rows: copied, months: 0, faults }] }
}

/** The cells of the columns that a mapping unpivots; null without any. */
const countCells = async (database: Database, path: string, { description }: NumberedFile): Promise<number | null> => {
  if (!description.unpivot) return null
  const [{ records } = { records: 0 }] = await database.execute<{ records: number }>(
    `SELECT count(*)::DOUBLE AS records FROM read_parquet(${literal(path)})`,
  )
  return records * description.unpivot.columns.length
}

/**
 * Reads Parquet files: one, or several of observations with the same columns and mapping. Few observations are
 * loaded; others are read again when needed, which is cheaper than copying them.
 */
export const stageParquet = async (
  database: Database,
  files: readonly NumberedFile[],
  columns: readonly SourceColumn[],
  folder: string,
): Promise<Batch> => {
  const start = performance.now()
  const file = files[0]!
  const { feed, number } = file
  const layout = await layOut(database, file, await unpivotedColumns(database, file, columns))
  const check = async (some: readonly NumberedFile[], suffix: string): Promise<string> => {
    const [paths, numbers] = [some.map(({ path }) => path), some.map((entry) => entry.number)]
    const location = { paths, numbers, records: [], columns: [], newline: '', isParallel: true }
    return checkedRows(feed, await defineSource(database, `source_${suffix}`, file, location, layout))
  }
  const isLoaded = feed === 'price_observations' && areSmall(files)
  const define = isLoaded ? loadRows : defineRows
  const checked = await define(database, `rows_${number}`, await check(files, `${number}`))
  const { counted, ...staging } =
    feed === 'price_observations'
      ? await stageObservations(database, file, layout, { rows: checked, isLoaded }, folder)
      : await stageOther(database, file, checked, folder)
  const rowsOf = new Map(counted.map((entry) => [entry.file, entry.rows]))
  const seconds = (performance.now() - start) / 1000 / files.length
  const cells = new Map<number, number>()
  for (const { path, number } of files)
    cells.set(number, (await countCells(database, path, file)) ?? rowsOf.get(number) ?? 0)
  const staged = files.map(
    (entry): StagedFile => ({
      ...entry,
      ...NO_LINES,
      rows_read: rowsOf.get(entry.number) ?? 0,
      empty_cells: cells.get(entry.number)! - (rowsOf.get(entry.number) ?? 0),
      unused_columns: layout.unused,
      columns: layout.columns,
      seconds,
    }),
  )
  const narrow = async (numbers: readonly number[]) =>
    isLoaded
      ? checked
      : check(
          files.filter((entry) => numbers.includes(entry.number)),
          `of_month_${number}`,
        )
  return { feed, files: staged, narrow, ...staging }
}
