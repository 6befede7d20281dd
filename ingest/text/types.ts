import type { TextEncoding } from './decode.ts'

/**
 * Why a line is rejected: it does not have as many fields as the header, or has a NUL; it is longer than
 * MAX_LINE_BYTES; it has an unclosed quote; its bytes are invalid in the file's encoding.
 */
export const REJECT_CODES = ['ROW_MALFORMED', 'ROW_TOO_LONG', 'QUOTE_UNCLOSED', 'ENCODING_INVALID'] as const
export type RejectCode = (typeof REJECT_CODES)[number]

/** Receives the findings of a scan other than readable records. Lines and records count from 1. */
export type TextSink = {
  /** A rejected line, which is not in the file for the reader. `text` is its first 500 characters. */
  rejected(line: number, code: RejectCode, text: string): void
  /** After the first `records` records, the line of a record is its number + `offset`. */
  shifted(records: number, offset: number): void
}

export type TextOptions = {
  /** The folder for a repaired copy. */
  folder: string
  /** The file's name in messages. */
  name: string
  /** The file's encoding, UTF-8 by default. A byte order mark in the file takes precedence. */
  encoding?: TextEncoding | undefined
  /** Ends the reading: its reason is thrown. */
  signal?: AbortSignal | undefined
  /** Bytes read at a time, and the maximum line length. Only tests set them. */
  chunk_bytes?: number | undefined
  max_line_bytes?: number | undefined
}

/**
 * A text file for the reader. lines = header_lines + records + rejected + continuation_lines + blank_lines.
 */
export type ScannedText = {
  /** The file to read: the original if nothing had to be repaired, else a copy in UTF-8. */
  path: string
  is_copy: boolean
  encoding: TextEncoding
  /** The line ending of the file to read. */
  newline: '\n' | '\r\n'
  /** Physical lines of the decompressed, decoded file. */
  lines: number
  header_lines: number
  blank_lines: number
  /** Lines of records after their first. */
  continuation_lines: number
  /** Records for the reader. */
  records: number
  /** Rejected lines. */
  rejected: number
}

/** The names in the header of a delimited file, as written there. */
export type ScannedCsv = ScannedText & { header: string[] }

/** A JSON document, converted to JSON lines. Records are counted instead of lines. */
export type ScannedJson = Omit<ScannedText, 'lines'> & { lines: null }
