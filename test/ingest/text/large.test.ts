import { createReadStream } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { MAX_LINE_BYTES } from '../../../ingest/text/limits.ts'
import { scanCsv, scanJsonLines } from '../../../ingest/text/scan.ts'
import { sized } from '../../support/full-size.ts'
import { createSink, linesOf, newFolder, rowsOf, scanCsvOf, scanLinesOf, splitJsonOf } from './scanning.ts'

/** Records that are each longer than a buffer, blocks of 20,000 short ones, and elements of an array. */
const RECORDS = sized(9, 47)
const BLOCKS = sized(6, 30)
const ELEMENTS = sized(60_000, 535_948)

const numbered = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => line(index))

test('a stray quote in row 500 of 20,000 loses only that row', async () => {
  const lines = ['sku,name,price', ...numbered(20_000, (at) => `s${at},Thing ${at},${at}.99`)]
  lines[500] = 's499,"Thing 499,499.99'
  const { scanned, rejected, lineOf } = await scanCsvOf(`${lines.join('\n')}\n`)
  expect(scanned).toMatchObject({ lines: 20_001, records: 19_999, rejected: 1, continuation_lines: 0 })
  expect(rejected).toEqual([{ line: 501, code: 'QUOTE_UNCLOSED', text: 's499,"Thing 499,499.99' }])
  const rows = await rowsOf(scanned)
  expect(rows[499]).toEqual(['s500', 'Thing 500', '500.99'])
  expect([lineOf(499), lineOf(500), lineOf(19_999)]).toEqual([500, 502, 20_001])
})

test('a second stray quote after the first refuses the file as ambiguous', async () => {
  const lines = ['sku,name,price', ...numbered(20_000, (at) => `s${at},Thing ${at},${at}.99`)]
  lines[500] = 's499,"Thing 499,499.99'
  lines[900] = 's899,Thing",899.99'
  await expect(scanCsvOf(`${lines.join('\n')}\n`)).rejects.toThrow(
    'a.csv, line 501: a quote opens here and closes in line 901, and lines between look like records',
  )
})

test.each([1, 2, 40])('a line of %i million bytes is read, or rejected if it is too long', async (millions) => {
  const lines = ['a,b', '1,x', `2,${'y'.repeat(millions * 1_000_000 - 2)}`, '3,z', '"4","w"']
  const { scanned, rejected } = await scanCsvOf(`${lines.join('\n')}\n`)
  const isLong = millions * 1_000_000 > MAX_LINE_BYTES
  expect(rejected.map(({ line, code, text }) => [line, code, text.length])).toEqual(
    isLong ? [[3, 'ROW_TOO_LONG', 500]] : [],
  )
  const rows = await rowsOf(scanned)
  expect(rows.map(([a]) => a)).toEqual(isLong ? ['1', '3', '4'] : ['1', '2', '3', '4'])
})

test('a JSON line of 40 MB is rejected', async () => {
  const { scanned, rejected } = await scanLinesOf(`{"a":1}\n{"a":"${'y'.repeat(40_000_000)}"}\n{"a":3}\n`)
  expect(rejected).toMatchObject([{ line: 2, code: 'ROW_TOO_LONG' }])
  expect(await linesOf(scanned)).toEqual(['{"a":1}', '{"a":3}'])
})

test('a line of 400 MB is rejected without using much memory', async () => {
  const member = gzipSync(Buffer.alloc(50_000_000, 'x'))
  const content = Buffer.concat([gzipSync('a\n1\n'), ...Array<Buffer>(8).fill(member), gzipSync('\n2\n')])
  const before = process.memoryUsage().rss
  const { scanned } = await scanCsvOf(content, { file: 'a.csv.gz' })
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  expect(scanned).toMatchObject({ lines: 4, records: 2, rejected: 1 })
})

