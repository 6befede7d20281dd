import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readManifest, snapshotFolder, verifySnapshot } from '../../engine/index.ts'
import { sized } from '../support/full-size.ts'
import { csv, givenFiles, newFolder, observationsOf, query, run, runFiles, single, table } from './feeds.ts'

const HEADER =
  'platform,country,listing_id,observed_at,price,list_price,promo_flag,in_stock,product_name,brand,category_path'
const ROWS = [
  'acme,us,1,2026-01-05T10:00:00Z,10.00,12.00,true,true,Red Mug,Kiln,Home > Mugs',
  'acme,us,1,2026-02-05T10:00:00Z,10.50,,false,false,Red Mug,Kiln,Home > Mugs',
  'acme,us,2,2026-01-05T11:30:15Z,3.99,,,true,"Blue Mug, large",KILN,Home > Mugs',
  'bolt,ca,x-7,2026-01-06T00:00:00Z,899.99,1099.99,true,true,Lamp,n/a,Home > Lamps & Accessories',
  'bolt,ca,x-7,2026-02-28T23:59:59Z,899.00,1099.99,true,,Lamp,n/a,Home > Lamps & Accessories',
]
const wide = (rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`

const OBSERVATIONS = [
  'acme us 1 home/mugs kiln 2026-01-05 36000 1000 1200 true true',
  'acme us 1 home/mugs kiln 2026-02-05 36000 1050 - false false',
  'acme us 2 home/mugs kiln 2026-01-05 41415 399 - - true',
  'bolt ca x-7 home/lamps-and-accessories - 2026-01-06 0 89999 109999 true true',
  'bolt ca x-7 home/lamps-and-accessories - 2026-02-28 86399 89900 109999 true -',
]

const base32 = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .match(/.{5}/g)!
    .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits, 2)])
    .join('')

describe('a new lake', () => {
  test('has every row with its category, brand and day', async () => {
    const report = await runFiles({ 'price_observations/a.csv': wide(ROWS) })
    expect(report).toMatchObject({ status: 'published', previous: null, quarantine: null, reasons: [] })
    expect(report.files).toMatchObject([{ rows_read: 5, kept: 5, duplicates: { same_key: 0, same_day: 0 } }])
    expect(report.counts).toMatchObject({ observations: 5, listings: 3, categories: 3, brands: 1, retailers: 2 })
    expect(await observationsOf(report)).toEqual(OBSERVATIONS)
  })

  test('has the newest observation of each listing and a permanent uid', async () => {
    const report = await runFiles({ 'price_observations/a.csv': wide(ROWS) })
    const uid = (key: string) => `p_${base32(createHash('sha256').update(key).digest().subarray(0, 10))}`
    const listings = `SELECT * REPLACE (observed_at::VARCHAR AS observed_at) FROM ${table(report, 'listings')} ORDER BY product_id`
    expect(await query(listings)).toMatchObject([
      {
        product_uid: uid('acme|us|1'),
        product_id: '1',
        product_name: 'Red Mug',
        brand: 'KILN',
        condition: 'new',
        price: 1050,
        list_price: null,
        in_stock: false,
        observed_at: '2026-02-05 10:00:00',
        first_day: '2026-01-05',
        last_day: '2026-02-05',
      },
      {
        product_uid: uid('acme|us|2'),
        product_name: 'Blue Mug, large',
        price: 399,
        promo_flag: null,
        entity_uid: expect.stringMatching(/^e_[A-Z2-7]{16}$/),
      },
      { product_uid: uid('bolt|ca|x-7'), brand: null, brand_id: null, price: 89900, in_stock: null, gtin14: null },
    ])
  })

  test('has the monthly and daily roll-ups of its observations', async () => {
    const report = await runFiles({
      'price_observations/a.csv': csv(
        'acme,us,1,2026-01-05,9.00,USD',
        'acme,us,1,2026-01-06,8.00,USD',
        'acme,us,1,2026-01-07T06:00:00Z,7.00,USD',
        'acme,us,1,2026-01-09,6.00,USD',
        'acme,us,2,2026-01-07T05:00:00Z,1.00,USD',
      ),
    })
    const months = `SELECT product_id, period, listing_month.price, observation_count, promo
      FROM ${table(report, 'listing_months')} AS listing_month JOIN ${table(report, 'listings')} AS listing USING (listing_id)
      ORDER BY product_id`
    // Of an even number of days the lower middle: 6, 7, 8, 9.
    expect(await query(months)).toEqual([
      { product_id: '1', period: '2026-01-01', price: 700, observation_count: 4, promo: false },
      { product_id: '2', period: '2026-01-01', price: 100, observation_count: 1, promo: false },
    ])
    const shelves = `SELECT day, observation_count, first_second, last_second FROM ${table(report, 'shelf_days')} WHERE day = '2026-01-07'`
    expect(await query(shelves)).toEqual([
      { day: '2026-01-07', observation_count: 2, first_second: 18000, last_second: 21600 },
    ])
  })

  const flags: [flag: string, price: string, list: string, promo: boolean][] = [
    ['', '10.00', '', false],
    ['true', '10.00', '', true],
    ['false', '10.00', '', false],
    ['', '95.00', '100.00', true],
    ['', '95.01', '100.00', false],
    ['', '30.00', '100.00', true],
    ['', '29.99', '100.00', false],
    ['false', '50.00', '100.00', true],
  ]
  test.each(flags)('with promo_flag %s, price %s and list price %s has promo %s', async (...stated) => {
    // All of them are in one lake, each as a listing.
    const rows = flags.map(([flag, price, list], i) => `acme,us,${i},2026-01-05,${price},${list},${flag}\n`)
    const report = await runFiles({
      'price_observations/a.csv': `platform,country,listing_id,observed_at,price,list_price,promo_flag\n${rows.join('')}`,
    })
    const i = flags.findIndex((row) => isDeepStrictEqual(row, stated))
    const promo = `SELECT promo FROM ${table(report, 'listing_months')} JOIN ${table(report, 'listings')} USING (listing_id)
      WHERE product_id = '${i}'`
    expect(await query(promo)).toEqual([{ promo: stated[3] }])
  })

  test('has files sorted by key, compressed with zstd, and a sound manifest', async () => {
    const report = await runFiles({ 'price_observations/a.csv': wide(ROWS) })
    const manifest = await readManifest(report.lake, report.snapshot_id!)
    await verifySnapshot(report.lake, manifest)
    expect(manifest).toMatchObject({ observed_from: '2026-01-05T10:00:00Z', observed_to: '2026-02-28T23:59:59Z' })
    const files = manifest.files.map(({ path }) => path)
    expect(files.filter((path) => path.startsWith('observations/'))).toEqual([
      'observations/country=ca/month=2026-01/part-0.parquet',
      'observations/country=ca/month=2026-02/part-0.parquet',
      'observations/country=us/month=2026-01/part-0.parquet',
      'observations/country=us/month=2026-02/part-0.parquet',
    ])
    const folder = snapshotFolder(report.lake, manifest.snapshot_id)
    const codecs = `SELECT DISTINCT compression FROM parquet_metadata('${folder}/**/*.parquet')`
    expect(await query(codecs)).toEqual([{ compression: 'ZSTD' }])
    const keys = `SELECT category_id, listing_id, day FROM read_parquet('${folder}/observations/country=us/month=2026-01/*.parquet')`
    expect(await query(keys)).toEqual(await query(`${keys} ORDER BY ALL`))
    expect(await readdir(join(report.lake, 'staging'))).toEqual([])
  })
})

describe('refreshing with the same feeds', () => {
  test('changes nothing and counts every row as a duplicate', async () => {
    const feeds = await givenFiles({ 'price_observations/a.csv': wide(ROWS) })
    const first = await run(feeds)
    const second = await run(feeds, { lake: first.lake })
    expect(second).toMatchObject({ status: 'unchanged', snapshot_id: null, previous: first.snapshot_id })
    expect(second.digest).toBe(first.digest)
    expect(second.files).toMatchObject([{ rows_read: 5, kept: 0, duplicates: { same_key: 5, same_day: 0 } }])
    expect(await readdir(join(first.lake, 'snapshots'))).toEqual([first.snapshot_id])
  })

  test('gives the same snapshot in any order, split into files or with one thread', async () => {
    const rows = Array.from(
      { length: 600 },
      (_, i) =>
        `acme,${i % 3 ? 'us' : 'ca'},${i % 41},2026-0${(i % 3) + 1}-${String((i % 17) + 10)}T${String(i % 24).padStart(2, '0')}:00:00Z,` +
        `${(i * 37) % 900}.${10 + (i % 90)},,,,Thing ${i % 5},${['Kiln', 'KILN', 'Ash', ''][i % 4]},Home > Shelf ${i % 7}`,
    )
    const shuffled = rows.toSorted(
      (a, b) => ((a.length * 31 + a.charCodeAt(12)) % 7) - ((b.length * 31 + b.charCodeAt(12)) % 7) || (a > b ? -1 : 1),
    )
    const whole = await runFiles({ 'price_observations/a.csv': wide(rows) }, { threads: 2 })
    const mixed = await runFiles({ 'price_observations/a.csv': wide(shuffled) }, { threads: 1 })
    const split = await runFiles({
      'price_observations/b/1.csv': wide(shuffled.slice(0, 217)),
      'price_observations/b/2.csv': wide(shuffled.slice(217)),
    })
    expect(mixed.snapshot_id).toBe(whole.snapshot_id)
    expect(split.snapshot_id).toBe(whole.snapshot_id)
    expect(whole.snapshot_id).toBe(`000001-${whole.digest?.slice(0, 8)}`)
  })
})

describe('a second refresh', () => {
  test('adds late rows to their month and links the other months', async () => {
    const first = await runFiles({ 'price_observations/a.csv': wide(ROWS) })
    const late = 'acme,us,2,2026-01-20T00:00:00Z,4.49,,,true,"Blue Mug, large",KILN,Home > Mugs'
    const second = await runFiles({ 'price_observations/late.csv': wide([late]) }, { lake: first.lake })
    expect(second.status).toBe('published')
    expect(await observationsOf(second)).toEqual(
      [...OBSERVATIONS, 'acme us 2 home/mugs kiln 2026-01-20 0 449 - - true'].sort(),
    )
    const inode = async ({ snapshot_id }: typeof second, month: string) =>
      (await stat(`${first.lake}/snapshots/${snapshot_id}/observations/country=us/month=${month}/part-0.parquet`)).ino
    expect(await inode(second, '2026-02')).toBe(await inode(first, '2026-02'))
    expect(await inode(second, '2026-01')).not.toBe(await inode(first, '2026-01'))
    const prices = `SELECT price FROM ${table(second, 'listings')} WHERE product_id = '2'`
    expect(await query(prices)).toEqual([{ price: 449 }])
  })

  test('moves every month of a listing that changes its category, and keeps attributes that it does not have', async () => {
    const first = await runFiles({ 'price_observations/a.csv': wide(ROWS) })
    const moved = 'acme,us,1,2026-03-01T00:00:00Z,11.00,,,,,,Garden > Pots'
    const second = await runFiles({ 'price_observations/b.csv': wide([moved]) }, { lake: first.lake })
    const lines = await observationsOf(second)
    expect(lines.filter((line) => line.startsWith('acme us 1 '))).toEqual([
      'acme us 1 garden/pots kiln 2026-01-05 36000 1000 1200 true true',
      'acme us 1 garden/pots kiln 2026-02-05 36000 1050 - false false',
      'acme us 1 garden/pots kiln 2026-03-01 0 1100 - - -',
    ])
    expect(lines).toHaveLength(6)
    const shelves = `SELECT path, sum(observation_count)::INTEGER AS observations FROM ${table(second, 'shelf_days')}
      JOIN ${single(second, 'categories')} USING (category_id) GROUP BY path ORDER BY path`
    expect(await query(shelves)).toEqual([
      { path: 'garden/pots', observations: 3 },
      { path: 'home/lamps-and-accessories', observations: 2 },
      { path: 'home/mugs', observations: 1 },
    ])
  })

  test('keeps the last price of a day, and the lower of two at the same second', async () => {
    const before = [1, 2, 3, 4].map((listing) => `acme,us,${listing},2026-01-05T10:00:00Z,10.00,USD`)
    const first = await runFiles({ 'price_observations/a.csv': csv(...before) })
    const after = csv(
      'acme,us,1,2026-01-05T18:00:00Z,5.00,USD',
      'acme,us,2,2026-01-05T09:00:00Z,5.00,USD',
      'acme,us,3,2026-01-05T10:00:00Z,5.00,USD',
      'acme,us,4,2026-01-05T10:00:00Z,10.00,USD',
    )
    const second = await runFiles({ 'price_observations/b.csv': after }, { lake: first.lake })
    expect(await observationsOf(second)).toEqual([
      'acme us 1 uncategorized - 2026-01-05 64800 500 - - -',
      'acme us 2 uncategorized - 2026-01-05 36000 1000 - - -',
      'acme us 3 uncategorized - 2026-01-05 36000 500 - - -',
      'acme us 4 uncategorized - 2026-01-05 36000 1000 - - -',
    ])
    const prices = `SELECT product_id, price FROM ${table(second, 'listings')} ORDER BY product_id`
    expect(await query(prices)).toEqual([
      { product_id: '1', price: 500 },
      { product_id: '2', price: 1000 },
      { product_id: '3', price: 500 },
      { product_id: '4', price: 1000 },
    ])
  })

  test('of several months one by one gives the same lake as one refresh of all', async () => {
    const month = (n: number) =>
      wide(
        Array.from(
          { length: 40 },
          (_, i) =>
            `acme,us,${i},2026-0${n}-${10 + (i % 12)}T08:00:00Z,${10 + i}.${10 + n},,,true,Thing ${i},Brand ${(i + n) % 6},Home > Shelf ${(i * n) % 5}`,
        ),
      )
    const lake = join(await newFolder(), 'lake')
    let stepwise = await runFiles({ 'price_observations/1.csv': month(1) }, { lake })
    for (const n of sized([3, 2], [3, 2, 5, 4]))
      stepwise = await runFiles({ [`price_observations/${n}.csv`]: month(n) }, { lake })
    const atOnce = await runFiles(
      Object.fromEntries(sized([1, 2, 3], [1, 2, 3, 4, 5]).map((n) => [`price_observations/${n}.csv`, month(n)])),
    )
    expect(await observationsOf(stepwise)).toEqual(await observationsOf(atOnce))
    expect(stepwise.counts).toEqual(atOnce.counts)
    const contentsOf = (report: typeof atOnce) =>
      query(
        `SELECT * EXCLUDE (listing_id, retailer_id, brand_id) FROM ${table(report, 'listings')} ORDER BY product_uid`,
      )
    expect(await contentsOf(stepwise)).toEqual(await contentsOf(atOnce))
  })

  test('keeps the newest name of a listing, in whatever order names arrive', async () => {
    const said = (name: string, day: string) => wide([`acme,us,1,2026-01-${day}T00:00:00Z,1.00,,,,${name},,`])
    const first = await runFiles({ 'price_observations/a.csv': said('Newer', '20') })
    const older = await runFiles({ 'price_observations/b.csv': said('Older', '10') }, { lake: first.lake })
    const names = (report: typeof first) => query(`SELECT product_name FROM ${table(report, 'listings')}`)
    expect(await names(older)).toEqual([{ product_name: 'Newer' }])
    const newest = await runFiles({ 'price_observations/c.csv': said('Newest', '30') }, { lake: first.lake })
    expect(await names(newest)).toEqual([{ product_name: 'Newest' }])
  })
})
