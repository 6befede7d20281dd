import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, test } from 'vitest'
import { newFolder, observationsOf, query, run, runFiles } from './feeds.ts'

type Row = Readonly<Record<string, string | null>>

const ROWS: readonly Row[] = Array.from({ length: 50 }, (_, i) => ({
  platform: i % 2 ? 'acme' : 'bolt',
  country: i % 3 ? 'us' : 'ca',
  listing_id: `SKU ${i % 20}`,
  observed_at: `2026-0${1 + (i % 2)}-1${i % 9}T0${i % 10}:15:00Z`,
  price: (3 + i * 7.01).toFixed(2),
  list_price: i % 5 ? null : (50 + i * 9).toFixed(2),
  promo_flag: [null, 'true', 'false'][i % 3]!,
  availability: ['in_stock', 'out_of_stock', null][i % 3]!,
  product_name: `Thing "${i % 20}", large`,
  brand: i % 2 ? 'Kiln & Co.' : null,
  gtin: i % 20 === 4 ? '036000291452' : null,
  category_path: `Home > Shelf ${i % 4}`,
}))
const COLUMNS = Object.keys(ROWS[0]!)

const quoted = (text: string | null): string => (text === null ? '' : `"${text.replaceAll('"', '""')}"`)
const delimited = (delimiter: string): string =>
  [COLUMNS.join(delimiter), ...ROWS.map((row) => COLUMNS.map((name) => quoted(row[name]!)).join(delimiter)), ''].join(
    '\n',
  )
const jsonl = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('')

/** Writes the rows with DuckDB, each column as `typed` says or as text. */
const write = async (name: string, options: string, typed: Readonly<Record<string, string>> = {}): Promise<string> => {
  const feeds = await newFolder()
  const path = join(feeds, 'price_observations', name)
  const values = COLUMNS.map((column) => `${typed[column] ?? column} AS ${column}`).join(', ')
  await mkdir(join(feeds, 'price_observations'))
  const source = join(feeds, '_rows.jsonl')
  await writeFile(source, jsonl)
  const columns = `{${COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ')}}`
  await query(`COPY (SELECT ${values} FROM read_json('${source}', columns = ${columns})) TO '${path}' (${options})`)
  return feeds
}

describe('the same rows in another format give the same snapshot', async () => {
  const expected = await runFiles({ 'price_observations/a.csv': delimited(',') })

  test('with every row kept', async () => {
    expect(expected.status).toBe('published')
    expect(await observationsOf(expected)).toHaveLength(50)
  })

  test.each([
    ['.csv.gz', { 'price_observations/a.csv.gz': gzipSync(delimited(',')) }],
    ['.tsv', { 'price_observations/a.tsv': delimited('\t') }],
    ['.jsonl', { 'price_observations/a.jsonl': jsonl }],
    ['.ndjson.gz', { 'price_observations/deep/er/a.ndjson.gz': gzipSync(jsonl) }],
    [
      '.csv with CRLF and a mark of byte order',
      { 'price_observations/a.csv': `\uFEFF${delimited(',').replaceAll('\n', '\r\n')}` },
    ],
    [
      '.csv with semicolons',
      {
        'price_observations/a.csv': delimited(';'),
        'price_observations/feed.json': '{"delimiter": ";"}',
      },
    ],
  ])('as %s', async (_, files) => {
    const report = await runFiles(files)
    expect(report.files.map(({ rows_read, kept }) => ({ rows_read, kept }))).toEqual([{ rows_read: 50, kept: 50 }])
    expect(report.digest).toBe(expected.digest)
  })

  test.each([
    ['.csv.zst', 'a.csv.zst', 'FORMAT csv, HEADER, COMPRESSION zstd', {}],
    ['.parquet, all text', 'a.parquet', 'FORMAT parquet', {}],
    [
      '.parquet, prices in cents, times and flags typed',
      'a.parquet',
      'FORMAT parquet, COMPRESSION zstd',
      {
        price: '(price::DECIMAL(9, 2) * 100)::INTEGER',
        list_price: '(list_price::DECIMAL(9, 2) * 100)::BIGINT',
        observed_at: 'observed_at::TIMESTAMP',
        promo_flag: 'promo_flag::BOOLEAN',
      },
    ],
    [
      '.parquet, prices in dollars, times with a zone',
      'a.parquet',
      'FORMAT parquet',
      { price: 'price::DECIMAL(9, 2)', list_price: 'list_price::DOUBLE', observed_at: 'observed_at::TIMESTAMPTZ' },
    ],
  ])('written by DuckDB as %s', async (_, name, options, typed) => {
    const report = await run(await write(name, options, typed))
    expect(report.digest).toBe(expected.digest)
  })

  test('which an independent Parquet reader can read', async () => {
    const path = `${expected.lake}/snapshots/${expected.snapshot_id}/observations/country=us/month=2026-02/part-0.parquet`
    const bytes = await readFile(path)
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const rows = await parquetReadObjects({ file, compressors })
    const days = rows.map(({ day, ...row }) => ({ ...row, day: (day as Date).toISOString().slice(0, 10) }))
    expect(days).toEqual(await query(`SELECT * FROM read_parquet('${path}', hive_partitioning = false)`))
    expect(days.length).toBeGreaterThan(5)
  })
})

test('a column that only late JSON lines have is read as from CSV', async () => {
  const rows = Array.from({ length: 1500 }, (_, i) => ({
    platform: 'acme',
    country: 'us',
    listing_id: String(i),
    observed_at: '2026-01-05T10:00:00Z',
    price: '3.00',
    ...(i < 1400 ? {} : { list_price: '5.00', availability: 'in_stock' }),
    ...(i < 1450 ? {} : { brand: 'Kiln' }),
  }))
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const names = ['platform', 'country', 'listing_id', 'observed_at', 'price', 'list_price', 'availability', 'brand']
  const table = rows.map((row) => names.map((name) => (row as Row)[name] ?? '').join(','))
  const [json, csv] = [
    await runFiles({ 'price_observations/a.jsonl': lines }),
    await runFiles({ 'price_observations/a.csv': [names.join(','), ...table, ''].join('\n') }),
  ]
  expect(json.digest).toBe(csv.digest)
  expect(json.files[0]).toMatchObject({ rows_read: 1500, kept: 1500, unused_columns: [] })
})
