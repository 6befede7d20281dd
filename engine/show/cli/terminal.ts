import { commandLine } from '../../contract/program.ts'
import { cellWidth, splitCells } from './cells.ts'

/** Standard output, standard error or a replacement in tests. */
export type Sink = {
  /** Writes a chunk; where a promise is returned, more may be written once it resolves. */
  write(chunk: string | Uint8Array): unknown
  isTerminal: boolean
  hasColours: boolean
  columns: number
}
/** Narrower terminals wrap the lines themselves. */
const MIN_COLUMNS = 40
const USUAL_COLUMNS = 80

/** The width of pages on a terminal of so many columns; a pseudo-terminal may have 0. */
export const pageWidth = (columns: number | undefined): number => Math.max(MIN_COLUMNS, columns || USUAL_COLUMNS)

export type Terminal = {
  stdout: Sink
  stderr: Sink
  /** Makes Ctrl-C call `interrupt` once instead of ending the process, until the returned function is called. */
  onInterrupt?: (interrupt: () => void) => () => void
}

/** What is written to a stream: a page by its lines, or a value. */
export const linesOf = (page: readonly string[]): string => `${page.join('\n')}\n`
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

type Paint = (text: string) => string
export type Style = { bold: Paint; dim: Paint; plot: Paint; warn: Paint }

const paint =
  (on: number, off: number): Paint =>
  (text) =>
    text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`
const identity: Paint = (text) => text

export const plain: Style = { bold: identity, dim: identity, plot: identity, warn: identity }
const coloured: Style = { bold: paint(1, 22), dim: paint(2, 22), plot: paint(36, 39), warn: paint(31, 39) }

export const styleOf = ({ hasColours }: Pick<Sink, 'hasColours'>): Style => (hasColours ? coloured : plain)

/** Replaces queries that a text names with their commands. */
export const inCommands = (text: string): string =>
  text.replace(
    /the query ([\w-]+)\/([\w-]+)/g,
    (_, group, name) => `\`${commandLine('shelfmark', `${group} ${name}`)}\``,
  )

/** Text that may be broken between words, or between the given pieces. */
export type Breakable = string | readonly string[]

/** A word in parts of at most `width` cells. */
const parts = (word: string, width: number): string[] => {
  const parts: string[] = []
  let [first, rest] = splitCells(word, width)
  while (rest !== '' && first !== '') {
    parts.push(first)
    ;[first, rest] = splitCells(rest, width)
  }
  return [...parts, first || rest]
}

/** Breaks text into lines of at most `width` cells; longer pieces are broken between words, longer words anywhere. */
export const wrap = (text: Breakable, width: number): string[] => {
  const lines: string[] = []
  const pieces = typeof text === 'string' ? text.split(' ') : text
  const words = pieces.flatMap((piece) => (cellWidth(piece) > width ? piece.split(' ') : piece))
  for (const word of words.flatMap((word) => parts(word, width))) {
    const last = lines.at(-1)
    if (last !== undefined && cellWidth(last) + 1 + cellWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Adds a dot after each piece but the last. */
export const dotted = (pieces: readonly string[]): string[] =>
  pieces.map((piece, i) => (i < pieces.length - 1 ? `${piece} ·` : piece))

/** A name in bold followed by a text. */
export const titled = (name: string, text: string, width: number, style: Style): string[] => {
  const [first = '', ...rest] = wrap(`${name}  ${text}`, width)
  return [first.replace(name, style.bold), ...rest]
}

/** Narrower columns of text are hard to read: then the text is below its label. */
const MIN_TEXT_WIDTH = 20
const INDENT_BELOW = 4

/** A label and a wrapped text, which starts in column `indent` on every line. */
export const labelled = (label: string, text: Breakable, indent: number, width: number): string[] => {
  const isBeside = label.length < indent && width - indent >= MIN_TEXT_WIDTH
  const column = width - indent >= MIN_TEXT_WIDTH ? indent : Math.min(indent, INDENT_BELOW)
  const [first = '', ...rest] = wrap(text, width - column)
  const head = isBeside ? [`${label.padEnd(column)}${first}`] : [label, `${' '.repeat(column)}${first}`]
  return [...head, ...rest.map((line) => `${' '.repeat(column)}${line}`)].map((line) => line.trimEnd())
}

const NOTICE_AFTER_MS = 1000

/** Shows a notice on a terminal while work takes longer than `noticeAfterMs`, and clears it afterwards. */
export const withNotice = async <T>(
  work: Promise<T>,
  notice: string,
  stderr: Pick<Sink, 'write' | 'isTerminal'>,
  noticeAfterMs = NOTICE_AFTER_MS,
): Promise<T> => {
  if (!stderr.isTerminal) return work
  let isShown = false
  const timer = setTimeout(() => {
    isShown = true
    stderr.write(notice)
  }, noticeAfterMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    if (isShown) stderr.write('\r\x1b[K')
  }
}
