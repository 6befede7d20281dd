import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import type { TextEncoding } from '../../../ingest/text/decode.ts'
import { scanCsv } from '../../../ingest/text/scan.ts'
import { type Content, type Given, literal, newFolder, rowsOf, scanCsvOf } from './scanning.ts'

const TEXT = 'name,price\n"27"" tv",€ 9\n"a, b",é\n'
const ROWS = [
  ['27" tv', '€ 9'],
  ['a, b', 'é'],
]

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const windows1252 = (text: string): Buffer =>
  Buffer.from(text.replaceAll('€', '\x80').replaceAll('™', '\x99'), 'latin1')

const rowsAndRejects = async (content: Content, given: Given) => {
  const { scanned, rejected } = await scanCsvOf(content, given)
  return { rows: await rowsOf(scanned), rejected: rejected.map(({ line, code }) => [line, code]), scanned }
}

test('reading ends when its signal is aborted', async () => {
  const controller = new AbortController()
  const reading = scanCsvOf(TEXT.repeat(1000), { chunk_bytes: 100, signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})

describe('a file encoded in', () => {
  const cases: [string, Buffer, TextEncoding | undefined, TextEncoding, boolean][] = [
    ['utf-8', Buffer.from(TEXT), undefined, 'utf-8', false],
    ['utf-8 with a BOM', Buffer.from(`\uFEFF${TEXT}`), undefined, 'utf-8', false],
    ['utf-8 with a BOM, declared as latin-1', Buffer.from(`\uFEFF${TEXT}`), 'latin-1', 'utf-8', false],
    ['utf-16 with a BOM, not declared', utf16(`\uFEFF${TEXT}`), undefined, 'utf-16', true],
    ['utf-16, big-endian, with a BOM', swapped(utf16(`\uFEFF${TEXT}`)), 'utf-16', 'utf-16', true],
    ['utf-16 without a BOM', utf16(TEXT), 'utf-16', 'utf-16', true],
    ['utf-16 with \\r\\n', utf16(TEXT.replaceAll('\n', '\r\n')), 'utf-16', 'utf-16', true],
    ['latin-1', windows1252(TEXT), 'latin-1', 'latin-1', true],
    ['windows-1254', windows1252(TEXT), 'windows-1254', 'windows-1254', true],
  ]
  test.each(cases)('%s is decoded', async (_, bytes, encoding, found, is_copy) => {
    for (const chunk_bytes of [1, 2, 3, 5, 1000]) {
      const { rows, scanned } = await rowsAndRejects(bytes, { encoding, chunk_bytes })
      expect(rows).toEqual(ROWS)
      expect(scanned).toMatchObject({ encoding: found, is_copy, header: ['name', 'price'], rejected: 0 })
    }
  })

  test('windows-1252 is decoded with the characters that latin-1 lacks', async () => {
    const { rows } = await rowsAndRejects(windows1252('a\n“x” €™\n'.replace('“', '\x93').replace('”', '\x94')), {
      encoding: 'latin-1',
    })
    expect(rows).toEqual([['“x” €™']])
  })

  test('shift_jis is decoded, however it is divided into chunks, and its invalid lines are rejected', async () => {
    const content = Buffer.from('\x89\xbf\x8ai\n\x92\x83\n\x81\x20\n', 'latin1')
    for (const chunk_bytes of [1, 2, 3, 4, 5, 1000]) {
      const { rows, scanned } = await rowsAndRejects(content, { encoding: 'shift_jis', chunk_bytes })
      expect(rows).toEqual([['茶']])
      expect(scanned).toMatchObject({ header: ['価格'], rejected: 1 })
    }
  })

  test('utf-16 with surrogate pairs is decoded, however it is divided into chunks', async () => {
    for (const chunk_bytes of [1, 2, 3, 4, 5, 6, 7])
      expect((await rowsAndRejects(utf16('a\n😀é😀\n😀\n'), { encoding: 'utf-16', chunk_bytes })).rows).toEqual([
        ['😀é😀'],
        ['😀'],
      ])
  })

  test('invalid utf-8 has its invalid lines rejected', async () => {
    const content = Buffer.concat([
      Buffer.from('a,b\n1,é\n2,'),
      Buffer.from([0xe9]),
      Buffer.from('\n3,x\n"4'),
      Buffer.from([0xff]),
      Buffer.from('\n5",y\n6,z\n'),
    ])
    for (const chunk_bytes of [1, 7, 1000])
      expect(await rowsAndRejects(content, { chunk_bytes })).toMatchObject({
        rows: [
          ['1', 'é'],
          ['3', 'x'],
          ['5"', 'y'],
          ['6', 'z'],
        ],
        rejected: [
          [3, 'ENCODING_INVALID'],
          [5, 'ENCODING_INVALID'],
        ],
      })
  })

  test('utf-16 with half a surrogate pair has that line rejected', async () => {
    const bytes = (code: number): Buffer => Buffer.from([code & 255, code >> 8])
    const content = Buffer.concat([
      utf16('a\n1\n'),
      bytes(0xd83d),
      utf16('x\n'),
      bytes(0xde00),
      utf16('\n2\n3'),
      bytes(0xd83d),
    ])
    for (const chunk_bytes of [1, 2, 3, 1000])
      expect(await rowsAndRejects(content, { encoding: 'utf-16', chunk_bytes })).toMatchObject({
        rows: [['1'], ['2']],
        rejected: [
          [3, 'ENCODING_INVALID'],
          [4, 'ENCODING_INVALID'],
          [6, 'ENCODING_INVALID'],
        ],
      })
  })

  test('utf-16 with an odd byte at the end has that line rejected', async () => {
    const odd = Buffer.from([0x41])
    expect(await rowsAndRejects(Buffer.concat([utf16('a\n1\n'), odd]), { encoding: 'utf-16' })).toMatchObject({
      rows: [['1']],
      rejected: [[3, 'ENCODING_INVALID']],
    })
    expect(await rowsAndRejects(Buffer.concat([utf16('a\n1'), odd]), { encoding: 'utf-16' })).toMatchObject({
      rows: [],
      rejected: [[2, 'ENCODING_INVALID']],
    })
  })
})

/** The bytes that DuckDB writes for this text as frames of Zstandard. */
const zstdOf = async (text: string): Promise<Buffer> => {
  const path = join(await newFolder(), 'a.zst')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(
    `COPY (SELECT $text::VARCHAR) TO ${literal(path)} (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01', COMPRESSION zstd)`,
    { text },
  )
  connection.disconnectSync()
  return readFile(path)
}

const LONG = `a,b\n${Array.from({ length: 30_000 }, (_, index) => `${index},${(index * 7919) % 10_007}`).join('\n')}`

describe.each([
  ['gz', async (text: string) => gzipSync(text)],
  ['zst', zstdOf],
])('a compressed file .%s', async (extension, compress) => {
  const file = `a.csv.${extension}`
  const [first, second] = [await compress('a,b\n1,2\n'), await compress('3,4\n')]
  const whole = await compress(LONG)

  test.each([1, 10, 1 << 20])('is decompressed when %i bytes are read at a time', async (chunk_bytes) => {
    const { scanned } = await scanCsvOf(first, { file, chunk_bytes })
    expect(scanned.is_copy).toBe(true)
    expect(await rowsOf(scanned)).toEqual([['1', '2']])
  })

  test('may have many blocks', async () => {
    const { scanned } = await scanCsvOf(whole, { file })
    expect(await readFile(scanned.path, 'utf8')).toBe(extension === 'gz' ? LONG : `${LONG}\n`)
  })

  test.each([1, 10, 1 << 20])(
    'of several parts is read to its end when %i bytes are read at a time',
    async (chunk_bytes) => {
      const { scanned } = await scanCsvOf(Buffer.concat([first, second, second]), { file, chunk_bytes })
      const rows = await rowsOf(scanned)
      expect(rows.filter(([a]) => a !== null)).toEqual([
        ['1', '2'],
        ['3', '4'],
        ['3', '4'],
      ])
    },
  )

  test.each([
    ['cut off', whole.subarray(0, whole.length - 1)],
    ['cut off in the middle', whole.subarray(0, whole.length >> 1)],
    ['cut off in its header', whole.subarray(0, 3)],
    ['cut off in its second part', Buffer.concat([first, second.subarray(0, 9)])],
    ['empty', Buffer.alloc(0)],
    ['not compressed', Buffer.from('a,b\n1,2\n')],
    ['followed by other bytes', Buffer.concat([first, Buffer.from('1,2\n3,4\n')])],
  ])('that is %s is refused', async (_, content) => {
    for (const chunk_bytes of [500, 1 << 20]) {
      const refused = scanCsvOf(content, { file, chunk_bytes })
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_PARAMS', details: { file } })
      await expect(refused).rejects.toThrow(`${file} cannot be decompressed`)
    }
  })
})

describe('a gzip file', () => {
  const member = gzipSync('a,b\n1,2\n')

  test('with a wrong checksum is refused', async () => {
    const damaged = Buffer.from(member)
    damaged[damaged.length - 5]! ^= 1
    await expect(scanCsvOf(damaged, { file: 'a.csv.gz' })).rejects.toThrow('it is truncated or corrupt; fetch it again')
  })

  test('may be padded with zeros but not followed by anything else', async () => {
    const { scanned } = await scanCsvOf(Buffer.concat([member, Buffer.alloc(600)]), { file: 'a.csv.gz' })
    expect(scanned.records).toBe(1)
    const followed = Buffer.concat([member, Buffer.alloc(600), member])
    await expect(scanCsvOf(followed, { file: 'a.csv.gz' })).rejects.toThrow('cannot be decompressed')
  })
})

test('scanning a file that does not exist fails with ENOENT', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'a.csv'), 'a\n')
  const sink = { rejected: () => undefined, shifted: () => undefined }
  await expect(scanCsv(join(folder, 'b.csv'), { delimiter: ',', folder, name: 'b.csv' }, sink)).rejects.toMatchObject({
    code: 'ENOENT',
  })
})
