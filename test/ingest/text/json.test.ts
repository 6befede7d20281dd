import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../support/full-size.ts'
import { type Content, type Given, linesOf, splitJsonOf } from './scanning.ts'

/** The records that DuckDB reads of a document, parsed. */
const recordsOf = async (content: Content, given: Given = {}): Promise<unknown[]> => {
  const { scanned } = await splitJsonOf(content, given)
  const lines = await linesOf(scanned)
  return lines.map((line) => JSON.parse(line ?? ''))
}

describe('a JSON array', () => {
  const records = [{ a: 1, b: ['x', { y: '],[' }] }, { a: '"}\\', c: null }, { é: '€😀' }]

  test.each([
    ['on one line', JSON.stringify(records)],
    ['pretty printed', JSON.stringify(records, null, 2)],
    ['pretty printed with \\r\\n', `\r\n${JSON.stringify(records, null, '\t').replaceAll('\n', '\r\n')}\r\n`],
    ['with a BOM', `\uFEFF ${JSON.stringify(records)} \n`],
    ['of utf-16', Buffer.from(`\uFEFF${JSON.stringify(records)}`, 'utf16le')],
  ])('is read %s', async (_, content) => {
    for (const chunk_bytes of [1, 3, 20, 1000]) {
      expect(await recordsOf(content, { chunk_bytes })).toEqual(records)
      expect((await splitJsonOf(content, { chunk_bytes })).scanned).toMatchObject({
        lines: null,
        records: 3,
        rejected: 0,
        is_copy: true,
      })
    }
  })

  test('is read when compressed', async () => {
    expect(await recordsOf(gzipSync(JSON.stringify(records)), { file: 'a.json.gz' })).toEqual(records)
  })

  test('may be empty', async () => {
    expect((await splitJsonOf(' [ \n] ')).scanned).toMatchObject({ records: 0, rejected: 0 })
  })

  test('may have elements that are not objects', async () => {
    expect(await recordsOf('[1, "two" ,null,[3,[4]], true,-5.0e3,{}]')).toEqual([
      1,
      'two',
      null,
      [3, [4]],
      true,
      -5000,
      {},
    ])
  })

  test('keeps every digit of its numbers', async () => {
    const { scanned } = await splitJsonOf('[{"id":12345678901234567890, "p":1.10}]')
    expect(await linesOf(scanned)).toEqual(['{"id":12345678901234567890, "p":1.10}'])
  })

  test('passes on an invalid element that can be separated from the others', async () => {
    const { scanned } = await splitJsonOf('[{"a":1,},{"b":nil},{"c":3}]')
    expect(await linesOf(scanned)).toEqual(['{"a":1,}', '{"b":nil}', '{"c":3}'])
  })

  test('rejects elements that are too long, not UTF-8 or contain a control character', async () => {
    const content = Buffer.concat([
      Buffer.from(`[{"a":1},{"b":"${'x'.repeat(200)}"},\n{"c":"\0"},{"d":"`),
      Buffer.from([0xe9]),
      Buffer.from('"},{"e":2}]'),
    ])
    for (const chunk_bytes of [1, 50, 1000]) {
      const { scanned, rejected, lineOf } = await splitJsonOf(content, { max_line_bytes: 100, chunk_bytes })
      expect(rejected.map(({ line, code }) => [line, code])).toEqual([
        [2, 'ROW_TOO_LONG'],
        [3, 'ROW_MALFORMED'],
        [4, 'ENCODING_INVALID'],
      ])
      expect(rejected[0].text).toMatch(/^\{"b":"x{40,}/)
      expect(await linesOf(scanned)).toEqual(['{"a":1}', '{"e":2}'])
      expect([lineOf(1), lineOf(2)]).toEqual([1, 5])
      expect(scanned).toMatchObject({ lines: null, records: 2, rejected: 3 })
    }
  })

  test.each([
    ['[{"a":1},{"b":2}', 'a.json, line 1, element 2 of the array: the file ends here, before the ] of the array'],
    ['[{"a":1},\n{"b":', 'a.json, line 2, element 2 of the array: the file ends here'],
    ['[{"a":1},{"b":"x', 'element 2 of the array: the file ends within a string'],
    ['[', 'after element 0 of the array: the file ends here'],
    ['[{"a":1}] x', 'text follows the end of the array'],
    ['[{"a":1}]{"a":2}', 'text follows the end of the array'],
    ['[{"a":1},]', 'an element is missing'],
    ['[,{"a":1}]', 'an element is missing'],
    ['[{"a":1}{"b":2}]', 'a comma is missing'],
    ['[{"a":1} oops,{"b":2}]', 'a comma is missing'],
    ['[1 2]', 'a comma is missing'],
    ['[{"a":[1},{"b":2]}]', '} does not close the bracket that is open'],
    ['[{"a":1]]', '] does not close the bracket that is open'],
    ['[{"a":"27" tv"},{"b":""}]', 'text follows the end of a string'],
    ['[{"a":5"x"},{"b":""}]', 'a string starts within a value'],
    [`${'['.repeat(1001)}`, 'brackets are nested deeper than 1000'],
  ])('%s is refused', async (content, message) => {
    for (const chunk_bytes of [1, 1000]) await expect(splitJsonOf(content, { chunk_bytes })).rejects.toThrow(message)
  })

  test('after another is read with it', async () => {
    for (const chunk_bytes of [1, 1000])
      expect(await recordsOf('[{"a":1}]\n[]\n[{"a":2},{"a":3}]\n', { chunk_bytes })).toEqual([
        { a: 1 },
        { a: 2 },
        { a: 3 },
      ])
  })

  test('of random values is read completely', async () => {
    const values = fc.array(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())), { maxLength: 30 })
    const forms = fc.constantFrom(undefined, 1, '\t')
    await fc.assert(
      fc.asyncProperty(values, forms, fc.constantFrom(1, 7, 1000), async (array, form, chunk_bytes) => {
        // Parsed once more since JSON has no -0.
        const content = JSON.stringify(array, null, form)
        expect(await recordsOf(content, { chunk_bytes })).toEqual(JSON.parse(content))
      }),
      { numRuns: sized(30, 300) },
    )
  })

  test('of random characters is refused or read completely', async () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '"',
      ',',
      ':',
      ' ',
      '\n',
      '1',
      'x',
      '\\',
      '{"a":1}',
      ',{"b":"c"}',
    )
    const arrays = fc.array(part, { maxLength: 14 }).map((parts) => `[${parts.join('')}]`)
    const texts = arrays.filter((text) => !/\]\s*\[/.test(text))
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(1, 1000), async (text, chunk_bytes) => {
        const split = await splitJsonOf(text, { chunk_bytes }).catch(({ code }) => code)
        if (split === 'INVALID_PARAMS') {
          expect(isJson(text)).toBe(false)
          return
        }
        const lines = await linesOf(split.scanned)
        const squeezed = (text: string) => text.replace(/[ \n]/g, '')
        expect(squeezed(`[${lines.join(',')}]`)).toBe(squeezed(text))
        // A line break within a string, which JSON forbids, has become a space.
        if (lines.every((line) => isJson(line ?? ''))) expect(isJson(text.replaceAll('\n', ' '))).toBe(true)
      }),
      { numRuns: sized(100, 400) },
    )
  })
})

