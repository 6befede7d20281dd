/** How the records of a text are written, in bytes. */
export type Dialect = {
  delimiter: number
  /** The quotation mark; 0, which no text has, if the format has none. */
  quote: number
  /** The number of fields in a record, as in the header. */
  fields: number
  isCrlf: boolean
  max_line_bytes: number
}

export const TAB = 9
export const LF = 10
export const CR = 13
export const SPACE = 32
export const QUOTE = 34
