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

const segmenter = new Intl.Segmenter('en')
/** A letter with more marks than a script needs, or a picture of more parts, is shown without them. */
const MAX_UNITS = 32
const PIECE_UNITS = 128

/** Below the first combining mark each character is a grapheme, unless a mark follows or it is half of a line break. */
const FIRST_MARK = 0x300
const CARRIAGE_RETURN = 0x0d
const ALL_ALONE = /^[ -\u02ff]*$/
const isAlone = (text: string, at: number): boolean =>
  text.charCodeAt(at) < FIRST_MARK &&
  text.charCodeAt(at) !== CARRIAGE_RETURN &&
  (at + 1 === text.length || text.charCodeAt(at + 1) < FIRST_MARK)

/** The graphemes of a text one by one. Reading some of them costs nothing for the rest of the text. */
export function* graphemes(text: string): Generator<{ grapheme: string; end: number }> {
  let end = 0
  while (end < text.length) {
    while (isAlone(text, end)) {
      end += 1
      yield { grapheme: text[end - 1]!, end }
    }
    // Pieces, since the segmenter reads a text as a whole before its first segment.
    const piece = text.slice(end, end + PIECE_UNITS)
    const isLast = end + piece.length === text.length
    let read = 0
    for (const { segment } of segmenter.segment(piece)) {
      // The last segment of a piece may go on in the next.
      if (!isLast && read > 0 && read + segment.length === piece.length) break
      read += segment.length
      yield {
        grapheme: segment.length > MAX_UNITS ? String.fromCodePoint(segment.codePointAt(0)!) : segment,
        end: end + read,
      }
    }
    end += read
  }
}

/** The first graphemes of a text, followed by … where it has more. */
export const shortened = (text: string, count: number): string => {
  if (text.length <= count) return text
  const head = text.slice(0, count)
  if (ALL_ALONE.test(head) && isAlone(text, count - 1)) return `${head.slice(0, -1).trimEnd()}…`
  let first = ''
  let taken = 0
  for (const { grapheme, end } of graphemes(text)) {
    taken += 1
    if (taken === count && end < text.length) return `${first.trimEnd()}…`
    first += grapheme
  }
  return first
}
