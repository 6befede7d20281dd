import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../../../engine/index.ts'
import type { Database } from '../../database.ts'
import { type FileFormat, formatOf, isHidden } from '../../feeds/discover.ts'
import { parquetColumns } from '../../feeds/heading.ts'
import { headingOf } from '../../feeds/read-text.ts'
import { identifier, literal } from '../../feeds/sql-text.ts'
import { scanXml, splitJson } from '../../text/json.ts'
import { readBytes } from '../../text/source.ts'
import { sheetNames, workbookToCsv } from '../../text/workbook.ts'
import { findRecord } from '../../text/xml.ts'
import { withMonths } from '../columns/months.ts'
import { guessTimes } from '../columns/times.ts'
import { type Blocks, readBlocks } from './blocks.ts'
import { columnsOfRecords, withCells } from './fields.ts'
import { takeRecords } from './records.ts'
import {
  type FileOptions,
  rowsOf,
  type SampledColumn,
  type SampledFile,
  type Sampling,
  type UnreadPart,
} from './sample.ts'
import { objectOf, type Sniffed, sniff, textProblem, unnamedProblem, unreadKind } from './sniff.ts'
import { parseDelimited } from './table.ts'

/** What a reader reads: a file by its path and name; `folder` takes temporary files. */
type FileSource = { database: Database; path: string; name: string; folder: string; signal?: AbortSignal | undefined }

const BLOCK_ROWS = 50
const BLOCKS = 20
const MAX_ROWS = BLOCK_ROWS * BLOCKS
const MAX_TEXT = 10_000
const MAX_START = 1024

/** Blocks of neighbouring rows spread over a table, since neighbours share listings or times. */
const spread = <T>(rows: readonly T[]): T[] => {
  const every = Math.max(1, Math.floor(rows.length / MAX_ROWS))
  return rows.filter((_, index) => Math.floor(index / BLOCK_ROWS) % every === 0).slice(0, MAX_ROWS)
}

const startOf = async (path: string): Promise<Buffer> => {
  for await (const start of readBytes(path, MAX_START)) return Buffer.from(start)
  return Buffer.alloc(0)
}

const sampleParquet = async ({ database, path, name }: FileSource): Promise<Sampling> => {
  if ((await startOf(path)).toString('latin1', 0, 4) !== 'PAR1') return { reason: 'it is not Parquet' }
  try {
    const columns = await parquetColumns(database, path)
    const [counted] = await database.execute<{ rows: number }>(
      `SELECT sum(num_rows)::DOUBLE AS rows FROM parquet_file_metadata(${literal(path)})`,
    )
    const every = Math.max(1, Math.floor(counted!.rows / MAX_ROWS))
    const texts = columns.map(
      ({ key }, index) => `left(coalesce(${identifier(key)}::VARCHAR, ''), ${MAX_TEXT}) AS "${index}"`,
    )
    const rows = await database.execute<Record<string, string>>(
      `SELECT ${texts.join(', ')} FROM read_parquet(${literal(path)}, file_row_number = true, hive_partitioning = false)
       WHERE (file_row_number // ${BLOCK_ROWS}) % ${every} = 0 ORDER BY file_row_number LIMIT ${MAX_ROWS}`,
    )
    const sampled = columns.map((column, index) => ({
      name: column.name,
      type: column.type,
      values: rows.map((row) => row[index] ?? ''),
    }))
    return { sample: { path: name, format: 'parquet', options: {}, columns: sampled } }
  } catch (cause) {
    return { reason: `it cannot be read as Parquet: ${(cause as Error).message.split('\n')[0]}` }
  }
}

