import { describe, expect, test } from 'vitest'
import { discover } from '../../ingest/feeds/discover.ts'
import { csv, givenFiles, observationsOf, query, run, runFiles, table } from './feeds.ts'

describe('a feeds folder', () => {
  test('is read by feed in the order of names, with the reason for each file that is not read', async () => {
    const folder = await givenFiles({
      'product_catalogue/z.jsonl': '{}',
      'price_observations/b.csv': csv(),
      'price_observations/a/a.tsv.gz': 'a',
      'price_observations/empty.csv': '',
      'price_observations/README.md': '',
      'price_observations/.hidden.csv': '',
      'price_observations/_done': '',
      'price_observations/node_modules/one/package.json': '{}',
      'gpc_release/GPC as of November 2025.json': '{}',
      'lexicon/notes.txt': '',
    })
    const { files, reference, not_read } = await discover(folder)
    expect(files.map(({ feed, name, format }) => [feed, name, format])).toEqual([
      ['price_observations', 'price_observations/a/a.tsv.gz', 'csv'],
      ['price_observations', 'price_observations/b.csv', 'csv'],
      ['product_catalogue', 'product_catalogue/z.jsonl', 'jsonl'],
    ])
    expect(reference.map(({ feed, name, format }) => [feed, name, format])).toEqual([
      ['gpc_release', 'gpc_release/GPC as of November 2025.json', 'json'],
    ])
    expect(not_read).toEqual([
      { feed: 'lexicon', file: 'lexicon/notes.txt', reason: 'unknown format of lexicon' },
      {
        feed: 'price_observations',
        file: 'price_observations/README.md',
        reason: 'unknown format; expected .csv, .tsv, .jsonl, .ndjson, .json, .xml (also .gz, .zst), .xlsx or .parquet',
      },
      { feed: 'price_observations', file: 'price_observations/empty.csv', reason: 'empty' },
    ])
  })

  test.each([
    [{ 'prices/a.csv': csv() }, /prices is not a feed; the feeds are price_observations, product_catalogue/],
    [{ 'product_catalogue/a.csv': '' }, /has no file of price_observations/],
    [{ 'price_observations/a.txt': '' }, /has no file of price_observations/],
    [{ 'price_observations/a.csv': csv(), 'price_observations/feed.json': '{"a": 1}' }, /feed\.json: .*a/],
  ])('of %j is wrong usage', async (files, message) => {
    await expect(discover(await givenFiles(files))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(message),
    })
  })

  test('that does not exist is wrong usage', async () => {
    await expect(discover('/nowhere/at/all')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })
})

describe('a price file', () => {
  test('without a required column is refused before anything is read', async () => {
    const feeds = await givenFiles({ 'price_observations/a.csv': 'shop,country,listing_id,observed_at,price\n' })
    expect(await run(feeds)).toMatchObject({
      status: 'refused',
      reasons: [expect.stringMatching(/a\.csv has no column platform; it has shop, country, listing_id/)],
    })
  })

  test('may name the platform retailer, and its header in any case', async () => {
    const file = 'Retailer,Country,Listing_ID,Observed_At,Price,Shelf\nacme,us,1,2026-01-05,1.00,3\n'
    const report = await runFiles({ 'price_observations/a.csv': file })
    expect(await observationsOf(report)).toEqual(['acme us 1 uncategorized - 2026-01-05 0 100 - - -'])
    expect(report.files[0]!.unused_columns).toEqual([{ column: 'Shelf', nearest: null }])
  })

  test('is read as its description says', async () => {
    const description = {
      columns: {
        price: ['now', 'current_price'],
        observed_at: 'seen',
        product_name: 'title',
        category_path: { join: ['department', 'aisle'] },
        availability: 'note',
        promo_flag: 'note',
      },
      constants: { platform: 'acme', country: 'ca', currency: 'CAD' },
      values: { promo_flag: { Rollback: 'true' }, availability: { 'Out today': 'out_of_stock' } },
      listing_id_from: ['title', 'size'],
      timezone: 'America/Toronto',
      price_text: true,
    }
    const rows = `title,size,current_price,seen,department,aisle,note
Oat Milk,1 L,$3.45,2026-01-05 22:00:00,Dairy,Milk,Rollback
Oat Milk,2 L,"1,005",2026-01-05 22:00:00,Dairy,,Out today
 Oat Milk ,1 L,$3.40,2026-01-07 22:00:00,Dairy,Milk,
`
    const report = await runFiles({
      'price_observations/a.csv': rows,
      'price_observations/feed.json': JSON.stringify(description),
    })
    const lines = (await observationsOf(report)).map((line) => line.replace(/ [0-9a-f]{20} /, ' # '))
    expect(lines.sort()).toEqual([
      'acme ca # dairy - 2026-01-06 10800 100500 - - false',
      'acme ca # dairy/milk - 2026-01-06 10800 345 - true -',
      'acme ca # dairy/milk - 2026-01-08 10800 340 - - -',
    ])
    expect(report.counts.listings).toBe(2)
  })
})

describe('a change point', () => {
  const points = (rows: readonly string[]) => ({
    'price_observations/a.csv': csv(...rows),
    'price_observations/feed.json': '{"kind": "change_points"}',
  })

  test('remains the price until the next one or the last day of the feed', async () => {
    const report = await runFiles(
      points([
        'acme,us,1,2026-01-05T10:00:00Z,10.00,USD',
        'acme,us,1,2026-01-08T09:00:00Z,9.00,USD',
        'acme,us,2,2026-01-08T12:00:00Z,5.00,USD',
        'acme,us,1,2026-01-10T09:00:00Z,8.00,USD',
      ]),
    )
    expect(await observationsOf(report)).toEqual([
      'acme us 1 uncategorized - 2026-01-05 36000 1000 - - -',
      'acme us 1 uncategorized - 2026-01-06 0 1000 - - -',
      'acme us 1 uncategorized - 2026-01-07 0 1000 - - -',
      'acme us 1 uncategorized - 2026-01-08 32400 900 - - -',
      'acme us 1 uncategorized - 2026-01-09 0 900 - - -',
      'acme us 1 uncategorized - 2026-01-10 32400 800 - - -',
      'acme us 2 uncategorized - 2026-01-08 43200 500 - - -',
      'acme us 2 uncategorized - 2026-01-09 0 500 - - -',
      'acme us 2 uncategorized - 2026-01-10 0 500 - - -',
    ])
    expect(report.files).toMatchObject([{ rows_read: 4, kept: 4 }])
    expect(report.carried).toBe(5)
  })

  test('remains the price for at most 400 days and adds nothing when it is repeated', async () => {
    const rows = ['acme,us,1,2024-01-01,10.00,USD', 'acme,us,2,2026-01-01,1.00,USD']
    const first = await runFiles(points(rows))
    expect(first.carried).toBe(400)
    const days = `SELECT max(day)::VARCHAR AS day FROM ${table(first, 'observations')} WHERE price = 1000`
    expect(await query(days)).toEqual([{ day: '2025-02-04' }])
    expect(await runFiles(points(rows), { lake: first.lake })).toMatchObject({ status: 'unchanged', carried: 0 })
  })
})
