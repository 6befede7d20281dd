import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EngineError } from '../../../engine/index.ts'
import { scanCsv } from '../../../ingest/text/scan.ts'
import { sized } from '../../support/full-size.ts'
import { type Expected, expectedCsv } from './oracle.ts'
import { createSink, newFolder, rowsOf } from './scanning.ts'

const MAX_LINE_BYTES = 100
// Small enough that a file of some hundred lines has many ends of buffers and of what a thread reads.
const READER = { max_line_size: 400, buffer_size: 1600 }

type Sample = { delimiter: string; bytes: Buffer; chunk_bytes: number }

const asBytes = (parts: readonly string[]): Buffer =>
  // One part becomes a byte that is invalid in UTF-8.
  Buffer.concat(parts.map((part) => (part === 'INVALID' ? Buffer.from([0xff]) : Buffer.from(part))))

const settings = {
  delimiter: fc.constantFrom(',', ';', '\t', '|', ' '),
  chunk_bytes: fc.constantFrom(1, 3, 16, 64, 1000),
}

/** Any text over the characters that matter. */
const nasty: fc.Arbitrary<Sample> = fc.record(settings).chain(({ delimiter, chunk_bytes }) => {
  const token = fc.constantFrom(
    ...[
      'a',
      'é€',
      '"',
      '"',
      '""',
      delimiter,
      delimiter,
      ' ',
      '\t',
      '\r',
      '\n',
      '\n',
      '\r\n',
      '\0',
      'INVALID',
      '27" tv',
    ],
    ...['{"x":[1]}', 'long text that takes some room', '\\'],
  )
  const bytes = fc.array(token, { maxLength: 80 }).map(asBytes)
  return bytes.map((bytes) => ({ delimiter, chunk_bytes, bytes }))
})

const fieldsOf = (delimiter: string, newline: string) => {
  const plain = fc.constantFrom('', '1', 'ab', '2024-01-01', 'é€', 'some longer text', ' x ', ' ')
  const quoted = fc.constantFrom('""', '"a"', `"${delimiter}"`, `"b${delimiter}""c"""`, '"é"', '""""')
  const open = fc.constantFrom(
    `"x${newline}y"`,
    `"${newline}${newline}"`,
    `"x${delimiter}y${newline}""z""${newline}"`,
    '"p\nq"',
  )
  const odd = fc.constantFrom(
    '27" tv',
    ' "b"',
    '"c" ',
    '"d"e',
    '"f',
    'a"',
    'a\rb',
    '\t',
    'INVALID',
    `"x${newline}1${delimiter}2${newline}y"`,
  )
  return { plain, quoted, open, odd }
}

/** Delimited files as they come, most of their lines in order. */
const likely: fc.Arbitrary<Sample> = fc
  .record({
    ...settings,
    newline: fc.constantFrom('\n', '\r\n', '\r'),
    columns: fc.integer({ min: 1, max: 4 }),
    quotes: fc.nat(3),
  })
  .chain(({ delimiter, chunk_bytes, newline, columns, quotes }) => {
    const { plain, quoted, open, odd } = fieldsOf(delimiter, newline)
    const field = fc.oneof(
      { weight: 40, arbitrary: plain },
      { weight: 20 * quotes, arbitrary: quoted },
      { weight: quotes === 3 ? 5 : 0, arbitrary: open },
      { weight: quotes === 0 ? 0 : 1, arbitrary: odd },
    )
    const record = fc.array(field, { minLength: columns, maxLength: columns }).map((fields) => fields.join(delimiter))
    const other = fc.oneof(
      fc.array(field, { minLength: 1, maxLength: 6 }).map((fields) => fields.join(delimiter)),
      fc.constantFrom('', ' ', `${newline}\t`, 'L'.repeat(MAX_LINE_BYTES + 1), '\0', `${newline}${newline}`),
    )
    const line = fc.oneof({ weight: 30, arbitrary: record }, { weight: 1, arbitrary: other })
    const end = fc.oneof(
      { weight: 60, arbitrary: fc.constant(newline) },
      { weight: 1, arbitrary: fc.constantFrom('\n', '\r\n', '\r') },
    )
    const lines = fc.array(fc.tuple(line, end), { maxLength: 150, size: 'max' })
    const header = Array.from({ length: columns }, (_, index) => `h${index}`).join(delimiter)
    return fc.tuple(lines, fc.boolean()).map(([lines, hasEnd]) => {
      const ended = lines.flatMap(([line, end], index) => [line, index < lines.length - 1 || hasEnd ? end : ''])
      const bytes = asBytes([header, newline, ...ended].flatMap((part) => part.split(/(INVALID)/)))
      return { delimiter, chunk_bytes, bytes }
    })
  })

const countsOf = ({ records, rejected, blank, lines, header_lines, header }: Expected) => ({
  lines,
  header_lines,
  blank_lines: blank.length,
  continuation_lines: records.reduce((sum, record) => sum + record.lines - 1, 0),
  records: records.length,
  rejected: rejected.length,
  header,
})

/** Scans a sample, and compares the result, and what DuckDB reads, with the oracle. */
const check = async ({ delimiter, bytes, chunk_bytes }: Sample, folder: string): Promise<void> => {
  const path = join(folder, 'a.csv')
  await writeFile(path, bytes)
  const expected = expectedCsv(bytes, delimiter, MAX_LINE_BYTES)
  const { sink, rejected, lineOf } = createSink()
  const options = { delimiter, chunk_bytes, folder, name: 'a.csv', max_line_bytes: MAX_LINE_BYTES }
  const scanned = await scanCsv(path, options, sink).catch((error) => error)
  if (typeof expected === 'number') {
    expect(scanned).toBeInstanceOf(EngineError)
    expect(scanned.details).toEqual({ file: 'a.csv', line: expected })
    return
  }
  expect(scanned).toMatchObject(countsOf(expected))
  expect(rejected.map(({ line, code }) => ({ line, code }))).toEqual(expected.rejected)
  expect(expected.records.map((_, index) => lineOf(index + 1))).toEqual(expected.records.map(({ line }) => line))
  const rows = expected.records.map(({ fields }) => fields.map((text) => (text === '' ? null : text)))
  expect(await rowsOf(scanned, delimiter, { ...READER, parallel: false })).toEqual(rows)
  expect(await rowsOf(scanned, delimiter, READER)).toEqual(rows)
  if (scanned.is_copy) await rm(scanned.path)
}

test.each([
  ['of special characters', nasty, sized(150, 2000)],
  ['of mostly valid lines', likely, sized(30, 300)],
] as const)('random CSV files %s are read as the oracle reads them', async (_, samples, numRuns) => {
  const folder = await newFolder()
  await fc.assert(
    fc.asyncProperty(samples, (sample) => check(sample, folder)),
    { numRuns },
  )
})
