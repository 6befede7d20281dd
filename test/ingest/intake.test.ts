import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { RefreshReport } from '../../ingest/report.ts'
import { csv, givenFiles, HEADER, observationsOf, query, refusedRows, run, runFiles, table } from './feeds.ts'

const row = (listing: number | string, price = '10.00', at = '2026-01-05T10:00:00Z'): string =>
  `acme,us,${listing},${at},${price},USD`

const rows = (count: number, price = '10.00', at?: string): string[] =>
  Array.from({ length: count }, (_, listing) => row(listing, price, at))

const refusedLines = async (report: RefreshReport): Promise<unknown[]> =>
  (await readFile(report.quarantine!, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ line, code }) => [line, code])

/** Rows add up to lines, and what became of them to rows. */
const expectAccounted = (report: RefreshReport): void => {
  for (const file of report.files) {
    const { lines, header_lines, blank_lines, continuation_lines, rows_read, kept, duplicates } = file
    expect(rows_read).toBe(kept + duplicates.same_key + duplicates.same_day + refusedRows(file))
    if (lines !== null) expect(lines).toBe(header_lines + rows_read + continuation_lines + blank_lines)
  }
}

describe('every line of a file is accounted for:', () => {
  test('a stray quote loses only its own row', async () => {
    const lines = rows(20_000)
    lines[499] = `acme,us,"499,2026-01-05T10:00:00Z,10.00,USD`
    const report = await runFiles({ 'price_observations/a.csv': csv(...lines) })
    expect(report).toMatchObject({
      status: 'published',
      files: [{ lines: 20_001, rows_read: 20_000, kept: 19_999, quarantined: { QUOTE_UNCLOSED: 1 } }],
    })
    expect(await refusedLines(report)).toEqual([[501, 'QUOTE_UNCLOSED']])
    expectAccounted(report)
  })

  test('a line of 40 MB is refused and counted', async () => {
    const long = row('x'.repeat(40_000_000))
    const report = await runFiles({ 'price_observations/a.csv': csv(row(1), long, row(2)) })
    expect(report.files).toMatchObject([{ lines: 4, rows_read: 3, kept: 2, quarantined: { ROW_TOO_LONG: 1 } }])
    expect(await refusedLines(report)).toEqual([[3, 'ROW_TOO_LONG']])
  })

  test('multi-line records, blank lines and a missing final newline do not change line numbers', async () => {
    const file = `${HEADER},product_name\n\n${row(1)},"A mug,\nof clay"\n\n${row(2)},Cup\n${row(3, 'ten')},Bowl\n  \n${row(4)},Jug`
    const report = await runFiles({ 'price_observations/a.csv': file })
    expect(report.files).toMatchObject([
      { lines: 9, header_lines: 1, blank_lines: 3, continuation_lines: 1, rows_read: 4, kept: 3 },
    ])
    expect(await refusedLines(report)).toEqual([[7, 'PRICE_NOT_A_NUMBER']])
  })

  test('a JSON array is read on one line or many', async () => {
    const objects = Array.from({ length: 20_000 }, (_, listing_id) => ({
      ...{ platform: 'acme', country: 'us', listing_id, observed_at: '2026-01-05', price: '10.00' },
      product_name: `Mug, "no. ${listing_id}"`,
    }))
    const one = await runFiles({ 'price_observations/a.json': JSON.stringify(objects) })
    expect(one.files).toMatchObject([{ lines: null, rows_read: 20_000, kept: 20_000 }])
    const many = await runFiles({ 'price_observations/a.json': JSON.stringify(objects, null, 2) })
    expect(many.digest).toBe(one.digest)
  })

  test('a truncated array is refused together with the whole delivery', async () => {
    const good = csv(row(1))
    const cut = '[{"platform": "acme", "country": "us", "listing_id": "7", "observed_at": "2026-01-05", "price": 3}'
    const report = await runFiles({ 'price_observations/a.csv': good, 'price_observations/b.json': cut })
    expect(report).toMatchObject({ status: 'refused', reasons: [expect.stringContaining('price_observations/b.json')] })
  })

  test('a file with content but no rows refuses the refresh', async () => {
    const report = await runFiles({ 'price_observations/a.csv': csv(row(1)), 'price_observations/b.csv': csv() })
    expect(report).toMatchObject({
      status: 'refused',
      reasons: ['price_observations/b.csv: not empty, but it has no rows; remove or replace it'],
    })
  })

  test('a time more than a day after the refresh is refused', async () => {
    const file = csv(row(1), row(2, '10.00', '2026-01-08T10:00:00Z'), row(3, '10.00', '2026-01-07T10:00:00Z'))
    const report = await runFiles({ 'price_observations/a.csv': file }, { as_of: new Date('2026-01-06T12:00:00Z') })
    expect(report.files).toMatchObject([{ rows_read: 3, kept: 2, quarantined: { OBSERVED_IN_FUTURE: 1 } }])
    expect(await refusedLines(report)).toEqual([[3, 'OBSERVED_IN_FUTURE']])
  })
})

