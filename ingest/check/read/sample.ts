import type { FileFormat } from '../../feeds/discover.ts'
import type { TextEncoding } from '../../text/decode.ts'

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

/** A file with a sample of its rows. */
export type SampledFile = {
  /** Relative to the checked folder. */
  path: string
  format: FileFormat
  encoding?: TextEncoding
  delimiter?: string
  /** Whether the first line names the columns; for delimited text. */
  header?: boolean
  /** Lines above the header, and its rows where they are not one. */
  skip_rows?: number
  header_rows?: number
  /** The path of the records in a JSON document that is no array: `data.items[]`. */
  json_path?: string
  /** The element that is a record of an XML document. */
  record?: string
  /** Columns that were made rows; the columns are those of the rows. */
  unpivot?: { columns: string[]; name_to: string; value_to: string }
  /** Lists of records, and sheets, that are not read. */
  left_out?: readonly { path: string; records: number | null }[]
  columns: readonly SampledColumn[]
}
