import type { Encoding } from './decode.ts'

/**
 * Why a line is set aside: it cannot be split into as many fields as the header has, or has a NUL; it is longer than
 * MAX_LINE_BYTES; it opens a quote that does not close; its bytes are not text of the file's encoding.
 */
export const REJECT_CODES = ['ROW_MALFORMED', 'ROW_TOO_LONG', 'QUOTE_UNCLOSED', 'ENCODING_INVALID'] as const
export type RejectCode = (typeof REJECT_CODES)[number]

/** Receives what a scan finds besides records that the reader can read. Lines and records count from 1. */
export type TextSink = {
  /** A line set aside: it is not in the file handed to the reader. `text` is its first 500 characters. */
  rejected(line: number, code: RejectCode, text: string): void
  /** After the first `records` records handed over, the line of a record is its number among them + `offset`. */
  shifted(records: number, offset: number): void
}

export type TextOptions = {
  /** Where a repaired copy is written. */
  folder: string
  /** The file's name in messages. */
  name: string
  /** The file's encoding, UTF-8 by default. A byte order mark in the file takes precedence. */
  encoding?: Encoding | undefined
  /** Bytes read at a time, and the longest line. Only tests set them. */
  chunk_bytes?: number | undefined
  max_line_bytes?: number | undefined
}

/**
 * A text file as handed to the reader. lines = header_lines + records + rejected + continuation_lines + blank_lines.
 */
export type ScannedText = {
  /** The file to read: the original if nothing had to be repaired, else a copy in UTF-8. */
  path: string
  is_copy: boolean
  encoding: Encoding
  /** The line ending of the file to read. */
  newline: '\n' | '\r\n'
  /** Physical lines of the decompressed, decoded file. */
  lines: number
  header_lines: number
  blank_lines: number
  /** Lines of records after their first. */
  continuation_lines: number
  /** Records handed to the reader. */
  records: number
  /** Lines set aside. */
  rejected: number
}

/** The names in the header of a delimited file, as written there. */
export type ScannedCsv = ScannedText & { header: string[] }

/** A JSON document whose records are handed over as JSON lines. Lines do not apply: records are counted in their place. */
export type ScannedJson = Omit<ScannedText, 'lines'> & { lines: null }
