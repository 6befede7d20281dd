import { EngineError } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import type { ReferenceFile } from './reference-file.ts'

/** A line of a delimited file by its heading; an empty field is null. */
export type TableRow = { line: number; record: Record<string, string | null> }

/** A delimited file: the remarks before its heading, without `#`, and its lines. */
export type Table = { remarks: string[]; rows: TableRow[] }

const MOST_REMARKS = 1000

/** Reads a delimited file that may begin with lines of `#`. INVALID_PARAMS for one that cannot be split into columns. */
export const readTable = async (database: Database, { name, path }: ReferenceFile): Promise<Table> => {
  const first = await database.rows<{ line: string }>('reference/reference-remarks', { path, most: MOST_REMARKS })
  const headingAt = first.findIndex(({ line }) => !line.startsWith('#'))
  const skip = headingAt < 0 ? first.length : headingAt
  const delimiter = /\.tsv(?:\.|$)/i.test(name) ? '\t' : ','
  await database.setTexts('file', { path, delimiter, skip: String(skip) })
  try {
    const rows = await database.rows<{ record: string }>('reference/reference-table')
    return {
      remarks: first.slice(0, skip).map(({ line }) => line.slice(1).trim()),
      rows: rows.map(({ record }, at) => ({ line: skip + 2 + at, record: JSON.parse(record) })),
    }
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n')
    throw new EngineError('INVALID_PARAMS', `${name} cannot be split into columns: ${reason}`, { file: name })
  }
}