test('the longest records are read at every position of the reader’s buffers, even when repaired', async () => {
  const folder = await newFolder()
  const path = join(folder, 'a.csv')
  // Quotes in a field without quotes are what lengthens a record most.
  const fields = (at: number): [string, string] => [
    `${at}`,
    at % 3 === 0 ? 'z"'.repeat((MAX_LINE_BYTES - 100) / 2) : 'v'.repeat(at * 40_009),
  ]
  await appendFile(path, 'a,b\n')
  for (let at = 1; at <= RECORDS; at++) await appendFile(path, `${fields(at).join(',')}\n`)
  const scanned = await scanCsv(path, { delimiter: ',', folder, name: 'a.csv' }, createSink().sink)
  expect(scanned).toMatchObject({ records: RECORDS, rejected: 0, is_copy: true })
  for (const parallel of [true, false]) {
    const rows = await rowsOf(scanned, ',', { parallel })
    for (const [index, row] of rows.entries()) expect(row[1] === fields(index + 1)[1]).toBe(true)
  }
})

test('files of several buffers are read completely and in order', async () => {
  const folder = await newFolder()
  const path = join(folder, 'a.csv')
  const name = (at: number): string => ['plain', '"with, comma"', '27" tv', '""', '"say ""hi"""'][at % 5]
  await appendFile(path, 'sku,name\r\n')
  for (let block = 0; block < BLOCKS; block++)
    await appendFile(path, numbered(20_000, (at) => `${block * 20_000 + at},${name(at)} \r\n`).join(''))
  const scanned = await scanCsv(path, { delimiter: ',', folder, name: 'a.csv' }, createSink().sink)
  expect(scanned).toMatchObject({ records: 20_000 * BLOCKS, newline: '\r\n', is_copy: true })
  const rows = await rowsOf(scanned)
  expect(rows.every(([sku], index) => sku === `${index}`)).toBe(true)
  expect(rows.slice(-5).map(([, name]) => name)).toEqual(['plain ', 'with, comma', '27" tv ', null, 'say "hi"'])
})

test('a JSON array of many records on one line is read', async () => {
  const record = (at: number) => ({ sku: `s${at}`, name: `Thing "${at}", é`, tags: ['[', { deep: at }], price: '9.99' })
  const { scanned } = await splitJsonOf(JSON.stringify(numbered(ELEMENTS, (at) => record(at) as never)))
  expect(scanned).toMatchObject({ lines: null, records: ELEMENTS, rejected: 0 })
  const lines = await linesOf(scanned)
  expect(lines).toHaveLength(ELEMENTS)
  expect(JSON.parse(lines[ELEMENTS - 1] ?? '')).toEqual(record(ELEMENTS - 1))
})

const SIZE = 4_000_000
/** How many times the work for a clean file of that size a file may cause. */
const MAX_TIMES = 100

/** The processor time that work takes, in microseconds: unlike time, it does not depend on what else runs. */
const workOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

test.each([
  ['opens on every line', 'a,b\n', 'x,"y\n'],
  ['opens on every line, and closes in the next', 'a,b,c,d,e,f,g,h\n', 'a","b\n'],
  ['opens, closes and opens on lines far apart', 'a,b,c,d,e,f,g,h\n', `a","b\n${'1,2,3,4,5,6,7,"8"\n'.repeat(1000)}`],
  ['opens where the header is wide', `${numbered(20_000, (at) => `h${at}`).join(',')}\n`, 'a","b\n'],
])('a quote that %s does not multiply the work', async (_, header, line) => {
  const clean = await workOf(() => scanCsvOf(`a,b\n${'x,y\n'.repeat(SIZE / 4)}`))
  let outcome: unknown
  const work = await workOf(async () => {
    outcome = await scanCsvOf(header + line.repeat(SIZE / line.length)).catch(({ message }) => message)
  })
  expect(work / clean).toBeLessThan(MAX_TIMES)
  if (typeof outcome === 'string') expect(outcome).toContain('too many quotes before this line open and do not close')
})

test('a file with lines of random lengths has as many lines as an independent reader finds', async () => {
  const folder = await newFolder()
  const path = join(folder, 'a.jsonl')
  const lines = numbered(30_000, (at) => JSON.stringify({ at, text: 'x'.repeat((at * at) % 3001) }))
  await appendFile(path, lines.join('\n'))
  const scanned = await scanJsonLines(path, { folder, name: 'a.jsonl' }, createSink().sink)
  let count = 0
  for await (const _ of createInterface({ input: createReadStream(path) })) count++
  expect(scanned).toMatchObject({ lines: count, records: count, is_copy: false })
  expect(await linesOf(scanned)).toEqual(lines)
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(count)
})
