import type { Table } from '../cli/table.ts'
import { csv } from './csv.ts'

/** The formats of a table for programs. */
export const tableFormats = ['csv', 'arrow', 'parquet'] as const
export type TableFormat = (typeof tableFormats)[number]

/** A table as a file in a format; the same table has the same bytes. */
export const formatTable = async (table: Table, format: TableFormat): Promise<Uint8Array> => {
  // Libraries are imported on demand: loading them takes longer than computing most answers.
  if (format === 'arrow') return (await import('./arrow.ts')).arrowStream(table)
  if (format === 'parquet') return (await import('./parquet.ts')).parquet(table)
  return Buffer.from(await csv(table))
}
