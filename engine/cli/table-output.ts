import { csv } from './csv.ts'
import type { Table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** The formats of a table for programs. */
export type TableOutput = { format: 'csv' | 'arrow' } | { parquet: string }

/** Writes a table to standard output, or to a Parquet file with a line about it on standard error. */
export const writeTable = async (table: Table, output: TableOutput, { stdout, stderr }: Terminal): Promise<void> => {
  // Libraries are imported on demand: loading them takes longer than computing most answers.
  if ('parquet' in output) {
    await (await import('../standalone/table-file.ts')).writeParquetTable(output.parquet, table)
    stderr.write(`${output.parquet}: ${table.rows.length} rows\n`)
  } else if (output.format === 'csv') await stdout.write(csv(table))
  else await stdout.write((await import('./arrow.ts')).arrowStream(table))
}
