import { rm } from 'node:fs/promises'
import { scanXml, splitJson } from '../../text/json.ts'
import { isObject, type Json, type JsonObject, parseJsonPath, recordsAt } from '../../text/json-path.ts'
import { findRecord } from '../../text/xml.ts'
import { type Blocks, readBlocks, readHead } from './blocks.ts'
import { binaryContent, textProblem } from './content.ts'
import { columnsOfRecords } from './json-records.ts'
import type { SampledColumn, SampledFile } from './sample.ts'
import { decodeHead, type Sniffed, sniff } from './sniff.ts'
import { readDelimited } from './text-tables.ts'

/** A sample of a file, or why it cannot be read, with its columns as far as they can be seen. */
export type Sampling = { sample: SampledFile } | { reason: string; columns?: readonly SampledColumn[] }

type SampleTextOptions = { name: string; folder: string; signal?: AbortSignal | undefined }

const BLOCK_ROWS = 50
const BLOCKS_OF_HEAD = 20
const MAX_RECORDS = 1000

/** Blocks of neighbouring rows spread over a table, since neighbours share listings or times. */
const spread = <T>(rows: readonly T[]): T[] => {
  const every = Math.max(1, Math.floor(rows.length / (BLOCK_ROWS * BLOCKS_OF_HEAD)))
  return rows.filter((_, index) => Math.floor(index / BLOCK_ROWS) % every === 0).slice(0, BLOCK_ROWS * BLOCKS_OF_HEAD)
}

const rowsOf = (blocks: Blocks, { delimiter, start }: Sniffed, width: number): string[][] => {
  const read = (text: string, isWhole: boolean, max_rows: number) =>
    readDelimited(text, delimiter ?? ',', isWhole, max_rows)
  const first = read(blocks.head.toString(), blocks.isWhole, Number.POSITIVE_INFINITY).slice(
    start ? start.first + start.header_rows : 0,
  )
  // A block that starts within quotes splits otherwise.
  const others = blocks.others.flatMap((block) => read(block, true, BLOCK_ROWS).filter((row) => row.length === width))
  return [...spread(first), ...others]
}

const sampleTable = (blocks: Blocks, sniffed: Sniffed): SampledColumn[] => {
  const rows = rowsOf(blocks, sniffed, sniffed.columns.length)
  return sniffed.columns.map(({ name }, index) => ({ name, values: rows.map((row) => row[index] ?? '') }))
}

const parsed = (line: string): JsonObject[] => {
  try {
    const value = JSON.parse(line) as Json
    return isObject(value) ? [value] : []
  } catch {
    return []
  }
}

const recordsOf = (record: JsonObject, json_path: string | null): JsonObject[] => {
  if (json_path === null) return [record]
  try {
    return [...recordsAt(record, parseJsonPath(json_path))]
  } catch {
    return []
  }
}

const sampleLines = (blocks: Blocks, json_path: string | null = null): SampledColumn[] => {
  const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
  const first = lines(blocks.head.toString())
  const whole = blocks.isWhole ? first : first.slice(0, -1)
  const others = blocks.others.flatMap((block) => lines(block).slice(0, BLOCK_ROWS))
  const records = [...spread(whole), ...others].flatMap(parsed)
  return columnsOfRecords(records.flatMap((record) => recordsOf(record, json_path)))
}

/** Columns with the aliases and marks of those with the same names. */
const marked = (columns: readonly SampledColumn[], like: readonly SampledColumn[]): SampledColumn[] => {
  const marks = new Map(like.map((column) => [column.name, column]))
  return columns.map((column) => ({ ...marks.get(column.name), ...column }))
}

/** Samples an XML document: its records, found by their number. */
export const sampleXml = async (path: string, options: SampleTextOptions): Promise<Sampling> => {
  const record = await findRecord(path, options)
  if (record === null) return { reason: 'it has no element that repeats with values' }
  const sink = { rejected: () => undefined, shifted: () => undefined }
  const { path: lines } = await scanXml(path, { ...options, record }, sink)
  try {
    const columns = sampleLines(await readBlocks(lines, options))
    return { sample: { path: options.name, format: 'xml', record, columns } }
  } finally {
    await rm(lines)
  }
}

/** Records spread over a document, or the first ones if it cannot be read to its end. */
const sampleDocument = async (path: string, sniffed: Sniffed, options: SampleTextOptions): Promise<SampledColumn[]> => {
  const encoding = sniffed.encoding ?? 'utf-8'
  const json_path = sniffed.json_path ?? undefined
  const sink = { rejected: () => undefined, shifted: () => undefined }
  try {
    const { path: lines, is_copy } = await splitJson(path, { ...options, encoding, json_path }, sink)
    const columns = sampleLines(await readBlocks(lines, options))
    if (is_copy) await rm(lines)
    return marked(columns, sniffed.columns)
  } catch {
    // The trial reports what is wrong with it.
    return [...sniffed.columns]
  }
}

const sampleColumns = async (
  path: string,
  sniffed: Sniffed,
  isWhole: boolean,
  options: SampleTextOptions,
): Promise<readonly SampledColumn[]> => {
  const rows = sniffed.columns[0]?.values.length ?? 0
  if (sniffed.format === 'json')
    return isWhole && rows < MAX_RECORDS ? sniffed.columns : sampleDocument(path, sniffed, options)
  const blocks = await readBlocks(path, { ...options, encoding: sniffed.encoding ?? 'utf-8' })
  return sniffed.format === 'csv'
    ? sampleTable(blocks, sniffed)
    : marked(sampleLines(blocks, sniffed.json_path), sniffed.columns)
}

const BIG_ENDIAN = 'it is big-endian UTF-16 without a byte order mark; convert it to UTF-8'

/** Samples a text file. INVALID_PARAMS where it cannot be decompressed. */
export const sampleText = async (path: string, options: SampleTextOptions): Promise<Sampling> => {
  const { name } = options
  const { head, isWhole, encoding: marked } = await readHead(path, options)
  const binary = binaryContent(head)
  if (binary !== null) return { reason: binary }
  const sniffed = sniff(name, head, isWhole)
  // The mark of a byte order is gone from the text, which is in UTF-8 by now.
  const encoding = marked === 'utf-8' ? sniffed.encoding : marked
  if (encoding === 'utf-16' && marked === 'utf-8' && head[0] === 0) return { reason: BIG_ENDIAN }
  const reason = textProblem(name, decodeHead(head).text, sniffed)
  if (reason !== null) return { reason, columns: sniffed.columns }
  const { format, delimiter, header, start, json_path, left_out } = sniffed
  const columns = await sampleColumns(path, { ...sniffed, encoding }, isWhole, options)
  const sample: SampledFile = {
    path: name,
    format: format!,
    ...(encoding ? { encoding } : {}),
    ...(delimiter ? { delimiter } : {}),
    ...(header === null ? {} : { header }),
    ...(start && start.skip_rows > 0 ? { skip_rows: start.skip_rows } : {}),
    ...(start && start.header_rows > 1 ? { header_rows: start.header_rows } : {}),
    ...(json_path ? { json_path } : {}),
    ...(left_out.length > 0 ? { left_out } : {}),
    columns,
  }
  return { sample }
}
