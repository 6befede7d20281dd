/**
 * The maximum length of a line, or of a record of several lines, for the reader, in bytes of UTF-8. Repair may lengthen
 * a record to at most two and a half times this, which READER_LINE_BYTES allows for.
 */
export const MAX_LINE_BYTES = 2_000_000

/** The `max_line_size` of DuckDB's reader. */
export const READER_LINE_BYTES = 8_000_000

/**
 * The `buffer_size` of DuckDB's reader: a multiple of 16, at least four times `max_line_size`. A task reads a quarter
 * of a buffer, or `max_line_size` if that is longer; if tasks do not end with the buffer, records are lost silently.
 */
export const READER_BUFFER_BYTES = 4 * READER_LINE_BYTES

/** Bytes read at a time. */
export const CHUNK_BYTES = 1 << 20

/** The maximum size of a JSON document that is parsed as a whole, in bytes of UTF-8. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024
