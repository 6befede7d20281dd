import { symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Countries, DAY_MS, EngineError } from '../../engine/index.ts'
import type { OnProgress } from '../cli/progress.ts'
import { type Database, step } from '../database.ts'
import type { RefreshPaths } from '../paths.ts'
import { type Arrivals, defineArrivals } from './arrivals.ts'
import type { TextFile } from './copy-text.ts'
import type { FeedFile } from './discover.ts'
import { parquetColumns, type SourceColumn } from './heading.ts'
import type { NumberedFile } from './layout.ts'
import { decimalsProblems, foundPrices, priceScales, priceVariables } from './price-scales.ts'
import type { Batch, StagedFile, UnlessRefused } from './stage.ts'
import { stageParquet } from './stage-parquet.ts'
import { canJoinTexts, scanFile, stageTexts } from './stage-text.ts'

type ReadOptions = { as_of: Date; signal?: AbortSignal | undefined; onProgress?: OnProgress | undefined }

/** The feeds of a refresh: the files, their valid observations, how prices of countries are stored, and the reasons why other files cannot be used. */
export type FeedInput = { files: StagedFile[]; arrivals: Arrivals; countries: Countries; problems: string[] }

const DEFINITIONS = ['no-rows', 'values', 'printed', 'words', 'observations', 'catalogue', 'posts', 'official'].map(
  (name) => step(import.meta.url, name),
)

/**
 * DuckDB treats a path with glob characters as a glob: such a Parquet file is read through a link. Text is scanned
 * first.
 */
const withPlainPath = async (file: NumberedFile, folder: string): Promise<NumberedFile> => {
  if (file.format !== 'parquet' || !/[*?[\]]/.test(file.path)) return file
  const path = join(folder, `linked-${file.number}.parquet`)
  await symlink(resolve(file.path), path)
  return { ...file, path }
}

/** Files to read together, and the columns of Parquet files. */
type ReadGroup = { files: NumberedFile[]; columns: SourceColumn[] }

const MAX_GROUP_BYTES = 2 ** 30

const canJoin = (group: ReadGroup, file: NumberedFile, columns: readonly SourceColumn[]): boolean => {
  const [first] = group.files as [NumberedFile]
  const bytes = group.files.reduce((sum, entry) => sum + entry.bytes, file.bytes)
  return (
    file.feed === 'price_observations' &&
    first.feed === file.feed &&
    first.format === 'parquet' &&
    bytes <= MAX_GROUP_BYTES &&
    isDeepStrictEqual(group.columns, columns) &&
    isDeepStrictEqual(first.description, file.description)
  )
}

/** The columns of a Parquet file; none of another file. INVALID_PARAMS if it is not Parquet. */
const columnsOf = async (database: Database, { name, path, format }: NumberedFile): Promise<SourceColumn[]> => {
  try {
    return format === 'parquet' ? await parquetColumns(database, path) : []
  } catch (cause) {
    const [, reason] = /^Invalid[\w ]* Error: (.*)/.exec((cause as Error).message) ?? []
    if (!reason) throw cause
    const message = `${name} cannot be read as Parquet: ${reason.replace(` '${path}'`, '')}; fetch it again`
    throw new EngineError('INVALID_PARAMS', message, { file: name })
  }
}

/** Groups adjacent Parquet files of observations with the same columns and mapping, to be read together. */
const groupFiles = async (
  database: Database,
  files: readonly NumberedFile[],
  unlessRefused: UnlessRefused,
): Promise<ReadGroup[]> => {
  const groups: ReadGroup[] = []
  for (const file of files) {
    const columns = await unlessRefused(() => columnsOf(database, file))
    if (!columns) continue
    const last = groups.at(-1)
    if (file.format === 'parquet' && last && canJoin(last, file, columns)) last.files.push(file)
    else groups.push({ files: [file], columns })
  }
  return groups
}

/** Scans a text file; the reason, if that is refused. */
const scanned = (
  database: Database,
  file: NumberedFile,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<TextFile | EngineError> =>
  scanFile(database, file, folder, signal).catch((cause: unknown) => {
    if (cause instanceof EngineError) return cause
    throw cause
  })

/** Files that were staged, or refused, and the batches of those that were staged. */
type StagedGroup = { files: readonly NumberedFile[]; batches: readonly Batch[] }

/** Stages files in their order: text files of one form by one statement, as far as they are adjacent. */
const stageFiles = async function* (
  database: Database,
  files: readonly NumberedFile[],
  { folder, signal }: { folder: string; signal: AbortSignal | undefined },
  unlessRefused: UnlessRefused,
): AsyncGenerator<StagedGroup> {
  let texts: TextFile[] = []
  const staged = async (): Promise<StagedGroup> => {
    const files = texts
    texts = []
    return { files, batches: files.length > 0 ? await stageTexts(database, files, folder, unlessRefused) : [] }
  }
  for (const group of await groupFiles(database, files, unlessRefused)) {
    signal?.throwIfAborted()
    const [file] = group.files as [NumberedFile]
    if (file.format === 'parquet') {
      yield await staged()
      const batch = await unlessRefused(() => stageParquet(database, group.files, group.columns, folder))
      yield { files: group.files, batches: batch ? [batch] : [] }
      continue
    }
    const text = await scanned(database, file, folder, signal)
    if (!('scanned' in text)) {
      yield await staged()
      await unlessRefused(() => Promise.reject(text))
      yield { files: [file], batches: [] }
      continue
    }
    if (texts.length > 0 && !canJoinTexts(texts, text)) yield await staged()
    texts.push(text)
  }
  yield await staged()
}

/** Reads every file into the staging folder, counts its rows, and puts invalid rows into the quarantine. */
export const read = async (
  database: Database,
  feedFiles: readonly FeedFile[],
  { staged, previous }: RefreshPaths,
  { as_of, signal, onProgress }: ReadOptions,
): Promise<FeedInput> => {
  const latest_time = new Date(as_of.getTime() + DAY_MS).toISOString().slice(0, 19)
  const scales = priceScales(previous, feedFiles)
  await database.set({ latest_time, ...priceVariables(scales) })
  for (const definition of DEFINITIONS) await database.run(definition)
  const numbered = await Promise.all(
    feedFiles.map((file, index) => withPlainPath({ ...file, number: index + 1, scales }, staged)),
  )
  const total = feedFiles.reduce((sum, { bytes }) => sum + bytes, 0)
  const batches: Batch[] = []
  const problems = decimalsProblems(previous, feedFiles)
  const unlessRefused: UnlessRefused = (work) =>
    work().catch((cause: unknown) => {
      if (!(cause instanceof EngineError)) throw cause
      problems.push(cause.message)
      return undefined
    })
  let [done, rows] = [0, 0]
  for await (const some of stageFiles(database, numbered, { folder: staged, signal }, unlessRefused)) {
    if (some.files.length === 0) continue
    batches.push(...some.batches)
    for (const { files } of some.batches) for (const { rows_read } of files) rows += rows_read
    for (const { bytes } of some.files) done += bytes
    onProgress?.({ step: 'reading', done, total, rows })
  }
  const files = batches.flatMap((batch) => batch.files)
  await database.append(
    'feed_file',
    files.map(({ number, name, header_lines, description }) => [
      ...[number, name, header_lines],
      ...[description.kind === 'change_points', description.replaces === 'month'],
    ]),
  )
  const arrivals = await defineArrivals(database, batches, staged)
  const prices = await foundPrices(database, scales)
  return { files, arrivals, countries: prices.countries, problems: [...problems, ...prices.problems] }
}
