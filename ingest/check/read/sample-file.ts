import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../../../engine/index.ts'
import type { Database } from '../../database.ts'
import { formatOf, isHidden, UNKNOWN_FORMAT } from '../../feeds/discover.ts'
import { parquetColumns } from '../../feeds/heading.ts'
import { identifier, literal } from '../../feeds/sql-text.ts'
import { sheetNames, workbookToCsv } from '../../text/workbook.ts'
import type { SampledColumn } from './sample.ts'
import { type Sampling, sampleText, sampleXml } from './sample-text.ts'

const BLOCK_ROWS = 50
const BLOCKS = 20
const MAX_TEXT = 10_000

const startOf = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4) })
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Blocks of neighbouring rows from the whole of a Parquet file, as text. */
const sampleParquet = async (database: Database, path: string): Promise<SampledColumn[]> => {
  const columns = await parquetColumns(database, path)
  const [counted] = await database.execute<{ rows: number }>(
    `SELECT sum(num_rows)::DOUBLE AS rows FROM parquet_file_metadata(${literal(path)})`,
  )
  const every = Math.max(1, Math.floor(counted!.rows / (BLOCK_ROWS * BLOCKS)))
  const texts = columns.map(
    ({ key }, index) => `left(coalesce(${identifier(key)}::VARCHAR, ''), ${MAX_TEXT}) AS "${index}"`,
  )
  const rows = await database.execute<Record<string, string>>(
    `SELECT ${texts.join(', ')} FROM read_parquet(${literal(path)}, file_row_number = true, hive_partitioning = false)
     WHERE (file_row_number // ${BLOCK_ROWS}) % ${every} = 0 ORDER BY file_row_number LIMIT ${BLOCK_ROWS * BLOCKS}`,
  )
  return columns.map(({ name, type }, index) => ({ name, type, values: rows.map((row) => row[index] ?? '') }))
}

const parquetSampling = async (database: Database, name: string, path: string): Promise<Sampling> => {
  if ((await startOf(path)) !== 'PAR1') return { reason: 'it is not Parquet' }
  try {
    return { sample: { path: name, format: 'parquet', columns: await sampleParquet(database, path) } }
  } catch (cause) {
    return { reason: `it cannot be read as Parquet: ${(cause as Error).message.split('\n')[0]}` }
  }
}

/** Samples the sheet of a workbook that is first; the others are named as left out. */
const sampleWorkbook = async (path: string, name: string, options: SampleFileOptions): Promise<Sampling> => {
  const sheets = await sheetNames(path, name)
  const [sheet] = sheets
  const copy = await workbookToCsv(path, { folder: options.folder, name, sheet })
  try {
    const sampling = await sampleText(copy, { name: `${name}.csv`, folder: options.folder, signal: options.signal })
    if (!('sample' in sampling)) return sampling
    const left_out = sheets.slice(1).map((other) => ({ path: `the sheet ${other}`, records: null }))
    const { delimiter: _, encoding: __, ...sample } = sampling.sample
    return { sample: { ...sample, path: name, format: 'xlsx', ...(left_out.length > 0 ? { left_out } : {}) } }
  } finally {
    await rm(copy, { force: true })
  }
}

type SampleFileOptions = { root: string; folder: string; signal?: AbortSignal | undefined }

/** Samples one file below `root`, or says why it cannot be read. `folder` takes temporary files. */
export const sampleFile = async (
  database: Database,
  name: string,
  { root, folder, signal }: SampleFileOptions,
): Promise<Sampling> => {
  const path = join(root, name)
  if (isHidden(name)) return { reason: 'hidden: a refresh ignores names that begin with . or _, and node_modules' }
  if (/(?:^|\/)feed\.json$/.test(name)) return { reason: 'it describes the files of a feed' }
  const format = formatOf(name)
  if (format === undefined) return { reason: UNKNOWN_FORMAT }
  try {
    if ((await stat(path)).size === 0) return { reason: 'it is empty' }
    if (format === 'parquet') return await parquetSampling(database, name, path)
    if (format === 'xlsx') return await sampleWorkbook(path, name, { root, folder, signal })
    return await (format === 'xml' ? sampleXml : sampleText)(path, { name, folder, signal })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof EngineError) return { reason: cause.message }
    if ((cause as NodeJS.ErrnoException).syscall !== undefined) return { reason: (cause as Error).message }
    throw cause
  }
}
