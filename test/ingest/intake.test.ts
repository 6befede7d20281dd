import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RefreshReport } from '../../ingest/report.ts'
import { byFile, csv, givenFiles, HEADER, type Lake, observationsOf, refusedRows, run, runFiles } from './feeds.ts'

const row = (listing: number | string, price = '10.00', at = '2026-01-05T10:00:00Z'): string =>
  `acme,us,${listing},${at},${price},USD`

const rows = (count: number, price = '10.00', at?: string): string[] =>
  Array.from({ length: count }, (_, listing) => row(listing, price, at))

/** Line and code of each refused row, by the name of its file. */
const refusedLines = async (report: RefreshReport): Promise<Map<string, unknown[]>> => {
  const text = await readFile(report.quarantine!, 'utf8')
  const refused = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string; line: number; code: string })
  const lines = new Map<string, unknown[]>()
  for (const { file, line, code } of refused) {
    const name = file.replace('price_observations/', '')
    lines.set(name, [...(lines.get(name) ?? []), [line, code]])
  }
  return lines
}

const strayQuote = rows(20_000)
strayQuote[499] = `acme,us,"499,2026-01-05T10:00:00Z,10.00,USD`

// Files of one delivery, each with listings of its own.
const DELIVERY = {
  'stray-quote.csv': csv(...strayQuote),
  'long.csv': csv(row('l1'), row('x'.repeat(40_000_000)), row('l2')),
  'lines.csv': `${HEADER},product_name\n\n${row('m1')},"A mug,\nof clay"\n\n${row('m2')},Cup\n${row('m3', 'ten')},Bowl\n  \n${row('m4')},Jug`,
  'future.csv': csv(row('f1'), row('f2', '10.00', '2026-01-08T10:00:00Z'), row('f3', '10.00', '2026-01-07T10:00:00Z')),
  'unused.csv': `${HEADER},productname,Kommentar\n${row('u1')},Mug,x\n`,
  'conflicts.csv': csv(row('c1', '4.00'), row('c1', '3.00'), row('c1', '3.00'), row('c2', '5.00'), row('c2', '5.00')),
}

