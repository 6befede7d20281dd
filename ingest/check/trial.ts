import { z } from 'zod'
import type { OnProgress } from '../cli/progress.ts'
import { type Database, query } from '../database.ts'
import { readOutcomes } from '../facts/outcomes.ts'
import { fileProblems } from '../facts/refuse.ts'
import { COLUMNS_OF, type Column, FEEDS, type Feed, kindOf } from '../feeds/columns.ts'
import type { FeedFile } from '../feeds/discover.ts'
import { delimiterOf } from '../feeds/heading.ts'
import type { PriceScales } from '../feeds/price-scales.ts'
import { read } from '../feeds/read.ts'
import type { StagedFile } from '../feeds/stage.ts'
import { openTables, prepare } from '../paths.ts'
import { type FileReport, fileReport } from '../report.ts'
import { type FileGroup, UNDECIDED } from './propose/groups.ts'

const refusalSchema = z.object({
  code: z.string(),
  rows: z.number(),
  example: z.object({
    file: z.int(),
    line: z.number().nullable(),
    field: z.string().nullable(),
    value: z.string().nullable(),
  }),
})
const REFUSALS = query(import.meta.url, 'refusals', refusalSchema)

type RefusalRow = z.output<typeof refusalSchema>

/** Refused rows of one code, and the first of them. */
export type RefusedRows = Omit<RefusalRow, 'example'> & {
  example: Omit<RefusalRow['example'], 'file'> & { file: string }
}

/** One file as a refresh would read it. Kept rows still have duplicates among them. */
export type TrialFile = FileReport & Pick<StagedFile, 'format'> & { encoding: string | null; delimiter: string | null }

/** A row as it would be kept: the columns that it fills, prices in units of the currency. */
export type TrialRow = { feed: Feed; file: string; values: Partial<Record<Column, unknown>> }

/** What a refresh would read. */
export type Trial = {
  files: TrialFile[]
  rows: TrialRow[]
  refusals: RefusedRows[]
  /** Why a refresh would publish nothing. */
  problems: string[]
}

/** The options of a trial; `folder` is an empty one for temporary files. */
export type TrialOptions = {
  folder: string
  max_quarantine: number
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

const MAX_ROWS = 10

type RawRow = Readonly<Record<string, unknown>>

const displayed = (column: Column, value: unknown, decimals: number): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (kindOf(column) === 'cents') return (Number(value) / 10 ** decimals).toFixed(decimals)
  return typeof value === 'bigint' ? Number(value) : value
}

/** The columns that a row fills, those of a group that are undecided marked. */
const valuesOf = (
  row: RawRow,
  feed: Feed,
  group: FileGroup | undefined,
  countries: PriceScales['countries'],
): TrialRow['values'] => {
  const times = group && group.stand_in_year !== null ? ['observed_at', 'collected_at'] : []
  const decimals = countries.get(String(row.country))?.decimals ?? 2
  const filled = COLUMNS_OF[feed].flatMap((column): [Column, unknown][] => {
    const assumed = group?.stand_ins.find((entry) => entry.column === column)
    if ((!assumed && times.includes(column)) || assumed?.isSuggested === false) return [[column, UNDECIDED]]
    // The rules leave the stock of a listing under another name.
    const value = column === 'availability' ? (row.availability ?? row.in_stock) : row[column]
    const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
    if (isEmpty || (column === 'in_stock' && row.availability === undefined)) return []
    const text = displayed(column, value, decimals)
    return [[column, assumed ? `${text} ${UNDECIDED}` : text]]
  })
  return Object.fromEntries(filled)
}

/** The first rows of each feed that break no rule, from as many of its files as have one. */
const readRows = async (
  database: Database,
  files: readonly StagedFile[],
  groups: readonly FileGroup[],
  countries: PriceScales['countries'],
): Promise<TrialRow[]> => {
  // A view or table has the rows of one file, or of several from that of its number on.
  const views = await database.execute<{ number: number }>(
    `SELECT regexp_extract(table_name, '^rows_(\\d+)$', 1)::INTEGER AS number FROM information_schema.tables
     WHERE regexp_matches(table_name, '^rows_\\d+$') ORDER BY number`,
  )
  const rows: TrialRow[] = []
  for (const feed of FEEDS) {
    const ofFeed = files.filter((file) => file.feed === feed)
    let remaining = MAX_ROWS
    for (const [index, file] of ofFeed.entries()) {
      const view = views.findLast((first) => first.number <= file.number)!.number
      const sound = await database.execute<RawRow>(
        `SELECT * FROM rows_${view} WHERE fault IS NULL AND file = ${file.number}
         LIMIT ${Math.ceil(remaining / (ofFeed.length - index))}`,
      )
      remaining -= sound.length
      const group = groups.find((entry) => entry.files.includes(file.name))
      rows.push(...sound.map((row) => ({ feed, file: file.name, values: valuesOf(row, feed, group, countries) })))
    }
  }
  return rows
}

/** Reads whole files as a refresh does, into a temporary folder, and counts the rows that would be kept and refused. */
export const runTrial = async (
  database: Database,
  feed_files: readonly FeedFile[],
  groups: readonly FileGroup[],
  { folder, max_quarantine, signal, onProgress }: TrialOptions,
): Promise<Trial> => {
  // There is no lake: an empty folder is read as one without snapshots.
  const paths = await prepare(folder, folder)
  await openTables(database, paths)
  const reading = await read(database, feed_files, paths, { as_of: new Date(), signal, onProgress })
  const outcomes = await readOutcomes(database)
  const files = reading.files.map((file) => ({
    ...fileReport(file, outcomes),
    format: file.format,
    encoding: file.format === 'parquet' ? null : (file.description.encoding ?? 'utf-8'),
    delimiter: file.format === 'csv' ? delimiterOf(file) : null,
  }))
  const names = new Map(reading.files.map(({ number, name }) => [number, name]))
  const refused = await database.rows(REFUSALS)
  return {
    files,
    rows: await readRows(database, reading.files, groups, reading.countries),
    refusals: refused.map((row) => ({ ...row, example: { ...row.example, file: names.get(row.example.file) ?? '' } })),
    problems: [...reading.problems, ...fileProblems(files, reading.files, max_quarantine)],
  }
}
