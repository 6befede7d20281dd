import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withdraw } from '../../ingest/refresh.ts'
import { ask } from '../support/ask.ts'
import { openEngine } from '../support/given.ts'
import { csv, type Lake, query, runFiles, single } from './feeds.ts'

/** Listings of one shelf, as many as link two months. */
const LISTINGS = 10
const catalogue = {
  'product_catalogue/catalogue.csv': [
    'platform,country,listing_id,product_name,category_path',
    ...['acme', 'other'].flatMap((platform) =>
      Array.from({ length: LISTINGS }, (_, i) => `${platform},us,${i},Coffee ${i},Grocery > Coffee`),
    ),
  ].join('\n'),
}

/** Prices of a shop's listings on a day. */
const prices = (platform: string, day: string, priceOf: (i: number) => string) =>
  Array.from({ length: LISTINGS }, (_, i) => `${platform},us,${i},${day}T10:00:00Z,${priceOf(i)},USD`)
const file = (...lines: readonly string[][]) => ({ 'price_observations/a.csv': csv(...lines.flat()) })
const all = (price: string) => () => price

const publishedOf = (report: Lake, where = "method = 'geks_jevons' AND retailer IS NULL") =>
  query(`SELECT strftime(month, '%Y-%m') AS month, round(exp(log / 1e12), 4) AS index, listing_count, first_published
    FROM ${single(report, 'index_months')} WHERE category_path = 'grocery/coffee' AND ${where} ORDER BY month`)

const hasIndexes = ({ lake, snapshot_id }: Lake): boolean =>
  existsSync(join(lake, 'snapshots', snapshot_id!, 'index_months.parquet'))

const everyRow = (report: Lake) => query(`FROM ${single(report, 'index_months')} ORDER BY ALL`)

const indexOf = async ({ lake }: Lake, given: Record<string, string | number> = {}) => {
  const engine = await openEngine(lake)
  const { time_series } = await ask(
    engine,
    'analyst/price-index',
    { category: 'coffee', months: 6, ...given },
    '2026-06-15',
  )
  return (time_series as Record<string, unknown>[]).map(({ period, index, first_published, recomputed_index }) => ({
    period,
    index,
    first_published,
    recomputed_index,
  }))
}