describe('every line of a file is accounted for:', () => {
  let report: Lake
  let refused: Map<string, unknown[]>
  beforeAll(async () => {
    const files = Object.entries(DELIVERY).map(([name, text]) => [`price_observations/${name}`, text])
    report = await run(await givenFiles(Object.fromEntries(files)), { as_of: new Date('2026-01-06T12:00:00Z') })
    refused = await refusedLines(report)
  })

  test('a stray quote loses only its own row', () => {
    expect(report.status).toBe('published')
    expect(byFile(report).get('stray-quote.csv')).toMatchObject({
      ...{ lines: 20_001, rows_read: 20_000, kept: 19_999, quarantined: { QUOTE_UNCLOSED: 1 } },
    })
    expect(refused.get('stray-quote.csv')).toEqual([[501, 'QUOTE_UNCLOSED']])
  })

  test('rows add up to lines, and what became of them to rows', () => {
    expect(report.files).toHaveLength(6)
    for (const file of report.files) {
      const { lines, header_lines, blank_lines, continuation_lines, rows_read, kept, duplicates } = file
      expect(rows_read).toBe(kept + duplicates.same_key + duplicates.same_day + refusedRows(file))
      expect(lines).toBe(header_lines + rows_read + continuation_lines + blank_lines)
    }
  })

  test('a line of 40 MB is refused and counted', () => {
    expect(byFile(report).get('long.csv')).toMatchObject({
      ...{ lines: 4, rows_read: 3, kept: 2, quarantined: { ROW_TOO_LONG: 1 } },
    })
    expect(refused.get('long.csv')).toEqual([[3, 'ROW_TOO_LONG']])
  })

  test('multi-line records, blank lines and a missing final newline do not change line numbers', () => {
    expect(byFile(report).get('lines.csv')).toMatchObject({
      ...{ lines: 9, header_lines: 1, blank_lines: 3, continuation_lines: 1, rows_read: 4, kept: 3 },
    })
    expect(refused.get('lines.csv')).toEqual([[7, 'PRICE_NOT_A_NUMBER']])
  })

  test('a time more than a day after the refresh is refused', () => {
    expect(byFile(report).get('future.csv')).toMatchObject({
      ...{ rows_read: 3, kept: 2, quarantined: { OBSERVED_IN_FUTURE: 1 } },
    })
    expect(refused.get('future.csv')).toEqual([[3, 'OBSERVED_IN_FUTURE']])
  })

  test('columns that are not used are reported with the nearest valid name', () => {
    expect(byFile(report).get('unused.csv')!.unused_columns).toEqual([
      { column: 'productname', nearest: 'product_name' },
      { column: 'Kommentar', nearest: null },
    ])
  })

  test('different prices of one listing at the same time are reported as conflicts', async () => {
    expect(report.conflicts).toMatchObject({
      listings: 1,
      rows: 3,
      examples: [{ retailer: 'acme', listing_id: 'c1', observed_at: '2026-01-05T10:00:00Z', prices: [300, 400] }],
    })
    expect((await observationsOf(report)).filter((line) => line.startsWith('acme us c'))).toEqual([
      'acme us c1 uncategorized - 2026-01-05 36000 300 - - -',
      'acme us c2 uncategorized - 2026-01-05 36000 500 - - -',
    ])
  })

  test('of several observations of one instant and price one on promotion stays', async () => {
    const at = 'acme,us'
    const rest = '2026-01-05T10:00:00Z,9.00,USD'
    const given = `${HEADER},list_price,promo_flag\n${[
      // A flag, and a list price of 10 % above.
      ...[`${at},flagged,${rest},,false`, `${at},flagged,${rest},,true`, `${at},flagged,${rest},,`],
      ...[`${at},listed,${rest},9.10,`, `${at},listed,${rest},10.00,`, `${at},listed,${rest},,`],
    ].join('\n')}\n`
    const report = await runFiles({ 'price_observations/a.csv': given })
    expect(await observationsOf(report)).toEqual([
      'acme us flagged uncategorized - 2026-01-05 36000 900 - true -',
      'acme us listed uncategorized - 2026-01-05 36000 900 1000 - -',
    ])
  })

  test('a JSON array is read on one line or many', async () => {
    const objects = Array.from({ length: 5_000 }, (_, listing_id) => ({
      ...{ platform: 'acme', country: 'us', listing_id, observed_at: '2026-01-05', price: '10.00' },
      product_name: `Mug, "no. ${listing_id}"`,
    }))
    const one = await runFiles({ 'price_observations/a.json': JSON.stringify(objects) })
    expect(one.files).toMatchObject([{ lines: null, rows_read: 5_000, kept: 5_000 }])
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
      reasons: [
        'price_observations/b.csv: not empty, but it has no rows; remove or replace it, or write "empty_files": "accept" in its mapping',
      ],
    })
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
})

describe('the columns and files of a refresh', () => {
  const mapping = (value: object): string => JSON.stringify({ price_observations: value })

  test('are refused if a column that is used is duplicated', async () => {
    const report = await runFiles({ 'price_observations/a.csv': `${HEADER},price\n${row(1)},11.00\n` })
    expect(report).toMatchObject({ status: 'refused', reasons: [expect.stringContaining('has 2 columns price')] })
  })

  describe('with several mappings', () => {
    let folder: string
    let report: Lake
    beforeAll(async () => {
      folder = await givenFiles({
        'in/a.csv': csv(row(1)),
        'in/b.csv': csv(row(2)),
        'in/notes.txt': 'x',
        'a.json': mapping({ files: ['a.csv', '2024-*.csv'] }),
        'b.json': mapping({ files: ['b.csv'] }),
        'all.json': mapping({ files: ['*.csv'] }),
      })
      report = await run(`${folder}/in`, { mappings: [`${folder}/a.json`, `${folder}/b.json`] })
    })

    test('are reported if a glob matches no file or no glob matches a file', () => {
      expect(report).toMatchObject({
        unmatched_globs: [{ feed: 'price_observations', glob: '2024-*.csv' }],
        not_read: [{ file: 'notes.txt', reason: 'no glob of a mapping matches it' }],
      })
    })

    test('may be described by several, but each file by only one', async () => {
      expect(report.files.map(({ file, kept }) => [file, kept])).toEqual([
        ['a.csv', 1],
        ['b.csv', 1],
      ])
      const both = run(`${folder}/in`, { mappings: [`${folder}/a.json`, `${folder}/all.json`] })
      await expect(both).rejects.toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining('a.csv') })
    })
  })
})
