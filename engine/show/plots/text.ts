import { graphemes, readableLine, shortened } from '../readable.ts'

const NARROW_LETTERS = /[iljtfrI.,:;'’|!()[\] -]/
const WIDE_LETTERS = /[mwMWQO@%&—…]/
const CAPITALS_AND_SIGNS = /[A-Z+−=<>#~_]/
const LATIN = /[ -\u024F−–’]/

const EMS = { narrow: 0.36, wide: 0.94, capital: 0.72, other: 0.58, fullWidth: 1.05 }

const widthOfLetter = (letter: string): number => {
  if (NARROW_LETTERS.test(letter)) return EMS.narrow
  if (WIDE_LETTERS.test(letter)) return EMS.wide
  if (CAPITALS_AND_SIGNS.test(letter)) return EMS.capital
  return LATIN.test(letter) ? EMS.other : EMS.fullWidth
}

/** The width of a line of text in pixels, estimated from above for the sans-serif fonts of usual systems. */
export const textWidth = (text: string, fontSize: number): number =>
  fontSize * [...text].reduce((sum, letter) => sum + widthOfLetter(letter), 0)

/** The width of the widest line. */
export const widestOf = (texts: readonly string[], fontSize: number): number =>
  Math.max(0, ...texts.flatMap((text) => text.split('\n')).map((line) => textWidth(line, fontSize)))

/** Readable text without runs of spaces, at most as long as anyone reads in a plot. */
export const cleaned = (text: string): string => readableLine(shortened(text)).replace(/ +/g, ' ').trim()

/** Text cut to a width in pixels, with … in place of what is cut. */
export const truncated = (text: string, fontSize: number, width: number): string => {
  let [drawn, fitting, used] = ['', '', 0]
  const room = width - textWidth('…', fontSize)
  for (const { grapheme } of graphemes(text)) {
    used += textWidth(grapheme, fontSize)
    if (used > width) return `${fitting.trimEnd()}…`
    drawn += grapheme
    if (used <= room) fitting = drawn
  }
  return drawn
}

/** Text broken between words into lines of a width in pixels. */
export const wrapped = (text: string, fontSize: number, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && textWidth(longer, fontSize) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