describe('a delivery is compared with the lake:', () => {
  const january = { 'price_observations/a.csv': csv(...rows(200)) }
  const february = (price: string, count = 200) => ({
    'price_observations/a.csv': csv(
      ...rows(count, price, '2026-02-05T10:00:00Z'),
      row('z', '10.00', '2026-03-01T00:00:00Z'),
    ),
  })

  test('prices a hundred times too high are refused with a likely reason, unless they are accepted', async () => {
    const { lake } = await runFiles(january)
    const feeds = await givenFiles(february('1000.00'))
    const refused = await run(feeds, { lake })
    expect(refused).toMatchObject({
      status: 'refused',
      reasons: [
        'acme us 2026-02: the median price of its 200 matched listings is 100 times the last one; are these cents? ' +
          'To publish it anyway: --accept acme',
      ],
    })
    expect(await run(feeds, { lake, accept: ['other'] })).toMatchObject({ status: 'refused' })
    expect(await run(feeds, { lake, accept: ['acme'] })).toMatchObject({ status: 'published' })
  })

  test('such prices in one month of the delivery are refused too', async () => {
    const files = csv(...rows(200), ...rows(200, '1000.00', '2026-02-05T10:00:00Z'))
    expect(await runFiles({ 'price_observations/a.csv': files })).toMatchObject({ status: 'refused' })
  })

  test('prices twice as high are published and reported', async () => {
    const { lake } = await runFiles(january)
    const report = await run(await givenFiles(february('20.00')), { lake })
    expect(report).toMatchObject({ status: 'published' })
    expect(report.quality).toMatchObject([
      {
        ...{ retailer: 'acme', country: 'us', month: '2026-02', rows: 200, listings: 200, rows_before: 200 },
        ...{ matched_listings: 200, price_ratio: 2, quarantined_share: 0, new_listings: 0, vanished_listings: 0 },
      },
      // `z` is new in March, and the 200 of February are not seen in it.
      { month: '2026-03', rows: 1, new_listings: 1, vanished_listings: 200 },
    ])
  })

  test('a drop in rows beyond max_drop is refused, considering that a month may not be over', async () => {
    const { lake } = await runFiles(january)
    const half = await givenFiles(february('10.00', 90))
    expect(await run(half, { lake, max_drop: 0.5 })).toMatchObject({
      status: 'refused',
      reasons: [expect.stringMatching(/^acme us 2026-02: 90 rows against 200 in the month before/), expect.anything()],
    })
    // The newest observation is of the 5th of 28 days: 36 rows are expected.
    const open = await givenFiles({ 'price_observations/a.csv': csv(...rows(40, '10.00', '2026-02-05T10:00:00Z')) })
    expect(await run(open, { lake, max_drop: 0.5 })).toMatchObject({ status: 'published' })
  })

  test('different prices of one listing at the same time are reported as conflicts', async () => {
    const file = csv(row(1, '4.00'), row(1, '3.00'), row(1, '3.00'), row(2, '5.00'), row(2, '5.00'))
    const report = await runFiles({ 'price_observations/a.csv': file })
    expect(report.conflicts).toMatchObject({
      listings: 1,
      rows: 3,
      examples: [{ retailer: 'acme', listing_id: '1', observed_at: '2026-01-05T10:00:00Z', prices: [300, 400] }],
    })
    expect(await observationsOf(report)).toEqual([
      'acme us 1 uncategorized - 2026-01-05 36000 300 - - -',
      'acme us 2 uncategorized - 2026-01-05 36000 500 - - -',
    ])
  })
})

describe('the columns and files of a refresh', () => {
  test('are reported if they are not used, with the nearest valid name of a column', async () => {
    const file = `${HEADER},productname,Kommentar\n${row(1)},Mug,x\n`
    const report = await runFiles({ 'price_observations/a.csv': file })
    expect(report.files[0]!.unused_columns).toEqual([
      { column: 'productname', nearest: 'product_name' },
      { column: 'Kommentar', nearest: null },
    ])
  })

  test('are refused if a column that is used is duplicated', async () => {
    const report = await runFiles({ 'price_observations/a.csv': `${HEADER},price\n${row(1)},11.00\n` })
    expect(report).toMatchObject({ status: 'refused', reasons: [expect.stringContaining('has 2 columns price')] })
  })

  const mapping = (value: object) => JSON.stringify({ price_observations: value })

  test('are reported if a glob matches no file or no glob matches a file', async () => {
    const folder = await givenFiles({
      'in/a.csv': csv(row(1)),
      'in/notes.txt': 'x',
      'map.json': mapping({ files: ['a.csv', '2024-*.csv'] }),
    })
    const report = await run(`${folder}/in`, { mappings: [`${folder}/map.json`] })
    expect(report).toMatchObject({
      unmatched_globs: [{ feed: 'price_observations', glob: '2024-*.csv' }],
      not_read: [{ file: 'notes.txt', reason: 'no glob of a mapping matches it' }],
    })
  })

  test('may be described by several mappings, but each file by only one', async () => {
    const folder = await givenFiles({
      'in/a.csv': csv(row(1)),
      'in/b.csv': csv(row(2)),
      'a.json': mapping({ files: ['a.csv'] }),
      'b.json': mapping({ files: ['b.csv'] }),
      'all.json': mapping({ files: ['*.csv'] }),
    })
    const report = await run(`${folder}/in`, { mappings: [`${folder}/a.json`, `${folder}/b.json`] })
    expect(report.files.map(({ file, kept }) => [file, kept])).toEqual([
      ['a.csv', 1],
      ['b.csv', 1],
    ])
    const both = run(`${folder}/in`, { mappings: [`${folder}/a.json`, `${folder}/all.json`] })
    await expect(both).rejects.toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining('a.csv') })
  })
})

