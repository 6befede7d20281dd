import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { renderCheck } from '../../../ingest/check/show/render.ts'
import { compiled } from '../../support/compiled.ts'
import { givenFiles, newFolder, query, run } from '../feeds.ts'
import * as foreign from './foreign-files.ts'

const command = [compiled('ingest/main.ts'), 'check']

/** Runs the command without a lake; where it makes one, `hasLake`. */
const checked = async (...args: readonly string[]) => {
  const lake = join(await newFolder(), 'lake')
  // A folder of its own: other checks may be running.
  const TMPDIR = await newFolder()
  const env = { ...process.env, SHELFMARK_LAKE: lake, TMPDIR }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...command, ...args], { encoding: 'utf8', env })
  return { status, stdout, stderr, hasLake: existsSync(lake), temporary: readdirSync(TMPDIR) }
}

const french = Buffer.from(foreign.frenchList, 'latin1')
const table = (...lines: readonly string[]): string => `sku,date,price\n${lines.join('\n')}\n`

/** Saves the proposed mapping with these constants, and refreshes a lake with it. */
const refreshed = async ({ root, mapping }: CheckResult, constants: Readonly<Record<string, string>>) => {
  const path = join(await newFolder(), 'mapping.json')
  const feeds = Object.entries(mapping!).map(([feed, own]) => [
    feed,
    { ...own, constants: { ...own.constants, ...constants } },
  ])
  await writeFile(path, JSON.stringify(Object.fromEntries(feeds)))
  return run(root, { mappings: [path] })
}

test('a check of French prices in Latin-1 prints the rows, and its mapping can be used for a refresh', async () => {
  const feeds = await givenFiles({ 'relevé.csv': french })
  const { status, stdout, stderr, hasLake } = await checked(feeds)
  expect({ status, stderr, hasLake }).toEqual({ status: 0, stderr: '', hasLake: false })
  expect(stdout).toMatch(/^relevé\.csv +price_observations +csv +latin-1 +; +61 +60 +60 +0$/m)
  expect(stdout).toMatch(/^ +platform +.*Magasin.* +its name, and 1 different names$/m)
  expect(stdout).toMatch(/^ {2}\d\. country: no column has the country .*Add "constants": /m)
  expect(stdout).toMatch(/^ {2}epicerie-cote +ca \? +P4000 +2025-03-01 +1299\.00 /m)
  expect(stdout).toContain('Épicerie > Café')
  expect(stdout).toMatch(
    /60 rows: 60 would be kept, before duplicates, and 0 refused\n.* --feeds \S+ --mapping mapping\.json\n$/,
  )
  const found = await check({ paths: [feeds] })
  const report = await refreshed(found, { country: 'ca' })
  expect(report).toMatchObject({ status: 'published', files: [{ rows_read: 60, kept: found.files[0]!.kept }] })
})

test('--json prints everything as one object and leaves no temporary files', async () => {
  const feeds = await givenFiles({ 'a.csv': table('A1,2024-01-02,1.50', 'A2,2024-01-02,free', 'A3,2024-01-02,') })
  const { status, stdout, temporary } = await checked(join(feeds, 'a.csv'), '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    root: feeds,
    mapping: { price_observations: { files: ['a.csv'], columns: { listing_id: 'sku', observed_at: 'date' } } },
    decisions: [/^platform: /, /^country: /, /^max_quarantine: /].map((start) => expect.stringMatching(start)),
    files: [
      { file: 'a.csv', lines: 4, rows_read: 3, kept: 1, quarantined: { PRICE_NOT_A_NUMBER: 1, PRICE_MISSING: 1 } },
    ],
    rows: [{ file: 'a.csv', values: { platform: '?', country: '?', listing_id: 'A1', price: '1.50' } }],
    refusals: [
      { code: 'PRICE_MISSING', rows: 1, example: { file: 'a.csv', line: 4, field: 'price' } },
      { code: 'PRICE_NOT_A_NUMBER', rows: 1, example: { file: 'a.csv', line: 3, field: 'price', value: 'free' } },
    ],
    problems: [expect.stringMatching(/^a\.csv: 2 of 3 rows are refused, 66\.7 %, above the limit of 1 %/)],
  })
  expect(temporary).toEqual([])
})

