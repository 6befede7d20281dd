import { open } from 'node:fs/promises'
import type { Database } from '../database.ts'
import type { FeedFile } from './discover.ts'
import { literal } from './sql-text.ts'

/** A column of a file: its name there, what its reader calls it, and its type in DuckDB. */
export type SourceColumn = { name: string; key: string; type: string }

const HEAD_BYTES = 4 * 1024 * 1024
const SAMPLED_LINES = 1000

/** The delimiter of a file by its name. */
export const defaultDelimiter = (name: string): string => (/\.tsv(?:\.|$)/i.test(name) ? '\t' : ',')

/** The delimiter of a file by its mapping, or else by its name. */
export const delimiterOf = ({
  name,
  description,
  format,
}: Pick<FeedFile, 'name' | 'description' | 'format'>): string =>
  format === 'xlsx' ? ',' : (description.delimiter ?? defaultDelimiter(name))

const headOf = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(Math.min(size, HEAD_BYTES)) })
    return buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
  } finally {
    await file.close()
  }
}

/** The reader's names: those of the file, numbered if they are empty or differ only in case. */
const keysOf = (names: readonly string[]): string[] => {
  const taken = new Set<string>()
  return names.map((name, index) => {
    let key = name === '' ? `column ${index + 1}` : name
    while (taken.has(key.toLowerCase())) key = `${key} (${index + 1})`
    taken.add(key.toLowerCase())
    return key
  })
}

const namesInLines = (text: string): string[] => {
  const names = new Set<string>()
  for (const line of text.split('\n', SAMPLED_LINES)) {
    try {
      const value: unknown = JSON.parse(line)
      if (value !== null && typeof value === 'object' && !Array.isArray(value))
        for (const name of Object.keys(value)) names.add(name)
    } catch {
      // Malformed lines are refused when the file is read.
    }
  }
  return [...names]
}

/** The columns of a delimited file by the names in its header. */
export const headerColumns = (header: readonly string[]): SourceColumn[] => {
  const names = header.map((name) => name.trim())
  const keys = keysOf(names)
  return names.map((name, index) => ({ name, key: keys[index]!, type: 'VARCHAR' }))
}

/** The keys of the first thousand objects of a file of JSON lines, in the order in which they appear. */
export const objectColumns = async (path: string): Promise<SourceColumn[]> =>
  namesInLines(await headOf(path)).map((name) => ({ name, key: name, type: 'VARCHAR' }))

/** The columns of a Parquet file with their types. */
export const parquetColumns = async (database: Database, path: string): Promise<SourceColumn[]> => {
  const columns = await database.execute<{ column_name: string; column_type: string }>(
    `DESCRIBE SELECT * FROM read_parquet(${literal(path)}, hive_partitioning = false)`,
  )
  return columns.map(({ column_name: name, column_type: type }) => ({ name, key: name, type }))
}
