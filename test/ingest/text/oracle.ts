import { isUtf8 } from 'node:buffer'
import type { RejectCode } from '../../../ingest/text/types.ts'

export type Expected = {
  header: string[]
  /** The line where a record starts, how many it has, and the texts of its fields. */
  records: { line: number; lines: number; fields: string[] }[]
  rejected: { line: number; code: RejectCode }[]
  blank: number[]
  lines: number
  header_lines: number
}

type Split = { fields: string[]; ending: 'closed' | 'open' | 'bad' }

const escaped = (letter: string): string => letter.replace(/[\\|^$.*+?]/, '\\$&')

/** The fields of a text, by regular expressions that each take one field. */
const split = (text: string, delimiter: string): Split => {
  const end = `(?:${escaped(delimiter)}|$)`
  const space = delimiter === ' ' ? '[\\r]' : '[ \\r]'
  const quoted = new RegExp(`^${space}*"((?:[^"]|"")*)"(?!")${space}*(${end})`)
  const open = new RegExp(`^${space}*"(?:[^"]|"")*$`)
  const plain = new RegExp(`^([^${escaped(delimiter)}]*)(${end})`, 's')
  const fields: string[] = []
  for (let rest = text; ; ) {
    const starts = new RegExp(`^${space}*"`).test(rest)
    const match = (starts ? quoted : plain).exec(rest)
    if (!match) return { fields, ending: open.test(rest) ? 'open' : 'bad' }
    fields.push(starts ? match[1].replaceAll('""', '"') : match[1])
    if (match[2] === '') return { fields, ending: 'closed' }
    rest = rest.slice(match[0].length)
  }
}

const withSpaces = (text: string): string => text.replace(/\r(?!\n)/g, ' ')
const withoutEnd = (text: string): string => text.replace(/\r+$/, '')
const isSound = (line: string): boolean => isUtf8(Buffer.from(line, 'latin1')) && !line.includes('\0')
const asUtf8 = (text: string): string => Buffer.from(text, 'latin1').toString()

/** Physical lines, each a character a byte. CR ends lines where nothing else does. */
const linesOf = (bytes: Buffer): string[] => {
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const lines = (text.includes('\n') ? text : text.replaceAll('\r', '\n')).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Whether there are as many fields as in the header, or an empty one more without quotes. */
const fits = ({ fields }: Split, lastLine: string, delimiter: string, count: number): boolean =>
  count === 0 ||
  fields.length === count ||
  (fields.length === count + 1 && new RegExp(`${escaped(delimiter)}$`).test(withoutEnd(lastLine)))

/**
 * What a scan of a delimited text must find, line by line as the rules say it, on the whole text at once. A number: the
 * line for which the file is refused.
 */
export const expectedCsv = (bytes: Buffer, delimiter: string, max: number): Expected | number => {
  const lines = linesOf(bytes)
  const result: Expected = { header: [], records: [], rejected: [], blank: [], lines: lines.length, header_lines: 0 }
  const count = () => result.header.length
  const isBlank = (line: string) => /^[ \t]*$/.test(line) && !line.includes(delimiter)
  const widest = (at: number, end: number) => lines.slice(at, end).join('\n').length
  const reading = (at: number): { fields: string[]; lines: number } | RejectCode | 'refused' => {
    if (lines[at].length > max) return 'ROW_TOO_LONG'
    if (!isUtf8(Buffer.from(lines[at], 'latin1'))) return 'ENCODING_INVALID'
    if (lines[at].includes('\0')) return 'ROW_MALFORMED'
    const first = split(withoutEnd(lines[at]), delimiter)
    if (first.ending === 'bad' || (first.ending === 'closed' && !fits(first, lines[at], delimiter, count())))
      return 'ROW_MALFORMED'
    if (first.ending === 'closed') return { fields: first.fields, lines: 1 }
    for (let end = at + 2; end <= lines.length; end++) {
      if (widest(at, end) > max || !isSound(lines[end - 1])) return 'QUOTE_UNCLOSED'
      const { fields, ending } = split(withoutEnd(lines.slice(at, end).join('\n')), delimiter)
      if (ending === 'open') continue
      if (ending === 'bad' || !fits({ fields, ending }, lines[end - 1], delimiter, count())) return 'QUOTE_UNCLOSED'
      // For a header, which sets the number of fields, the last line counts as well.
      const wanted = count() || fields.length
      const within = lines.slice(at + 1, count() > 0 ? end - 1 : end)
      const isRecord = (line: string): boolean => {
        const inner = split(withoutEnd(line), delimiter)
        return inner.ending === 'closed' && inner.fields.length === wanted
      }
      const isRefused = wanted > 1 ? within.some(isRecord) : count() === 0
      return isRefused ? 'refused' : { fields, lines: end - at }
    }
    return 'QUOTE_UNCLOSED'
  }
  for (let at = 0; at < lines.length; ) {
    if (lines[at].length <= max && isBlank(lines[at].replace(/\r+$/, ''))) {
      result.blank.push(++at)
      continue
    }
    const record = reading(at)
    if (record === 'refused' || (typeof record === 'string' && count() === 0)) return at + 1
    if (typeof record === 'string') result.rejected.push({ line: ++at, code: record })
    else {
      if (count() === 0) {
        result.header = record.fields.map(withSpaces).map(asUtf8)
        result.header_lines = record.lines
      } else {
        const fields = record.fields.slice(0, count()).map(withSpaces).map(asUtf8)
        result.records.push({ line: at + 1, lines: record.lines, fields })
      }
      at += record.lines
    }
  }
  return count() === 0 ? lines.length + 1 : result
}
