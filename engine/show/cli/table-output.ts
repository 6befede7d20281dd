import { writeFile } from 'node:fs/promises'
import { formatTable } from '../formats/format.ts'
import { writeAtomically } from '../standalone/files.ts'
import type { Table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** The formats of a table for programs. */
export type TableOutput = { format: 'csv' | 'arrow' } | { parquet: string }

/** Writes a table to standard output, or to a Parquet file with a line about it on standard error. */
export const writeTable = async (table: Table, output: TableOutput, { stdout, stderr }: Terminal): Promise<void> => {
  if ('parquet' in output) {
    const bytes = await formatTable(table, 'parquet')
    await writeAtomically(output.parquet, (path) => writeFile(path, bytes))
    stderr.write(`${output.parquet}: ${table.rows.length} rows\n`)
  } else await stdout.write(await formatTable(table, output.format))
}
