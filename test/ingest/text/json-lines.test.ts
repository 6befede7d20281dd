import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../support/full-size.ts'
import { type Content, type Given, linesOf, scanLinesOf } from './scanning.ts'

const READER = { max_line_size: 400, buffer_size: 1600 }

const outcome = async (content: Content, given: Given = {}) => {
  const { scanned, rejected, lineOf } = await scanLinesOf(content, given)
  const read = await linesOf(scanned)
  const { lines, blank_lines, records, is_copy } = scanned
  expect(lines).toBe(records + scanned.rejected + blank_lines)
  return {
    is_copy,
    records: read.map((line, index) => [lineOf(index + 1), line]),
    rejected: rejected.map(({ line, code }) => [line, code]),
    blank_lines,
  }
}

describe('JSON lines', () => {
  test.each([
    ['with \\n', '{"a":1}\n{"a":"x,\\"y"}\n'],
    ['with \\r\\n', '{"a":1}\r\n{"a":"x,\\"y"}\r\n'],
  ])('%s are read in place', async (_, content) => {
    expect(await outcome(content)).toEqual({
      is_copy: false,
      records: [
        [1, '{"a":1}'],
        [2, '{"a":"x,\\"y"}'],
      ],
      rejected: [],
      blank_lines: 0,
    })
  })

  test.each([1, 2, 3, 5, 1000])('with BOMs are copied without these, in chunks of %d bytes', async (chunk_bytes) => {
    const { is_copy, records } = await outcome('\uFEFF{"a":1}\r\n\uFEFF{"a":"\uFEFF"}\n\uFEFF', { chunk_bytes })
    expect({ is_copy, records }).toEqual({
      is_copy: true,
      records: [
        [1, '{"a":1}'],
        [2, '{"a":"\uFEFF"}'],
      ],
    })
  })

  test('are passed on without being parsed', async () => {
    expect((await outcome('{"a":1\nnull\n  {"b":"2"}\t\n"')).records).toEqual([
      [1, '{"a":1'],
      [2, 'null'],
      [3, '  {"b":"2"}\t'],
      [4, '"'],
    ])
  })

  test('may have blank lines, mixed line endings and \\r within a line', async () => {
    expect(await outcome('\n{"a":1}\r\n \t\n{"b":\r2}\n\n')).toEqual({
      is_copy: true,
      records: [
        [2, '{"a":1}'],
        [4, '{"b": 2}'],
      ],
      rejected: [],
      blank_lines: 3,
    })
  })

  test('that are too long, not UTF-8 or contain a control character are rejected', async () => {
    const content = Buffer.concat([
      Buffer.from(`{"a":1}\n{"b":"${'x'.repeat(200)}"}\n{"c":"\0"}\n{"d":"\x01"}\n{"e":"`),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"f":2}\n\x01'),
    ])
    for (const chunk_bytes of [1, 50, 1000])
      expect(await outcome(content, { max_line_bytes: 100, chunk_bytes })).toMatchObject({
        records: [
          [1, '{"a":1}'],
          [6, '{"f":2}'],
        ],
        rejected: [
          [2, 'ROW_TOO_LONG'],
          [3, 'ROW_MALFORMED'],
          [4, 'ROW_MALFORMED'],
          [5, 'ENCODING_INVALID'],
          [7, 'ROW_MALFORMED'],
        ],
      })
  })

  test('may be absent in an empty file', async () => {
    const { scanned } = await scanLinesOf('')
    expect(scanned).toMatchObject({ lines: 0, records: 0, is_copy: false })
  })

  test('of random text are split exactly at line breaks', async () => {
    const MAX_LINE_BYTES = 100
    const part = fc.constantFrom(
      '{',
      '}',
      '"',
      '\\',
      ',',
      ' ',
      '\t',
      '\n',
      '\n',
      '\r\n',
      'é€',
      'text that is a little longer',
      '\0',
      '\x01',
    )
    const texts = fc.array(part, { maxLength: 300, size: 'max' }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(1, 7, 64, 1000), async (text, chunk_bytes) => {
        const whole = text.split('\n')
        const lines = whole.map((line) => line.replace(/\r+$/, ''))
        const isBlank = (line: string) => /^[ \t]*$/.test(line)
        const isLong = (line: string) => Buffer.byteLength(line) > MAX_LINE_BYTES
        // The line break that ends the text ends no line after it.
        if (lines.at(-1) === '') lines.pop()
        const kept = lines.flatMap((line, index) =>
          isBlank(line) || isLong(whole[index]!) || line.includes('\0') || line.includes('\x01')
            ? []
            : [[index + 1, line]],
        )
        const { scanned, rejected, lineOf } = await scanLinesOf(text, { chunk_bytes, max_line_bytes: MAX_LINE_BYTES })
        const read = await linesOf(scanned, READER)
        expect(read.map((line, index) => [lineOf(index + 1), line])).toEqual(kept)
        expect(scanned).toMatchObject({ lines: lines.length, blank_lines: lines.filter(isBlank).length })
        expect(rejected).toHaveLength(lines.length - kept.length - scanned.blank_lines)
      }),
      { numRuns: sized(50, 200) },
    )
  })
})