test('files of several formats get one mapping, relative to their common folder', async () => {
  const root = await givenFiles({
    'shops/deals.json': foreign.dealRecords,
    'shops/lines.jsonl.gz': gzipSync(foreign.centLines),
    'shops/merchant.tsv': foreign.merchantFeed,
    'shops/_hidden.csv': 'x',
    'other/scrape.csv': Buffer.from(`\uFEFF${foreign.shopScrape}`, 'utf16le'),
    'other/notes.txt': 'hello',
  })
  await query(`COPY (SELECT 'A' || i AS sku, DATE '2024-01-01' + i::INTEGER AS date, 199 + i AS price
    FROM range(40) AS t(i)) TO '${root}/other/prices.parquet' (FORMAT parquet)`)
  const checked = await check({ paths: [join(root, 'shops'), join(root, 'other')] })
  expect(checked.root).toBe(root)
  const files = checked.files.map(({ file, format, encoding, rows_read, kept }) => [
    file,
    format,
    encoding,
    rows_read,
    kept,
  ])
  expect(files.sort()).toEqual([
    ['other/prices.parquet', 'parquet', null, 40, 40],
    ['other/scrape.csv', 'csv', 'utf-16', 50, 50],
    ['shops/deals.json', 'json', 'utf-8', 50, 50],
    ['shops/lines.jsonl.gz', 'jsonl', 'utf-8', 40, 40],
    ['shops/merchant.tsv', 'csv', 'utf-8', 40, 40],
  ])
  expect(checked.unread).toEqual([{ file: 'other/notes.txt', reason: 'it has a header and no rows' }])
  expect(new Set(checked.rows.map(({ file }) => file)).size).toBe(5)
  const report = await refreshed(checked, {
    platform: 'acme',
    country: 'us',
    currency: 'USD',
    observed_at: '2024-01-01',
  })
  expect(report.files.map(({ file, rows_read }) => [file, rows_read]).sort()).toEqual(
    checked.files.map(({ file, rows_read }) => [file, rows_read]).sort(),
  )
})

test('a history nested in a JSON document is read', async () => {
  const items = Array.from({ length: 30 }, (_, index) => ({
    sku: `A${index}`,
    title: `Tea number ${index}`,
    price: 9.99,
    price_history: [{ '01/15/2024 10:00:00': 1.5 + index }, { '01/16/2024 10:00:00': 2.5 + index }],
  }))
  const feeds = await givenFiles({ 'shop.json': JSON.stringify({ count: 30, items }) })
  const checked = await check({ paths: [feeds] })
  expect(checked.mapping!.price_observations).toMatchObject({
    json_path: 'items[].price_history[].{observed_at}',
    columns: { price: 'value', listing_id: 'sku' },
  })
  expect(checked.rows[0]!.values).toMatchObject({ observed_at: '2024-01-15T10:00:00.000Z', price: '1.50' })
  expect(checked.files).toMatchObject([{ rows_read: 60, kept: 60 }])
  expect(checked.unused).toContainEqual({ file: 'shop.json', column: 'price', nearest: null })
})

