import { graphemes } from '../readable.ts'

/** Letters that take two cells: East Asian wide and full-width forms, and pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
/** Marks that take no cell of their own. */
const MARK = /^\p{M}+$/u
const ASCII = /^[\x20-\x7E]*$/

const widthOfGrapheme = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : MARK.test(grapheme) ? 0 : 1)

/** The number of terminal cells that a text without control characters takes. */
export const cellWidth = (text: string): number => {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const { grapheme } of graphemes(text)) width += widthOfGrapheme(grapheme)
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
  let first = ''
  let used = 0
  let cut = 0
  for (const { grapheme, end } of graphemes(text)) {
    used += widthOfGrapheme(grapheme)
    if (used > width) break
    first += grapheme
    cut = end
  }
  return [first, text.slice(cut)]
}

/** A text cut to `width` cells, with … in place of what is cut. */
export const truncateCells = (text: string, width: number): string => {
  const [first, rest] = splitCells(text, width)
  return rest === '' ? first : `${splitCells(first, width - 1)[0]}…`
}
