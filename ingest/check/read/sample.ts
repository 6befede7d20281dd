import type { FileFormat } from '../../feeds/discover.ts'
import type { Description } from '../../feeds/mapping.ts'

/** A column with a sample of its values as text, empty for null, in the same rows as the file's other columns. */
export type SampledColumn = {
  name: string
  values: readonly string[]
  /** The DuckDB type, for Parquet. */
  type?: string
  /** The expression that reads it, for a nested field: `"offers"->>'$.price'`. */
  sql?: string
  /** A more meaningful name than the column's own: `price` for `value` in a list of prices. */
  alias?: string
  /** Whether it belongs to the record around a dated one, so that its values are not of that date. */
  isOuter?: boolean
}

/** The keys of a mapping that say how a file is read; what is usual for its name is left out. */
export type FileOptions = Pick<
  Description,
  'encoding' | 'delimiter' | 'header' | 'skip_rows' | 'json_path' | 'record' | 'sheet' | 'unpivot'
>

/** What of a file is not read: lists of records, sheets of a workbook, empty cells of unpivoted columns. */
export type UnreadPart = { kind: 'records' | 'sheet' | 'cells'; part: string; records: number }

/** A file with a sample of its rows, as every reader returns it. */
export type SampledFile = {
  /** Relative to the checked folder. */
  path: string
  format: FileFormat
  options: FileOptions
  /** What is written above its table. */
  titles?: readonly string[]
  left_out?: readonly UnreadPart[]
  /** Whether only its numbers show that it has prices. */
  isDoubtful?: boolean
  columns: readonly SampledColumn[]
}

/** A sample of a file, or why it cannot be read, with its columns as far as they can be seen. */
export type Sampling = { sample: SampledFile } | { reason: string; columns?: readonly SampledColumn[] }

/** The number of sampled rows. */
export const rowsOf = (columns: readonly SampledColumn[]): number => columns[0]?.values.length ?? 0
