import { describe, expect, test } from 'vitest'
import { clean, csv, outcome } from './outcome.ts'
import { rowsOf, scanCsvOf } from './scanning.ts'

describe('quotes in a CSV file', () => {
  test('are text in a field that does not start with one', async () => {
    const content = csv('a,b,c', '1,27" tv,x', '2,3"",y"', '3,a"b"c,"z"')
    expect(await outcome(content)).toEqual({
      ...clean,
      is_copy: true,
      rows: [
        [2, '1', '27" tv', 'x'],
        [3, '2', '3""', 'y"'],
        [4, '3', 'a"b"c', 'z'],
      ],
    })
  })

  test('may have spaces around them', async () => {
    expect((await outcome(csv('a,b', '1, "x, y"', '"p" ,  "q"  '))).rows).toEqual([
      [2, '1', 'x, y'],
      [3, 'p', 'q'],
    ])
  })

  test('that are followed by more text reject their line', async () => {
    expect(await outcome(csv('a,b', '1,"x"y', '2,"z"', '"p"q"r",3'))).toEqual({
      ...clean,
      is_copy: true,
      rows: [[3, '2', 'z']],
      rejected: [
        [2, 'ROW_MALFORMED', '1,"x"y'],
        [4, 'ROW_MALFORMED', '"p"q"r",3'],
      ],
    })
  })

  test('may enclose several lines', async () => {
    const content = 'a,b,c\n1,"two\nlines",x\n2,"with\n\nblank\r\nlines, and ""quotes""",y\n3,z,w\n'
    expect(await outcome(content)).toEqual({
      is_copy: false,
      rows: [
        [2, '1', 'two\nlines', 'x'],
        [4, '2', 'with\n\nblank\r\nlines, and "quotes"', 'y'],
        [8, '3', 'z', 'w'],
      ],
      rejected: [],
      blank_lines: 0,
      continuation_lines: 4,
    })
  })

  test('may enclose several lines of a header', async () => {
    const { scanned } = await scanCsvOf('a,"b\nc"\n1,2\n')
    expect(scanned).toMatchObject({ header: ['a', 'b\nc'], header_lines: 2, records: 1 })
    expect(await rowsOf(scanned)).toEqual([['1', '2']])
  })

  test.each([
    ['never close', ['1,"x', '2,y', '3,z'], [[2, 'QUOTE_UNCLOSED', '1,"x']], [3, 4]],
    ['close before more text', ['1,"x', '2,"y"', '3,z'], [[2, 'QUOTE_UNCLOSED', '1,"x']], [3, 4]],
    [
      'close with a different number of fields',
      ['1,"x', '2,y,z",w', '3,z'],
      [
        [2, 'QUOTE_UNCLOSED', '1,"x'],
        [3, 'ROW_MALFORMED', '2,y,z",w'],
      ],
      [4],
    ],
  ])('that open and %s reject one line', async (_, lines, rejected, kept) => {
    const result = await outcome(csv('a,b', ...lines))
    expect(result.rejected).toEqual(rejected)
    expect(result.rows.map(([line]) => line)).toEqual(kept)
  })

  test('around lines that look like records refuse the file as ambiguous', async () => {
    const refused = outcome(csv('a,b', '0,0', '1,"x', '2,y', '3,z"', '4,w'))
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_PARAMS', details: { file: 'a.csv', line: 3 } })
    await expect(refused).rejects.toThrow('a.csv, line 3: a quote opens here and closes in line 5')
  })
})