const columnsOfTable = (blocks: Blocks, { columns, delimiter, start }: Sniffed): SampledColumn[] => {
  const read = (text: string, isWhole: boolean, max_rows?: number) =>
    parseDelimited(text, delimiter ?? ',', isWhole, max_rows).rows
  const all = read(blocks.head.toString(), blocks.isWhole, Number.POSITIVE_INFINITY)
  const { first, header_rows } = start!
  // A refresh refuses rows that are not as wide as the header.
  const width = header_rows > 0 ? all[first]!.length : columns.length
  const isRow = (row: readonly string[]) => row.length === width || (row.length === width + 1 && row[width] === '')
  const body = all.slice(first + header_rows)
  // A block that starts within quotes splits otherwise.
  const others = blocks.others.flatMap((block) => read(block, true, BLOCK_ROWS).filter(isRow))
  const rows = [...spread(body.some(isRow) ? body.filter(isRow) : body), ...others]
  return columns.slice(0, width).map((column, index) => ({ ...column, values: rows.map((row) => row[index] ?? '') }))
}

/** The fields of records in lines, or of those inside them, with the marks of columns that are known. */
const columnsOfLines = (blocks: Blocks, known: readonly SampledColumn[] = [], json_path?: string): SampledColumn[] => {
  const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
  const first = lines(blocks.head.toString()).slice(0, blocks.isWhole ? undefined : -1)
  const others = blocks.others.flatMap((block) => lines(block).slice(0, BLOCK_ROWS))
  const records = [...spread(first), ...others].flatMap(objectOf)
  const inner = json_path ? records.flatMap((record) => takeRecords(record, json_path)) : records
  return columnsOfRecords(inner).map((column) => {
    const { values: _, ...marks } = known.find(({ name }) => name === column.name) ?? column
    return { ...column, ...marks }
  })
}

const SINK = { rejected: () => undefined, shifted: () => undefined }

/** Records spread over a document, or the first ones if it cannot be read to its end. */
const columnsOfDocument = async (
  source: FileSource,
  { columns, encoding, options }: Sniffed,
): Promise<SampledColumn[]> => {
  try {
    const split = await splitJson(source.path, { ...source, encoding, json_path: options.json_path }, SINK)
    const sampled = columnsOfLines(await readBlocks(split.path, source), columns)
    if (split.is_copy) await rm(split.path)
    return sampled
  } catch {
    // The trial reports what is wrong with it.
    return [...columns]
  }
}

const sampleText = async (source: FileSource): Promise<Sampling> => {
  const { path, name, signal } = source
  const start = await readBlocks(path, { name, signal }, true)
  const guessed = sniff(name, start.head, start.isWhole)
  // The mark of a byte order is gone from the text, which is in UTF-8 by now.
  const encoding = start.encoding === 'utf-8' ? guessed.encoding : start.encoding
  const options = encoding === 'utf-8' ? guessed.options : { encoding, ...guessed.options }
  const sniffed = { ...guessed, encoding, options }
  const reason = textProblem(name, start.head, guessed)
  if (reason !== null) return { reason, columns: sniffed.columns }
  const { format, columns, left_out, titles } = sniffed
  const isComplete = start.isWhole && rowsOf(columns) < MAX_ROWS
  const sampled = async () => {
    if (format === 'json') return isComplete ? columns : columnsOfDocument(source, sniffed)
    const blocks = await readBlocks(path, { name, encoding, signal })
    return format === 'csv'
      ? columnsOfTable(blocks, sniffed).flatMap(withCells)
      : columnsOfLines(blocks, columns, options.json_path)
  }
  const others = { ...(left_out ? { left_out } : {}), ...(titles ? { titles } : {}) }
  return { sample: { path: name, format: format!, options, ...others, columns: await sampled() } }
}

const MAX_XML_RECORDS = 100_000

/** The records of an XML document, found by their number; of a long one those at its start. */
const sampleXml = async (source: FileSource): Promise<Sampling> => {
  const record = await findRecord(source.path, source)
  if (record === null) return { reason: 'it has no element that repeats with values' }
  const { path } = await scanXml(source.path, { ...source, record, max_records: MAX_XML_RECORDS }, SINK)
  try {
    const columns = columnsOfLines(await readBlocks(path, source))
    return { sample: { path: source.name, format: 'xml', options: { record }, columns } }
  } finally {
    await rm(path)
  }
}