test('--mapping checks with the given mappings and reports what they do not cover', async () => {
  const feeds = await givenFiles({
    'a.csv': table('A1,2024-01-02,1.50').replace('sku', 'productname,sku').replace('A1', 'Tea,A1'),
    'b.csv': table('B1,2024-01-02,x'),
    'c.csv': 'x\n1\n',
  })
  const mappings: string[] = []
  for (const [name, files] of [
    ['one', ['a.csv']],
    ['two', ['b.csv', 'z*.csv']],
  ] as const) {
    const path = join(await newFolder(), `${name}.json`)
    const columns = { listing_id: 'sku', observed_at: 'date' }
    const constants = { platform: name, country: 'us' }
    await writeFile(path, JSON.stringify({ price_observations: { files, columns, constants } }))
    mappings.push(path)
  }
  const checked = await check({ paths: [feeds], mappings })
  expect(checked).toMatchObject({
    mapping: null,
    decisions: [],
    files: [
      { file: 'a.csv', kept: 1 },
      { file: 'b.csv', kept: 0, quarantined: { PRICE_NOT_A_NUMBER: 1 } },
    ],
    rows: [{ values: { platform: 'one', listing_id: 'A1', observed_at: '2024-01-02T00:00:00.000Z', price: '1.50' } }],
    unused: [{ file: 'a.csv', column: 'productname', nearest: 'product_name' }],
    unread: [{ file: 'c.csv', reason: 'no glob of a mapping matches it' }],
    unmatched_globs: [{ feed: 'price_observations', glob: 'z*.csv' }],
  })
  const text = renderCheck(checked)
  expect(text).toContain('price_observations: z*.csv matches no file')
  expect(text).not.toContain('mapping.json')
  await expect(check({ paths: [feeds], mappings: [`${mappings[0]}x`] })).rejects.toThrow(/cannot be read: ENOENT/)
})

test('--feeds sets the folder that globs are relative to', async () => {
  const feeds = await givenFiles({ 'day/a.csv': table('A1,2024-01-02,1.50') })
  const checked = await check({ paths: [join(feeds, 'day/a.csv')], feeds })
  expect(checked.mapping!.price_observations!.files).toEqual(['day/a.csv'])
  await expect(check({ paths: [feeds], feeds: join(feeds, 'day') })).resolves.toMatchObject({
    root: join(feeds, 'day'),
  })
  await expect(check({ paths: [compiled('ingest/main.ts')], feeds })).rejects.toThrow(/is not below the folder/)
})

test('undecided values are printed as assumed where a date has no year or a price is a total', async () => {
  const sales = Array.from({ length: 30 }, (_, index) => `P${index},2024-01-10 10:00:00,${index + 1}.50,2`)
  const days = Array.from({ length: 30 }, (_, index) => `A${index},${(index % 28) + 1}.03,1.50`)
  const feeds = await givenFiles({
    'till.csv': `product_id,transaction_timestamp,sales_value,quantity\n${sales.join('\n')}\n`,
    'days.csv': table(...days),
  })
  const checked = await check({ paths: [feeds] })
  expect(checked.files.map(({ kept }) => kept)).toEqual([30, 30])
  expect(checked.rows.find(({ file }) => file === 'days.csv')!.values).toMatchObject({
    observed_at: '?',
    price: '1.50',
  })
  expect(checked.rows.find(({ file }) => file === 'till.csv')!.values).toMatchObject({
    price: '0.75 ?',
    listing_id: 'P0',
    platform: 'till ?',
  })
  expect(JSON.stringify(checked.mapping)).not.toMatch(/undecided|2000/)
})

test('control characters in names and values are escaped', async () => {
  const feeds = await newFolder()
  const name = 'a\u001b[31m\u202e.csv'
  await writeFile(
    join(feeds, name),
    table('\u001b]0;x,2024-01-02,\u001b[2J', ...Array.from({ length: 20 }, (_, index) => `A${index},2024-01-02,1.50`)),
  )
  await writeFile(join(feeds, 'b\n.txt'), 'x')
  const stdout = renderCheck(await check({ paths: [feeds] }))
  for (const letter of ['\u001b', '\u202e']) expect(stdout).not.toContain(letter)
  expect(stdout).toContain('a\\x1b[31m\\u202e.csv')
  expect(stdout).toContain('"a\\u001b[31m\\u202e.csv"')
  expect(stdout).toContain('b\\x0a.txt')
})

