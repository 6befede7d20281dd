import { graphemes } from '../readable.ts'

/** Letters that take two cells: East Asian wide and full-width forms, and pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
/** Marks that take no cell of their own. */
const MARK = /^\p{M}+$/u
const ASCII = /^[\x20-\x7E]*$/

/** Below it each character takes one cell. */
const FIRST_MARK = 0x300

const widthOfGrapheme = (grapheme: string): number => {
  if (grapheme.charCodeAt(0) < FIRST_MARK && grapheme.length === 1) return 1
  return WIDE.test(grapheme) ? 2 : MARK.test(grapheme) ? 0 : 1
}

type TextCell = { end: number; grapheme: string; width: number }

function* cellsIn(text: string): Generator<TextCell> {
  for (const { grapheme, end } of graphemes(text)) yield { grapheme, end, width: widthOfGrapheme(grapheme) }
}

/** The same texts are measured and cut again and again until the columns of a page fit. */
const remembered = new Map<string, readonly TextCell[]>()
const MAX_REMEMBERED = 1000
/** Of a longer text only the beginning may be read. */
const MAX_LENGTH = 512

const cellsOf = (text: string): Iterable<TextCell> => {
  if (text.length > MAX_LENGTH) return cellsIn(text)
  const cells = remembered.get(text) ?? [...cellsIn(text)]
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, cells)
  return cells
}

/** The number of terminal cells that a text without control characters takes. */
export const cellWidth = (text: string): number => {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const cell of cellsOf(text)) width += cell.width
  return width
}

/** The widest of texts in cells. */
export const maxCellWidth = (texts: readonly string[]): number =>
  texts.reduce((max, text) => Math.max(max, cellWidth(text)), 0)

const spaces = (text: string, width: number): string => ' '.repeat(Math.max(0, width - cellWidth(text)))
export const padCellsEnd = (text: string, width: number): string => text + spaces(text, width)
export const padCellsStart = (text: string, width: number): string => spaces(text, width) + text

/** The first part of a text that fits into `width` cells, and the rest. */
export const splitCells = (text: string, width: number): [first: string, rest: string] => {
  // The character after the first part may be a mark on its last one.
  if (width > 0 && ASCII.test(text.slice(0, width + 1))) return [text.slice(0, width), text.slice(width)]
  let first = ''
  let used = 0
  let cut = 0
  for (const cell of cellsOf(text)) {
    used += cell.width
    if (used > width) break
    first += cell.grapheme
    cut = cell.end
  }
  return [first, text.slice(cut)]
}

/** A text cut to `width` cells, with … in place of what is cut. */
export const truncateCells = (text: string, width: number): string => {
  const [first, rest] = splitCells(text, width)
  return rest === '' ? first : `${splitCells(first, width - 1)[0]}…`
}
