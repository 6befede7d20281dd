import { z } from 'zod'
import type { OnProgress } from '../cli/progress.ts'
import { type Database, query } from '../database.ts'
import { readOutcomes } from '../facts/outcomes.ts'
import { fileProblems } from '../facts/refuse.ts'
import type { FeedFile } from '../feeds/discover.ts'
import { delimiterOf } from '../feeds/heading.ts'
import { read } from '../feeds/read.ts'
import type { StagedFile } from '../feeds/stage.ts'
import { openTables, prepare } from '../paths.ts'
import { type FileReport, fileReport, type RowOutcome } from '../report.ts'
import type { AssumedColumnsByFile } from './propose/groups.ts'
import { readRows, type TrialRow } from './trial-rows.ts'

const REFUSALS = query(
  import.meta.url,
  'refusals',
  z.object({
    code: z.string(),
    rows: z.number(),
    example: z.object({
      file: z.int(),
      line: z.number().nullable(),
      field: z.string().nullable(),
      value: z.string().nullable(),
    }),
  }),
)

/** Refused rows of one code, and the first of them. */
export type RefusedRows = {
  code: string
  rows: number
  example: { file: string; line: number | null; field: string | null; value: string | null }
}

/** One file as a refresh would read it. Kept rows still have duplicates among them. */
export type TrialFile = FileReport & Pick<StagedFile, 'format'> & { encoding: string | null; delimiter: string | null }

/** What a refresh would read. */
export type Trial = {
  files: TrialFile[]
  rows: TrialRow[]
  refusals: RefusedRows[]
  /** Why a refresh would publish nothing. */
  problems: string[]
}

/** The options of a trial. */
export type TrialOptions = {
  /** An empty folder for temporary files. */
  folder: string
  max_quarantine: number
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/** Creates what reading feeds needs: tables and folders. */
const begin = async (database: Database, folder: string) => {
  // There is no lake: an empty folder is read as one without snapshots.
  const paths = await prepare(folder, folder)
  await openTables(database, paths)
  return paths
}

const readRefusals = async (database: Database, files: readonly StagedFile[]): Promise<RefusedRows[]> => {
  const names = new Map(files.map(({ number, name }) => [number, name]))
  const refused = await database.rows(REFUSALS)
  return refused.map(({ code, rows, example }) => ({
    code,
    rows,
    example: { ...example, file: names.get(example.file) ?? '' },
  }))
}

const trialFile = (file: StagedFile, outcomes: readonly RowOutcome[]): TrialFile => ({
  ...fileReport(file, outcomes),
  format: file.format,
  encoding: file.format === 'parquet' ? null : (file.description.encoding ?? 'utf-8'),
  delimiter: file.format === 'csv' ? delimiterOf(file) : null,
})

/** Reads whole files as a refresh does, into a temporary folder, and counts the rows that would be kept and refused. */
export const runTrial = async (
  database: Database,
  feed_files: readonly FeedFile[],
  assumedColumns: AssumedColumnsByFile,
  { folder, max_quarantine, signal, onProgress }: TrialOptions,
): Promise<Trial> => {
  const paths = await begin(database, folder)
  const reading = await read(database, feed_files, paths, { as_of: new Date(), signal, onProgress })
  const outcomes = await readOutcomes(database)
  const files = reading.files.map((file) => trialFile(file, outcomes))
  return {
    files,
    rows: await readRows(database, reading.files, assumedColumns),
    refusals: await readRefusals(database, reading.files),
    problems: [...reading.problems, ...fileProblems(files, reading.files, max_quarantine)],
  }
}