test.each<[name: string, reason: RegExp, content: Uint8Array | string]>([
  ['a.csv', /^it is empty$/, ''],
  [
    'a.csv',
    /^it is big-endian UTF-16 without a byte order mark/,
    Buffer.from('sku,price\nA1,1.50\n', 'utf16le').swap16(),
  ],
  ['a.csv', /^it has only white space$/, ' \n\n'],
  ['a.csv', /^it has a header and no rows$/, 'sku,price\n'],
  ['a.csv', /^it is an image$/, Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)],
  ['a.xls', /^it is an old Excel workbook; save it as \.xlsx or CSV$/, Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  [
    'b.xls',
    /^it is a web page; open it in a spreadsheet program, and save its table as CSV$/,
    '<html><table><tr><td>price</td></tr></table></html>',
  ],
  [
    'a.xml',
    /^it is an Excel workbook of 2003 as XML/,
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
  ],
  ['a.sql', /^it is statements of SQL; load them into a database/, "INSERT INTO product VALUES ('Milk', 1.19);\n"],
  ['a.db', /^it is a database of SQLite; export its table/, 'SQLite format 3\0'],
  ['a.log', /^it is delimited text, which its name does not say; rename it to end in \.csv$/, 'sku,price\nA1,1.50\n'],
  ['a.log', /^unknown format; expected \.csv, /, 'started\n'],
  ['a.csv', /^it is a ZIP archive or an Excel workbook/, Buffer.from('PK\u0003\u0004....')],
  [
    'a.csv',
    /^expected delimited text, got binary data$/,
    Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251),
  ],
  ['a.csv', /^it is compressed with gzip; give it a name that ends in \.gz$/, gzipSync('a,b')],
  ['a.csv.gz', /cannot be decompressed .* truncated or corrupt/, gzipSync(foreign.shopScrape).subarray(0, 300)],
  ['a.csv', /^it is a JSON document, but its name says delimited text; rename it to end in \.json$/, '[{"sku": "A1"}]'],
  ['a.jsonl', /^it is a JSON document, but its name says JSON lines/, '[{"sku": "A1"}]'],
  ['a.json', /^it has no list of records/, '{"name": "x"}'],
  ['a.parquet', /^it cannot be read as Parquet: /, 'PAR1....'],
  ['a.parquet', /^it is not Parquet$/, 'sku,price\n'],
])('%s is not read: %s', async (name, reason, content) => {
  const checked = await check({ paths: [await givenFiles({ [name]: content })] })
  expect(checked).toMatchObject({
    mapping: {},
    files: [],
    unread: [{ file: name, reason: expect.stringMatching(reason) }],
  })
  expect(renderCheck(checked)).toMatch(/^(?:columns of|no mapping: no file has prices, products or posts\n)/)
})

test('the exit code is 1 where no row would be kept and 2 for wrong usage', async () => {
  const feeds = await givenFiles({ 'a.csv': '' })
  expect(await checked(feeds)).toMatchObject({ status: 1, stderr: '', hasLake: false })
  await mkdir(join(feeds, 'none'))
  const message = `${feeds}/b.csv cannot be read: there is no such file`
  expect(await checked(join(feeds, 'b.csv'))).toMatchObject({ status: 2, stdout: '', stderr: `${message}\n` })
  expect(await checked()).toMatchObject({
    status: 2,
    stderr: 'FILE is missing: name the files to check, or a folder of them\n',
  })
  await expect(check({ paths: [join(feeds, 'none')] })).rejects.toThrow(`no files below ${feeds}/none`)
})

test('an interrupted check leaves no temporary files', async () => {
  const rows = Array.from(
    { length: 1_500_000 },
    (_, index) => `A${index % 5000},2024-01-${(index % 28) + 1},${index % 90}.50`,
  )
  const feeds = await givenFiles({ 'a.csv': `sku,date,price\n${rows.join('\n')}\n` })
  const TMPDIR = await newFolder()
  const child = spawn(process.execPath, [...command, feeds], { stdio: 'pipe', env: { ...process.env, TMPDIR } })
  const ended = once(child, 'exit')
  const isAtWork = () => readdirSync(TMPDIR).some((name) => name.startsWith('shelfmark-check-'))
  while (!isAtWork()) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  expect((await ended)[0]).toBe(1)
  expect(isAtWork()).toBe(false)
})

test('--help names the command check', async () => {
  const { stdout } = await checked('--help')
  expect(stdout).toContain('shelfmark-refresh check FILE...')
})
