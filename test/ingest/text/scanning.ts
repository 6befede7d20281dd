import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { splitJson } from '../../../ingest/text/json.ts'
import { READER_BUFFER_BYTES, READER_LINE_BYTES } from '../../../ingest/text/limits.ts'
import { NO_DELIMITER, scanCsv, scanJsonLines } from '../../../ingest/text/scan.ts'
import type { RejectCode, ScannedText, TextOptions, TextSink } from '../../../ingest/text/types.ts'
import { temporaryFolder as newFolder } from '../../support/given.ts'

export { newFolder }

export type Rejected = { line: number; code: RejectCode; text: string }

/** A sink that keeps what it receives. */
export const createSink = () => {
  const rejected: Rejected[] = []
  const shifts: { records: number; offset: number }[] = []
  const sink: TextSink = {
    rejected: (line, code, text) => rejected.push({ line, code, text }),
    shifted: (records, offset) => shifts.push({ records, offset }),
  }
  /** The line of a record by its number among those handed over, from 1. */
  const lineOf = (record: number): number => record + (shifts.findLast(({ records }) => records < record)?.offset ?? 0)
  return { sink, rejected, lineOf }
}

export type Content = string | Uint8Array
export type Given = Partial<TextOptions> & { file?: string; delimiter?: string; json_path?: string }

const write = async (content: Content, file: string) => {
  const folder = await newFolder()
  const path = join(folder, file)
  await writeFile(path, content)
  return { folder, path }
}

/** Scans a delimited file of this content. */
export const scanCsvOf = async (content: Content, { file = 'a.csv', delimiter = ',', ...options }: Given = {}) => {
  const { folder, path } = await write(content, file)
  const { sink, ...found } = createSink()
  return { ...found, scanned: await scanCsv(path, { folder, name: file, delimiter, ...options }, sink), original: path }
}

/** Scans a file of JSON lines of this content. */
export const scanLinesOf = async (content: Content, { file = 'a.jsonl', ...options }: Given = {}) => {
  const { folder, path } = await write(content, file)
  const { sink, ...found } = createSink()
  return { ...found, scanned: await scanJsonLines(path, { folder, name: file, ...options }, sink), original: path }
}

/** Splits a JSON document of this content. */
export const splitJsonOf = async (content: Content, { file = 'a.json', ...options }: Given = {}) => {
  const { folder, path } = await write(content, file)
  const { sink, ...found } = createSink()
  return { ...found, scanned: await splitJson(path, { folder, name: file, ...options }, sink), original: path }
}

const instance = await DuckDBInstance.create(':memory:', { threads: '4' })

export type ReaderOptions = { max_line_size?: number; buffer_size?: number; parallel?: boolean }
export type Row = readonly (string | null)[]

type Readable = Pick<ScannedText, 'path' | 'newline' | 'continuation_lines' | 'records'>

/** The rows of a statement that reads text. Null where the reader rejects a line, or cannot read the file. */
const read = async (sql: string): Promise<Row[] | null> => {
  const connection = await instance.connect()
  try {
    const rows = (await connection.runAndReadAll(sql)).getRows()
    const rejected = (await connection.runAndReadAll('FROM reject_errors')).getRows()
    return rejected.length > 0 ? null : (rows as unknown as Row[])
  } catch {
    return null
  } finally {
    await connection.run('DROP TABLE IF EXISTS reject_errors; DROP TABLE IF EXISTS reject_scans')
    connection.disconnectSync()
  }
}

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Reads text as ingest must: by several threads where records are lines, and by one where those miss a record. */
const readAll = async (
  source: string,
  { newline, continuation_lines, records }: Readable,
  { max_line_size = READER_LINE_BYTES, buffer_size = READER_BUFFER_BYTES, parallel = true }: ReaderOptions,
): Promise<Row[]> => {
  const options = `auto_detect = false, compression = 'none', new_line = '${newline === '\n' ? '\\n' : '\\r\\n'}',
    max_line_size = ${max_line_size}, buffer_size = ${buffer_size}, store_rejects = true, rejects_limit = 0,
    hive_partitioning = false`
  for (const isParallel of parallel && continuation_lines === 0 ? [true, false] : [false]) {
    const rows = await read(`SELECT * FROM read_csv(${source}, ${options}, parallel = ${isParallel})`)
    if (rows?.length === records) return rows
  }
  throw new Error(`the reader does not find the ${records} records that were scanned`)
}

/** The rows that DuckDB reads of a scanned delimited file; an empty field is null. */
export const rowsOf = (
  scanned: Readable & { header: string[] },
  delimiter = ',',
  options: ReaderOptions = {},
): Promise<Row[]> => {
  const columns = scanned.header.map((_, index) => `c${index}: 'VARCHAR'`).join(', ')
  const source = `${literal(scanned.path)}, header = true, columns = {${columns}}, delim = ${literal(delimiter)},
    quote = '"', escape = '"'`
  return readAll(source, scanned, options)
}

/** The lines that DuckDB reads of a scanned file of JSON lines. */
export const linesOf = async (scanned: Readable, options: ReaderOptions = {}): Promise<(string | null)[]> => {
  const source = `${literal(scanned.path)}, header = false, columns = {'source': 'VARCHAR'},
    delim = ${literal(NO_DELIMITER)}, quote = '', escape = ''`
  return (await readAll(source, scanned, options)).map(([line]) => line ?? null)
}