describe('an index', () => {
  test('stays as it was published, whatever later refreshes bring, and each further month is appended', async () => {
    const first = await runFiles({
      ...catalogue,
      ...file(
        prices('acme', '2026-01-10', all('100.00')),
        prices('acme', '2026-02-10', all('110.00')),
        prices('acme', '2026-03-31', all('121.00')),
      ),
    })
    const id = first.snapshot_id
    const published = [
      { month: '2026-01', index: 1, listing_count: 10, first_published: id },
      { month: '2026-02', index: 1.1, listing_count: 10, first_published: id },
      { month: '2026-03', index: 1.21, listing_count: 10, first_published: id },
    ]
    expect(await publishedOf(first)).toEqual(published)
    const rows = await everyRow(first)

    // Half of the prices of February were twice as high: its index is 1.1 times the root of 2.
    const corrected = prices('acme', '2026-02-10', (i) => (i % 2 ? '110.00' : '220.00'))
    const second = await runFiles(file(corrected, prices('acme', '2026-04-30', all('133.10'))), {
      lake: first.lake,
      as_of: new Date('2026-05-20'),
    })
    expect(second.warnings).toEqual([expect.stringMatching(/^us: prices of 1 month up to 2026-02 changed/)])
    // The mean of 1 x 1.331, 1.1 x 1.331 / (1.1 x root of 2) and 1.21 x 1.1.
    const april = { month: '2026-04', index: 1.1858, listing_count: 10, first_published: second.snapshot_id }
    expect(await publishedOf(second)).toEqual([...published, april])
    expect(await everyRow(second)).toEqual(expect.arrayContaining(rows))

    // May is not over, and half of it is not published: what is appended to an answer is what would be now.
    const as_of = new Date('2026-05-21')
    const may = file(prices('acme', '2026-05-20', all('133.10')))
    const third = await runFiles(may, { lake: first.lake, as_of })
    expect(third.warnings).toEqual([])
    expect(await everyRow(third)).toEqual(await everyRow(second))
    expect(await indexOf(third)).toEqual([
      { period: '2025-12', index: null, first_published: null, recomputed_index: null },
      { period: '2026-01', index: 1, first_published: id, recomputed_index: 1 },
      { period: '2026-02', index: 1.1, first_published: id, recomputed_index: 1.5556 },
      { period: '2026-03', index: 1.21, first_published: id, recomputed_index: 1.21 },
      { period: '2026-04', index: 1.1858, first_published: second.snapshot_id, recomputed_index: 1.331 },
      { period: '2026-05', index: 1.1858, first_published: null, recomputed_index: 1.331 },
    ])

    const again = await runFiles(may, { lake: first.lake, as_of, reissue_indexes: true })
    expect(again.warnings).toEqual([])
    expect(
      (await publishedOf(again)).map(({ month, index, first_published }) => [month, index, first_published]),
    ).toEqual(
      [
        ['2026-01', 1],
        ['2026-02', 1.5556],
        ['2026-03', 1.21],
        ['2026-04', 1.331],
      ].map((row) => [...row, again.snapshot_id]),
    )
  })

  test('waits for a shop that has not been seen since a month ended, but no longer than a month', async () => {
    const acme = (...days: string[]) => days.map((day) => prices('acme', day, all('100.00')))
    const first = await runFiles(
      {
        ...catalogue,
        ...file(
          ...acme('2026-01-10', '2026-02-10', '2026-03-05'),
          prices('other', '2026-01-10', all('10.00')),
          prices('other', '2026-02-10', all('10.00')),
        ),
      },
      { as_of: new Date('2026-03-06') },
    )
    expect(hasIndexes(first)).toBe(false)
    const more = async (day: string) => {
      const report = await runFiles(file(...acme(day)), { lake: first.lake, as_of: new Date(`${day}T20:00:00Z`) })
      return hasIndexes(report) ? (await publishedOf(report)).map(({ month }) => month) : []
    }
    expect(await more('2026-03-31')).toEqual([])
    expect(await more('2026-04-01')).toEqual(['2026-01', '2026-02'])
  })

  test('of a shop leaves the lake with it, and that of all shops stays', async () => {
    const both = (day: string) => [prices('acme', day, all('100.00')), prices('other', day, all('10.00'))]
    const first = await runFiles({ ...catalogue, ...file(...['2026-01-10', '2026-02-10', '2026-03-10'].flatMap(both)) })
    const ofAll = await publishedOf(first)
    expect(ofAll.map(({ listing_count }) => listing_count)).toEqual([20, 20, 20])
    expect(await publishedOf(first, "method = 'tpd' AND retailer = 'other'")).toHaveLength(3)
    await withdraw({ lake: first.lake }, { platform: 'other' })
    const after = { ...first, snapshot_id: null, previous: (await openEngine(first.lake)).manifest.snapshot_id }
    expect(await publishedOf(after)).toEqual(ofAll)
    expect((await everyRow(after)).map(({ retailer }) => retailer)).not.toContain('other')
  })

  test('begins again after 25 months without a link', async () => {
    const acme = (days: readonly string[], price: string) => days.map((day) => prices('acme', day, all(price)))
    const early = await runFiles({
      ...catalogue,
      ...file(...acme(['2023-01-31', '2023-02-28', '2023-03-31'], '100.00')),
    })
    expect(await publishedOf(early)).toHaveLength(3)
    const filler = Array.from({ length: 30 }, (_, i) => new Date(Date.UTC(2023, 3 + i, 28)).toISOString().slice(0, 10))
    const late = await runFiles(
      file(
        ...acme(['2025-10-10', '2025-11-10', '2025-12-31'], '50.00'),
        filler.map((day) => `other,us,0,${day}T10:00:00Z,10.00,USD`),
      ),
      { lake: early.lake },
    )
    const rows = await query(`SELECT strftime(base_month, '%Y-%m') AS base, count(*)::INTEGER AS months
      FROM ${single(late, 'index_months')} WHERE retailer = 'acme' AND method = 'tpd' AND category_path = 'grocery'
      GROUP BY ALL ORDER BY ALL`)
    expect(rows).toEqual([
      { base: '2023-01', months: 3 },
      { base: '2025-10', months: 3 },
    ])
  })
})
