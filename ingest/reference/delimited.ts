import { z } from 'zod'
import { EngineError } from '../../engine/index.ts'
import { type Database, query } from '../database.ts'
import { defaultDelimiter } from '../feeds/heading.ts'
import type { ReferenceFile } from './files.ts'

/** A line of a delimited file, by the names in its header; an empty field is null. */
export type DelimitedLine = { number: number; record: Record<string, string | null> }

/** A delimited file: the remarks before its header, without `#`, and its lines. */
export type Delimited = { remarks: string[]; lines: DelimitedLine[] }

const DELIMITED = query(
  import.meta.url,
  'input#delimited',
  z.strictObject({ remark: z.string().nullable(), record: z.string().nullable() }),
)

/**
 * Reads a delimited file, which may begin with remarks: lines that start with `#`. Throws INVALID_PARAMS if it cannot
 * be split into columns.
 */
export const readDelimited = async (database: Database, { name, path }: ReferenceFile): Promise<Delimited> => {
  await database.set({ file: { path, delimiter: defaultDelimiter(name) } })
  try {
    const rows = await database.rows(DELIMITED)
    const remarks = rows.flatMap(({ remark }) => (remark === null ? [] : remark.slice(1).trim()))
    const records = rows.flatMap(({ record }) =>
      record === null ? [] : [JSON.parse(record) as DelimitedLine['record']],
    )
    const headerLines = remarks.length + 1
    return { remarks, lines: records.map((record, index) => ({ number: headerLines + index + 1, record })) }
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n')
    throw new EngineError('INVALID_PARAMS', `${name} cannot be split into columns: ${reason}`, { file: name })
  }
}

/** What is wrong with a line: `lexicon.csv:3: outcome: expected hit or miss, got "maybe"`. */
export const lineFault = (file: string, { number, record }: DelimitedLine, { issues }: z.ZodError): string => {
  const [issue] = issues
  const field = issue?.path.join('.') ?? ''
  return `${file}:${number}: ${field}: ${issue?.message}, got ${JSON.stringify(record[field] ?? null)}`
}