describe('a mapping can describe', () => {
  const refreshed = (file: string | Uint8Array, description: object, name = 'a.csv') =>
    runFiles({ [`price_observations/${name}`]: file, 'price_observations/feed.json': JSON.stringify(description) })
  const named = async (report: RefreshReport & { lake: string }) =>
    query(`SELECT product_name, price FROM ${table(report, 'listings')} ORDER BY product_id`)

  test('Latin-1 and UTF-16, French prices and semicolons', async () => {
    const french =
      'magasin;id;date;prix;produit\nmétro;1;05/01/2026;4,99 $;Café moulu\nmétro;2;05/01/2026;1 299,00 $;Machine à café\n'
    const description = {
      columns: { listing_id: 'id', observed_at: 'date', price: 'prix', product_name: 'produit' },
      constants: { platform: 'metro', country: 'ca' },
      ...{
        delimiter: ';',
        decimal_comma: true,
        timestamp_format: ['%Y-%m-%d', '%d/%m/%Y'],
        timezone: 'America/Toronto',
      },
    }
    const expected = [
      { product_name: 'Café moulu', price: 499 },
      { product_name: 'Machine à café', price: 129900 },
    ]
    const latin = await refreshed(Buffer.from(french, 'latin1'), { ...description, encoding: 'latin-1' })
    expect(await named(latin)).toEqual(expected)
    const utf16 = await refreshed(Buffer.from(`\ufeff${french}`, 'utf16le'), description)
    expect(await named(utf16)).toEqual(expected)
    const undeclared = await refreshed(Buffer.from(french, 'latin1'), description)
    expect(undeclared.files).toMatchObject([{ rows_read: 2, kept: 0, quarantined: { ENCODING_INVALID: 2 } }])
  })

  test('times in several formats, with an offset or in a time zone', async () => {
    const times = ['2026-01-05 20:00:00 +0000', '05/01/2026 15:00:00', 'soon']
    const report = await refreshed(csv(...times.map((at, listing) => row(listing, '1.00', at))), {
      timestamp_format: ['%Y-%m-%d %H:%M:%S %z', '%d/%m/%Y %H:%M:%S'],
      timezone: 'America/Toronto',
    })
    expect((await observationsOf(report)).map((line) => line.split(' ').slice(5, 7))).toEqual([
      ['2026-01-05', '72000'],
      ['2026-01-05', '72000'],
    ])
  })

  test('SQL expressions over the columns of the file, which convert to numbers where necessary', async () => {
    const file =
      'platform,country,listing_id,observed_at,price,off,unit\nacme,us,1,2026-01-05,3.50,1.49,kg\nacme,us,2,2026-01-05,5,x,each\n'
    const report = await refreshed(file, {
      columns: { price: { sql: 'price + "off"' }, product_name: { sql: "upper(unit) || ' ' || listing_id" } },
    })
    expect(await named(report)).toEqual([{ product_name: 'KG 1', price: 499 }])
    expect(report.files).toMatchObject([{ quarantined: { PRICE_MISSING: 1 } }])
  })

  test.each([
    ["(SELECT max(price) FROM read_csv('/etc/passwd'))", /subquer/i],
    ["read_text('/etc/passwd')", /read_text/],
    ['no_such_column + 1', /no_such_column/],
    ['price)) FROM range(9) --', /price/],
  ])('but not the expression %s', async (sql, message) => {
    const report = await refreshed(csv(row(1)), { columns: { product_name: { sql } } })
    expect(report).toMatchObject({ status: 'refused', reasons: [expect.stringMatching(message)] })
  })

  test('a date in the file name and a path into JSON', async () => {
    const document = { shop: 'acme', items: [{ sku: 7, history: [{ price: '3.50' }, { price: '3.60' }] }] }
    const report = await refreshed(
      JSON.stringify(document),
      {
        columns: { listing_id: 'sku', platform: 'shop' },
        constants: { country: 'us' },
        json_path: 'items[].history[]',
        name_pattern: 'prices_(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)',
      },
      'prices_20260105.json',
    )
    expect(report.files).toMatchObject([{ rows_read: 2, kept: 1, duplicates: { same_key: 1 } }])
    expect(await observationsOf(report)).toEqual(['acme us 7 uncategorized - 2026-01-05 0 350 - - -'])
  })
})
