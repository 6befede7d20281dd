import { describe, expect, test } from 'vitest'
import { withdraw } from '../../ingest/refresh.ts'
import { csv, givenFiles, observationsOf, query, run, runFiles, table } from './feeds.ts'

const OPTIONS = { memory_limit: '512MiB' }

const row = (platform: string, listing: number, at: string, price = '10.00', country = 'us'): string =>
  `${platform},${country},${listing},${at},${price},${country === 'us' ? 'USD' : 'CAD'}`

/** Two retailers over a year's end; `bolt` has a listing of one month alone. */
const ROWS = [
  row('acme', 1, '2025-12-05', '1.00'),
  row('acme', 1, '2026-01-05', '2.00'),
  row('bolt', 1, '2025-12-05', '3.00'),
  row('bolt', 1, '2026-01-05', '4.00'),
  row('bolt', 1, '2026-02-05', '5.00'),
  row('bolt', 2, '2026-01-06', '6.00'),
  row('bolt', 1, '2026-01-05', '7.00', 'ca'),
]

/** What a lake holds that never had some rows. */
const observationsWithout = async (isGone: (line: string) => boolean): Promise<string[]> =>
  observationsOf(await runFiles({ 'price_observations/a.csv': csv(...ROWS.filter((line) => !isGone(line))) }))

describe('a withdrawal', () => {
  test('of a retailer gives the same lake as if its rows had never arrived', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    const report = await withdraw({ ...OPTIONS, lake }, { platform: 'bolt' })
    expect(report).toMatchObject({
      status: 'published',
      withdrawn: 5,
      counts: { observations: 2, listings: 1, retailers: 1 },
    })
    expect(await observationsOf({ ...report, lake })).toEqual([
      'acme us 1 uncategorized - 2025-12-05 0 100 - - -',
      'acme us 1 uncategorized - 2026-01-05 0 200 - - -',
    ])
    expect(await observationsOf({ ...report, lake })).toEqual(
      await observationsWithout((line) => line.startsWith('bolt')),
    )
  })

  test('of a country and some days keeps the other rows and finds the newest remaining prices', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    const report = await withdraw({ ...OPTIONS, lake }, { platform: 'bolt', country: 'us', from: '2026-01-01' })
    expect(await observationsOf({ ...report, lake })).toEqual([
      'acme us 1 uncategorized - 2025-12-05 0 100 - - -',
      'acme us 1 uncategorized - 2026-01-05 0 200 - - -',
      'bolt ca 1 uncategorized - 2026-01-05 0 700 - - -',
      'bolt us 1 uncategorized - 2025-12-05 0 300 - - -',
    ])
    const current = `SELECT product_id, price, first_day::VARCHAR AS first_day, last_day::VARCHAR AS last_day
      FROM ${table({ ...report, lake }, 'listings')} WHERE country = 'us' ORDER BY product_id, price`
    expect(await query(current)).toEqual([
      { product_id: '1', price: 200, first_day: '2025-12-05', last_day: '2026-01-05' },
      { product_id: '1', price: 300, first_day: '2025-12-05', last_day: '2025-12-05' },
    ])
    expect(await query(`SELECT count(*)::INTEGER AS days FROM ${table({ ...report, lake }, 'shelf_days')}`)).toEqual([
      { days: 4 },
    ])
  })

  test('of the middle of a listing keeps its earlier and later observations', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    const report = await withdraw({ ...OPTIONS, lake }, { platform: 'bolt', from: '2026-01-01', to: '2026-02-01' })
    expect(report).toMatchObject({ status: 'published', withdrawn: 3 })
    expect(await observationsOf({ ...report, lake })).toEqual(
      await observationsWithout((line) => /^bolt.*2026-01/.test(line)),
    )
  })

  test('of an unknown retailer is refused, and one of days without rows changes nothing', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    await expect(withdraw({ ...OPTIONS, lake }, { platform: 'nobody' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'the lake has no rows of nobody',
    })
    const none = await withdraw({ ...OPTIONS, lake }, { platform: 'bolt', to: '2020-01-01' })
    expect(none).toMatchObject({ status: 'unchanged', withdrawn: 0 })
  })

  test('of everything is refused', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv(row('acme', 1, '2026-01-05')) })
    expect(await withdraw({ ...OPTIONS, lake }, { platform: 'acme' })).toMatchObject({ status: 'refused' })
  })
})

describe('a delivery of whole months', () => {
  const whole = (...lines: string[]) => ({
    'price_observations/a.csv': csv(...lines),
    'price_observations/feed.json': '{"replaces": "month"}',
  })

  test('replaces exactly the rows of its retailers in its months', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    const report = await run(await givenFiles(whole(row('bolt', 1, '2026-01-20', '4.50'))), { lake })
    // Gone: both listings of January; listing 2 had no other month and goes whole. Canada and other months stay.
    expect(report).toMatchObject({ status: 'published', withdrawn: 2 })
    expect(await observationsOf(report)).toEqual([
      'acme us 1 uncategorized - 2025-12-05 0 100 - - -',
      'acme us 1 uncategorized - 2026-01-05 0 200 - - -',
      'bolt ca 1 uncategorized - 2026-01-05 0 700 - - -',
      'bolt us 1 uncategorized - 2025-12-05 0 300 - - -',
      'bolt us 1 uncategorized - 2026-01-20 0 450 - - -',
      'bolt us 1 uncategorized - 2026-02-05 0 500 - - -',
    ])
    expect(report.counts.listings).toBe(3)
  })

  test('changes nothing when repeated, and replaces even later rows of the lake', async () => {
    const { lake } = await runFiles({
      'price_observations/a.csv': csv(...ROWS, row('bolt', 1, '2026-01-20T12:00:00Z', '9.99')),
    })
    const feeds = await givenFiles(
      whole(row('bolt', 1, '2026-01-20T08:00:00Z', '4.50'), row('bolt', 2, '2026-01-06', '6.00')),
    )
    const first = await run(feeds, { lake })
    expect((await observationsOf(first)).filter((line) => /^bolt us.*2026-01/.test(line))).toEqual([
      'bolt us 1 uncategorized - 2026-01-20 28800 450 - - -',
      'bolt us 2 uncategorized - 2026-01-06 0 600 - - -',
    ])
    expect(await run(feeds, { lake })).toMatchObject({
      status: 'unchanged',
      withdrawn: 0,
      files: [{ kept: 0, duplicates: { same_key: 2 } }],
    })
  })

  test('may return the newest price to an earlier month', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv(...ROWS) })
    const feeds = await givenFiles(whole(row('bolt', 3, '2026-02-20', '1.00')))
    const report = await run(feeds, { lake })
    const current = `SELECT product_id, price, last_day::VARCHAR AS last_day FROM ${table(report, 'listings')}
      JOIN read_parquet('${report.lake}/snapshots/${report.snapshot_id}/retailers.parquet') USING (retailer_id)
      WHERE platform = 'bolt' AND country = 'us' ORDER BY product_id`
    expect(await query(current)).toEqual([
      { product_id: '1', price: 400, last_day: '2026-01-05' },
      { product_id: '2', price: 600, last_day: '2026-01-06' },
      { product_id: '3', price: 100, last_day: '2026-02-20' },
    ])
  })
})