const isDate = (name: string): boolean => {
  const { share, hasYear } = guessTimes(withMonths({ name: '', values: [name] }).values)
  return share === 1 && hasYear
}

type SheetReading = { sheet: string | readonly string[]; options?: FileOptions }

const sampleSheet = async (source: FileSource, { sheet, options = {} }: SheetReading): Promise<Sampling> => {
  const { path, ...others } = source
  const copy = await workbookToCsv(path, { ...others, sheet, heading: headingOf(options) })
  return sampleText({ ...source, path: copy, name: `${source.name}.csv` }).finally(() => rm(copy))
}

/** The dated sheets of a workbook, one below the other; null if they have different columns. */
const sampleDated = async (source: FileSource, reading: SheetReading): Promise<SampledFile | null> => {
  const sampling = await sampleSheet(source, reading).catch((cause: unknown) => {
    if (cause instanceof EngineError) return null
    throw cause
  })
  if (sampling === null || !('sample' in sampling)) return null
  const { columns } = sampling.sample
  return { ...sampling.sample, columns: [...columns.slice(0, -1), { ...columns.at(-1)!, alias: 'sheet date' }] }
}

/** The first sheet of a workbook that has a table, with all others that are named by dates as it is; the rest is left out. */
const sampleWorkbook = async (source: FileSource): Promise<Sampling> => {
  const sheets = await sheetNames(source.path, source.name)
  const named = sheets.filter(isDate)
  let first: Sampling | undefined
  for (const sheet of sheets) {
    const sampling = await sampleSheet(source, { sheet })
    first ??= sampling
    if (!('sample' in sampling)) continue
    const all = named.length === sheets.length ? ['*'] : named
    const { delimiter: _, encoding: __, ...options } = sampling.sample.options
    const dated = named.includes(sheet) ? await sampleDated(source, { sheet: all, options }) : null
    const left_out = sheets
      .filter((other) => !(dated ? named : [sheet]).includes(other))
      .map((part): UnreadPart => ({ kind: 'sheet', part, records: 0 }))
    const reading = dated ? { sheet: all } : sheet === sheets[0] ? {} : { sheet }
    const sample = dated ?? sampling.sample
    return { sample: { ...sample, path: source.name, format: 'xlsx', options: { ...reading, ...options }, left_out } }
  }
  return first ?? { reason: 'it has no sheet' }
}

/** The reader of each format; all return the same. */
const READERS: Readonly<Record<FileFormat, (source: FileSource) => Promise<Sampling>>> = {
  parquet: sampleParquet,
  xlsx: sampleWorkbook,
  xml: sampleXml,
  json: sampleText,
  jsonl: sampleText,
  csv: sampleText,
}

/** Samples one file below `root`, or says why it cannot be read. `folder` takes temporary files. */
export const sampleFile = async (
  database: Database,
  name: string,
  { root, folder, signal }: { root: string; folder: string; signal?: AbortSignal | undefined },
): Promise<Sampling> => {
  const path = join(root, name)
  const format = formatOf(name)
  if (isHidden(name)) return { reason: 'hidden: a refresh ignores names that begin with . or _, and node_modules' }
  if (/(?:^|\/)feed\.json$/.test(name)) return { reason: 'it describes the files of a feed' }
  try {
    if ((await stat(path)).size === 0) return { reason: 'it is empty' }
    const isPlain = format === undefined || (format === 'xml' && !/\.(?:gz|zst)$/i.test(name))
    const start = isPlain ? await startOf(path) : undefined
    const kind = start && unreadKind(name, start)
    if (kind !== undefined) return { reason: `it is ${kind}` }
    if (format === undefined) return { reason: unnamedProblem(name, start!) }
    return await READERS[format]({ database, path, name, folder, signal })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof EngineError) return { reason: cause.message }
    if ((cause as NodeJS.ErrnoException).syscall !== undefined) return { reason: (cause as Error).message }
    throw cause
  }
}