describe('a JSON document of lines', () => {
  test('is read as JSON lines where it has one object per line', async () => {
    const { scanned } = await splitJsonOf('{"a":[1]}\n\n{"b":2}\n')
    expect(scanned).toMatchObject({ lines: 3, records: 2, blank_lines: 1 })
  })

  test('is refused where it is a single object', async () => {
    await expect(splitJsonOf('{"a":1}\n')).rejects.toThrow('a.json: it is one JSON object, with a (a number)')
  })
})

describe('a JSON document that is not an array', () => {
  test.each([
    ['', 'a.json: the file is empty'],
    [' \n', 'a.json: the file is empty'],
    ['"x"', 'a.json: it is a text; expected an array of records'],
    ['{}', 'it is one JSON object, with no members'],
    ['{"a":1', 'a.json: it is not a JSON document'],
    [
      '{\n"meta": {"n": 1},\n"items": [{"a":1},\n{"a":2}], "tags": [1,2,3]}',
      'with meta (an object of 1 members), items (an array of 2), tags (an array of 3); add the path of its records to its mapping as json_path, such as "items[]"',
    ],
    ['{"data":{"rows":[{}]}}', 'such as "data.rows[]"'],
    ['{"p1":{"price":1},"p2":{"price":2}}', 'such as "{key}"'],
  ])('%s is refused', async (content, message) => {
    await expect(splitJsonOf(content)).rejects.toThrow(message)
  })
})
