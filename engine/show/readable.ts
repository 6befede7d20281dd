/**
 * Characters that nobody sees and that move or hide what is seen: control characters, marks of direction, other format
 * characters but the joiners within words and pictures, and halves of characters.
 */
const UNSEEN = /(?:(?![\t\n\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF])+/gu
const WHITE_SPACE = /[\t\n\v\f\r\u2028\u2029]+/g

const escapesOf = (characters: string): string =>
  characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Text for people to read: what they would not see is written as JSON escapes it, such as `\u202e`. */
export const readable = (text: string): string => text.replace(UNSEEN, escapesOf)

/** Readable text on one line. */
export const readableLine = (text: string): string => readable(text.replace(WHITE_SPACE, ' '))

let segmenter: Intl.Segmenter | undefined
/** By a segmenter that is created on demand: that takes 20 ms, and few texts need one. */
const segmentsOf = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter('en')
  return segmenter.segment(text)
}
/** A letter with more marks than a script needs, or a picture of more parts, is shown without them. */
const MAX_UNITS = 32

/** Below the first combining mark each character is a grapheme, unless a mark follows or it is half of a line break. */
const FIRST_MARK = 0x300
const CARRIAGE_RETURN = 0x0d
const isAlone = (text: string, at: number): boolean =>
  text.charCodeAt(at) < FIRST_MARK &&
  text.charCodeAt(at) !== CARRIAGE_RETURN &&
  (at + 1 === text.length || text.charCodeAt(at + 1) < FIRST_MARK)

const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0)!)

/** The graphemes of a text one by one; the segmenter, which is slow, reads only what needs it. */
export function* graphemes(text: string): Generator<{ grapheme: string; end: number }> {
  let end = 0
  while (end < text.length) {
    while (isAlone(text, end)) yield { grapheme: text[end]!, end: ++end }
    for (const { segment } of segmentsOf(text.slice(end))) {
      end += segment.length
      yield { grapheme: segment.length > MAX_UNITS ? firstCharacter(segment) : segment, end }
      if (isAlone(text, end)) break
    }
  }
}

/** A longer text is not shown as a whole. */
const MAX_LENGTH = 300

/**
 * A text of at most `length` UTF-16 units, cut between graphemes, with … in place of what is cut. Only the text around
 * the cut is read, so that its cost does not grow with the text.
 */
export const shortened = (text: string, length = MAX_LENGTH): string => {
  if (text.length <= length) return text
  const cut = segmentsOf(text.slice(0, length + MAX_UNITS)).containing(length - 1)!
  return `${cut.index === 0 ? firstCharacter(text) : text.slice(0, cut.index).trimEnd()}…`
}
