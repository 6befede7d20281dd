import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { clean, csv, outcome } from './outcome.ts'
import { newFolder, scanCsvOf } from './scanning.ts'

describe('a clean CSV file is read in place', () => {
  test.each([
    ['with \\n', csv('a,b', '1,2', '3,4')],
    ['with \\r\\n', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['without a line ending at the end', 'a,b\n1,2\n3,4'],
    ['without a line ending at the end, \\r\\n', 'a,b\r\n1,2\r\n3,4'],
    ['with a BOM', '\uFEFFa,b\n1,2\n3,4\n'],
    ['with quotes', csv('"a","b"', '"1",2', '3,"4"')],
  ])('%s', async (_, content) => {
    expect(await outcome(content)).toEqual({
      ...clean,
      is_copy: false,
      rows: [
        [2, '1', '2'],
        [3, '3', '4'],
      ],
    })
  })

  test('with quotes, delimiters and doubled quotes in fields, empty fields and spaces', async () => {
    expect(await outcome(csv('a,b,c', '"x,y","say ""hi""",', '"", , z '))).toEqual({
      ...clean,
      is_copy: false,
      rows: [
        [2, 'x,y', 'say "hi"', null],
        [3, null, ' ', ' z '],
      ],
    })
  })

  test('and its header is returned', async () => {
    const { scanned } = await scanCsvOf('\uFEFF"sku, no", prix é ,"a ""b""",a\n1,2,3,4\n')
    expect(scanned.header).toEqual(['sku, no', ' prix é ', 'a "b"', 'a'])
    expect(scanned).toMatchObject({ encoding: 'utf-8', newline: '\n', lines: 2, records: 1 })
  })
})

describe('the line endings of a CSV file may be', () => {
  test.each([
    ['\\r alone', 'a,b\r1,2\r3,4\r'],
    ['\\r alone, no end of the last line', 'a,b\r1,2\r3,4'],
    ['\\n, then \\r\\n', 'a,b\n1,2\r\n3,4\n'],
    ['\\r\\n, then \\n', 'a,b\r\n1,2\n3,4\r\n'],
    ['\\r\\r\\n', 'a,b\n1,2\r\r\n3,4\n'],
    ['\\r at the end of the file', 'a,b\n1,2\n3,4\r'],
  ])('%s', async (_, content) => {
    const rows = [
      [2, '1', '2'],
      [3, '3', '4'],
    ]
    expect(await outcome(content)).toEqual({ ...clean, is_copy: true, rows })
  })

  test('except that a \\r within a field becomes a space', async () => {
    expect((await outcome('a,b\n1\r,x\ry\n"p\rq",4\n')).rows).toEqual([
      [2, '1 ', 'x y'],
      [3, 'p q', '4'],
    ])
  })
})

describe('blank lines of a CSV file', () => {
  test('are counted and skipped', async () => {
    expect(await outcome('\n \t\na,b\n\n1,2\n  \n\t\n3,4\n\n')).toEqual({
      is_copy: true,
      rows: [
        [5, '1', '2'],
        [8, '3', '4'],
      ],
      rejected: [],
      blank_lines: 6,
      continuation_lines: 0,
    })
  })

  test('do not include a line of delimiters, which is a record of empty fields', async () => {
    expect((await outcome('a\tb\n\t\n1\t2\n', { delimiter: '\t' })).rows).toEqual([
      [2, null, null],
      [3, '1', '2'],
    ])
  })

  test('are counted where there is a single column too', async () => {
    expect(await outcome('a\n\n1\n \n"2"\n')).toMatchObject({
      rows: [
        [3, '1'],
        [5, '2'],
      ],
      blank_lines: 2,
    })
  })
})

describe('a record of a CSV file', () => {
  test('with too few or too many fields is rejected', async () => {
    expect(await outcome(csv('a,b,c', '1,2', '1,2,3', '1,2,3,4', 'x'))).toEqual({
      ...clean,
      is_copy: true,
      rows: [[3, '1', '2', '3']],
      rejected: [
        [2, 'ROW_MALFORMED', '1,2'],
        [4, 'ROW_MALFORMED', '1,2,3,4'],
        [5, 'ROW_MALFORMED', 'x'],
      ],
    })
  })

  test('may have one additional empty field at the end', async () => {
    expect(await outcome(csv('a,b', '1,2,', '1,"2",', '1,2,""', '1,2,,'))).toEqual({
      ...clean,
      is_copy: true,
      rows: [
        [2, '1', '2'],
        [3, '1', '2'],
      ],
      rejected: [
        [4, 'ROW_MALFORMED', '1,2,""'],
        [5, 'ROW_MALFORMED', '1,2,,'],
      ],
    })
  })

  test('with a NUL character is rejected', async () => {
    const { rows, rejected } = await outcome(csv('a,b', '1,2', '3\0,4', '5,6'))
    expect(rows.map(([line]) => line)).toEqual([2, 4])
    expect(rejected).toEqual([[3, 'ROW_MALFORMED', '3\0,4']])
  })
})

describe('a line of a CSV file that is too long', () => {
  test.each([1, 10, 1000])('is rejected when %i bytes are read at a time', async (chunk_bytes) => {
    const long = `1,${'x'.repeat(200)}`
    expect(await outcome(csv('a,b', '0,y', long, '2,z', long), { max_line_bytes: 100, chunk_bytes })).toEqual({
      ...clean,
      is_copy: true,
      rows: [
        [2, '0', 'y'],
        [4, '2', 'z'],
      ],
      rejected: [
        [3, 'ROW_TOO_LONG', expect.stringMatching(/^1,x{48,}$/)],
        [5, 'ROW_TOO_LONG', expect.stringMatching(/^1,x{48,}$/)],
      ],
    })
  })

  test('has more bytes than the limit, without its line ending', async () => {
    const { scanned } = await scanCsvOf(csv('a,b', `1,${'x'.repeat(8)}`, `1,${'x'.repeat(9)}`), { max_line_bytes: 10 })
    expect(scanned).toMatchObject({ records: 1, rejected: 1 })
  })

  test('counts as an unclosed quote where the record has several lines', async () => {
    const lines = [`1,"${'x'.repeat(60)}`, `${'y'.repeat(60)}"`, '2,z']
    const { rejected, rows } = await outcome(csv('a,b', ...lines), { max_line_bytes: 100 })
    expect(rejected.map(([line, code]) => [line, code])).toEqual([
      [2, 'QUOTE_UNCLOSED'],
      [3, 'ROW_MALFORMED'],
    ])
    expect(rows).toEqual([[4, '2', 'z']])
  })
})

test('a rejected line of a CSV file is reported by its first 500 characters', async () => {
  const { rejected } = await scanCsvOf(csv('a,b', '😀'.repeat(600)))
  expect(rejected[0].text).toBe('😀'.repeat(500))
})

describe('a CSV file is refused', () => {
  test.each([
    ['', 'a.csv, line 1: the file is empty'],
    ['\n\n', 'a.csv, line 3: the file is empty'],
    ['\n"a,b\n1,2\n', 'a.csv, line 2: a quote opens and does not close'],
    ['"a"b\n1\n', 'a.csv, line 1: text follows a closing quote'],
    ['a,"b\n1,2"\n3,4\n', 'a.csv, line 1: a quote opens here and closes in line 2'],
    ['a,"b\n1,2\n3,4"\n5,6\n', 'a.csv, line 1: a quote opens here and closes in line 3'],
    ['"a\n1"\n2\n', 'a.csv, line 1: a quote opens here and closes in line 2'],
    [Buffer.from('prix\xe9\n1\n', 'latin1'), 'a.csv, line 1: the line is not UTF-8; add the encoding'],
    [Buffer.from('a,b\n1,2\n', 'utf16le'), 'a.csv, line 1: text follows a closing quote, or the line has a NUL'],
  ])('with the content %j', async (content, message) => {
    await expect(scanCsvOf(content)).rejects.toThrow(message)
  })

  test.each(['', '"', '\n', ',,', '§'])('with the delimiter %j', async (delimiter) => {
    await expect(scanCsvOf('a\n1\n', { delimiter })).rejects.toThrow('the delimiter must be one ASCII character')
  })

  test('without leaving a copy', async () => {
    const content = csv('a,b', '1', '1,"x', '2,y', '3,z"')
    const folder = await newFolder()
    await expect(scanCsvOf(content, { folder, chunk_bytes: 4 })).rejects.toThrow()
    expect(await readdir(folder)).toEqual([])
  })
})

test('a repaired copy of a CSV file has exactly the kept records', async () => {
  const { scanned } = await scanCsvOf('\uFEFFa,b\n1,2\n3\n"x",y\n\n4,5" z\n6,7')
  expect(await readFile(scanned.path, 'utf8')).toBe('a,b\n1,2\n"x",y\n4,"5"" z"\n6,7')
})

test.each(['a[1].csv', 'b*.csv', 'c?.csv'])(
  'a CSV file with a glob character in its name, %s, is copied',
  async (file) => {
    expect(await outcome('a,b\n1,2\n', { file })).toMatchObject({ is_copy: true, rows: [[2, '1', '2']] })
  },
)

test.each([',', ';', '|', '\t', ' ', ':'])('a CSV file may have the delimiter %j', async (delimiter) => {
  const content = csv(
    ['a', 'b'].join(delimiter),
    ['1', '2'].join(delimiter),
    ['"p"', `"q${delimiter}r"`].join(delimiter),
  )
  const { rows } = await outcome(content, { delimiter })
  expect(rows).toEqual([
    [2, '1', '2'],
    [3, 'p', `q${delimiter}r`],
  ])
})
