import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { RefreshReport } from '../../ingest/report.ts'
import { isFullSize, sized } from '../support/full-size.ts'
import { query, refusedRows, run, single, table } from './feeds.ts'

const shared = new URL('../../../shared/data/', import.meta.url).pathname
const isThere = existsSync(shared)
if (!isThere) console.warn(`skipped: no real price data in ${shared}`)

type Report = RefreshReport & { lake: string }

/** A refresh of a real folder through its mapping, with the limits of a user. */
const refreshed = (name: string): Promise<Report> => {
  const mapping = new URL(`../../data/mappings/${name}.json`, import.meta.url).pathname
  return run(`${shared}${name}`, { mappings: [mapping], max_quarantine: 0.01, memory_limit: '1GiB', threads: 2 })
}

const holdsIdentity = async (report: Report): Promise<void> => {
  let kept = 0
  for (const file of report.files) {
    expect(file.rows_read).toBe(file.kept + file.duplicates.same_key + file.duplicates.same_day + refusedRows(file))
    if (file.feed === 'price_observations') kept += file.kept
  }
  expect(report.status).toBe('published')
  expect(await query(`SELECT count(*)::INTEGER AS kept FROM ${table(report, 'observations')}`)).toEqual([{ kept }])
}

/** Listings priced on both days, and the median of their changes in per cent, the plain and the 5 % trimmed mean, whatever TRIM_PERCENT is. */
const matched = (report: Report, first: string, last: string) =>
  query(`
    WITH pair AS (
      SELECT 100.0 * (after.price / before.price - 1) AS change
      FROM ${table(report, 'observations')} AS before JOIN ${table(report, 'observations')} AS after USING (country, listing_id)
      WHERE before.day = '${first}' AND after.day = '${last}'
    ),
    placed AS (
      SELECT change, row_number() OVER (ORDER BY change) AS place, count(*) OVER () AS pairs FROM pair
    )
    SELECT count(*)::INTEGER AS pairs, round(median(change), 4) AS median, round(avg(change), 1) AS mean,
      round(avg(change) FILTER (WHERE place > pairs // 20 AND place <= pairs - pairs // 20), 2) AS trimmed
    FROM placed`)

describe.skipIf(!isThere)('a refresh of real data with its mapping', () => {
  test.runIf(isFullSize)(
    'us_pcpp_monthly reads a catalogue without ids in which one row in four has a price',
    async () => {
      const report = await refreshed('us_pcpp_monthly')
      await holdsIdentity(report)
      expect(report.files).toMatchObject([
        { rows_read: 694_559, kept: 183_436, quarantined: { PRICE_MISSING: 508_174, PRICE_NOT_POSITIVE: 1 } },
      ])
      const [change] = await matched(report, '2023-07-10', '2024-05-14')
      expect(change).toMatchObject({ median: 0 })
      expect(change!.pairs).toBeGreaterThan(6_600)
      expect(change!.pairs).toBeLessThan(6_800)
      const priciest = `SELECT max(price) AS price FROM ${table(report, 'observations')}`
      expect(await query(priciest)).toEqual([{ price: 2_410_000 }])
    },
  )

  // test/cluster/equality.test.ts loads it, too.
  test.runIf(isFullSize)('us_tj_monthly reads four stores by month and a placeholder price', async () => {
    const report = await refreshed('us_tj_monthly')
    await holdsIdentity(report)
    expect(report.files).toMatchObject([{ rows_read: 158_833, kept: 158_833 }])
    expect(report.counts).toMatchObject({ retailers: 4 })
    const [change] = await matched(report, '2024-02-01', '2025-10-01')
    expect(change).toMatchObject({ median: 0, mean: 55, trimmed: 1.39 })
    expect(change!.pairs).toBeGreaterThan(7_500)
    expect(change!.pairs).toBeLessThan(7_600)
  })

  test('ca_bcl_pricelist keeps prices whose barcodes a spreadsheet has rounded, without the barcodes', async () => {
    const report = await refreshed('ca_bcl_pricelist')
    await holdsIdentity(report)
    expect(report.files.map(({ rows_read }) => rows_read)).toEqual([6_611, 8_467])
    const barcodes = `SELECT count(*) FILTER (gtin14 LIKE '%00000000_')::INTEGER AS rounded, count(gtin14)::INTEGER AS barcodes,
        count(*)::INTEGER AS listings, max(price) AS max_price FROM ${table(report, 'listings')}`
    const [counts] = await query(barcodes)
    expect(counts).toMatchObject({ rounded: 0, listings: 6_611 + 8_467 - 4_232 })
    expect(Number(counts!.barcodes)).toBeGreaterThan(7_600)
    const depths = `SELECT max(depth) AS depth, count(*)::INTEGER AS leaves FROM ${single(report, 'categories')} WHERE depth = 3`
    expect(await query(depths)).toMatchObject([{ depth: 3 }])
  })

  test('ca_hammer_items reads eight grocers with several scrapes a day', async () => {
    const report = await refreshed('ca_hammer_items')
    await holdsIdentity(report)
    expect(report.files).toMatchObject([{ rows_read: 42_840, quarantined: {} }])
    expect(report.counts).toMatchObject({ retailers: 8, listings: 371 })
    const placeholders = `SELECT count(*)::INTEGER AS count FROM ${single(report, 'brands')} WHERE brand_norm = ''`
    expect(await query(placeholders)).toEqual([{ count: 0 }])
  })

  test('us_aldi_catalog reads columns that are renamed from one day to the next', async () => {
    const report = await refreshed('us_aldi_catalog')
    await holdsIdentity(report)
    expect(report.files.map(({ rows_read }) => rows_read)).toEqual([7_816, 3_330])
    const days = `SELECT day::VARCHAR AS day, count(*)::INTEGER AS count FROM ${table(report, 'observations')} GROUP BY day ORDER BY day`
    expect(await query(days)).toEqual([
      { day: '2024-04-20', count: report.files[0]!.kept },
      { day: '2024-04-21', count: 3_330 },
    ])
    expect(
      await query(`SELECT count(*)::INTEGER AS named FROM ${table(report, 'listings')} WHERE brand IS NOT NULL`),
    ).not.toEqual([{ named: 0 }])
  })

  test('ca_bcl_panel reads several barcodes per listing, ratings, and stock as a count', async () => {
    const report = await refreshed('ca_bcl_panel')
    await holdsIdentity(report)
    expect(report.dropped_barcodes).toEqual({ bad_check_digit: 3 })
    const stock = `SELECT count(*) FILTER (NOT in_stock) > 0 AS some_out, count(*) FILTER (in_stock) > 0 AS some_in,
      max(star_rating) <= 5 AS rated FROM ${table(report, 'listings')}`
    expect(await query(stock)).toEqual([{ some_out: true, some_in: true, rated: true }])
  })

  test.each(['us_kroger_upc', ...sized([], ['ca_hammer_promo', 'ca_tracker_small'])])(
    '%s accounts for every row of its files',
    async (name) => {
      await holdsIdentity(await refreshed(name))
    },
  )
})
