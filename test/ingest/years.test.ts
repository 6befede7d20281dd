import { stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { RefreshReport } from '../../ingest/report.ts'
import { sized } from '../support/full-size.ts'
import { query, runFiles, single, table } from './feeds.ts'

const HEADER = 'platform,country,listing_id,observed_at,price,list_price,promo_flag,in_stock,brand,category_path'
type Lake = RefreshReport & { lake: string }

const refreshed = (rows: readonly string[], lake?: string): Promise<Lake> =>
  runFiles({ 'price_observations/a.csv': [HEADER, ...rows, ''].join('\n') }, lake ? { lake } : {})

const line = `concat_ws(' ', country, product_id, path, platform, coalesce(brand_norm, '-'), period, roll_up.price,
  observation_count, coalesce(roll_up.in_stock::VARCHAR, '-'), promo)`
const named = (report: Lake) => `JOIN ${table(report, 'listings')} AS listing USING (country, category_id, listing_id)
  JOIN ${single(report, 'categories')} AS category USING (category_id)
  JOIN ${single(report, 'retailers')} AS retailer ON retailer.retailer_id = roll_up.retailer_id
  LEFT JOIN ${single(report, 'brands')} AS brand ON brand.brand_id = roll_up.brand_id`

const lines = async (sql: string): Promise<string[]> =>
  (await query(`${sql} ORDER BY line`)).map(({ line }) => String(line))

/** Every listing-month as a line: the same for lakes that know the same. */
const listingMonths = (report: Lake): Promise<string[]> =>
  lines(`SELECT ${line} AS line FROM ${table(report, 'listing_months')} AS roll_up ${named(report)}`)

/** The same worked out from the observations of the lake. */
const rolledUp = (report: Lake): Promise<string[]> =>
  lines(`SELECT ${line} AS line FROM (
    SELECT country, category_id, listing_id, retailer_id, brand_id, date_trunc('month', day)::DATE AS period,
      quantile_disc(price, 0.5) AS price, count(*) AS observation_count, arg_max_null(in_stock, day) AS in_stock,
      arg_max(coalesce(promo_flag OR list_price - price BETWEEN 0.05 * list_price AND 0.7 * list_price, promo_flag, false),
        day) AS promo
    FROM ${table(report, 'observations')} GROUP BY ALL
  ) AS roll_up ${named(report)}`)

const fileOf = ({ lake, snapshot_id }: Lake, country: string, year: number): string =>
  `${lake}/snapshots/${snapshot_id}/listing_months/country=${country}/year=${year}/part-0.parquet`

const inode = async (report: Lake, country: string, year: number): Promise<number> =>
  (await stat(fileOf(report, country, year))).ino

const daysFileOf = (report: Lake, country: string, year: number): string =>
  fileOf(report, country, year).replace('listing_months', 'listing_days').replace('part-0', 'block=0/part-0')

const DAY_COLUMNS =
  'country, listing_id, day, retailer_id, brand_id, price, list_price, promo_flag, in_stock, observed_second'

/** The rows of listing_days are those of the observations with their times, in files of their years. */
const expectDaysOfObservations = async (report: Lake): Promise<void> => {
  const days = await query(`SELECT ${DAY_COLUMNS} FROM ${table(report, 'listing_days')} ORDER BY ALL`)
  expect(days).toEqual(
    await query(`SELECT ${DAY_COLUMNS} FROM ${table(report, 'observations')} AS observation
      JOIN ${table(report, 'observation_times')} AS observation_time USING (country, month, listing_id, day) ORDER BY ALL`),
  )
  expect(days.length).toBeGreaterThan(0)
  const misplaced = `SELECT * FROM ${table(report, 'listing_days')} WHERE year <> strftime(day, '%Y') OR block <> '0'`
  expect(await query(misplaced)).toEqual([])
}

const ROWS = [
  'acme,us,mug,2025-11-30T10:00:00Z,10.00,12.00,,true,Kiln,Home > Mugs',
  'acme,us,mug,2025-12-31T23:59:59Z,10.50,,,true,Kiln,Home > Mugs',
  'acme,us,mug,2026-01-01T00:00:00Z,11.00,,,,Kiln,Home > Mugs',
  'acme,us,mug,2026-02-01T00:00:00Z,12.00,,true,false,Kiln,Home > Mugs',
  'acme,us,cup,2025-12-05T10:00:00Z,4.00,,,,,Home > Mugs',
  'acme,ca,mug,2025-12-05T10:00:00Z,14.00,,,,,Home > Mugs',
]
const MONTHS = [
  'ca mug home/mugs acme - 2025-12-01 1400 1 - false',
  'us cup home/mugs acme - 2025-12-01 400 1 - false',
  'us mug home/mugs acme kiln 2025-11-01 1000 1 true true',
  'us mug home/mugs acme kiln 2025-12-01 1050 1 true false',
  'us mug home/mugs acme kiln 2026-01-01 1100 1 - false',
  'us mug home/mugs acme kiln 2026-02-01 1200 1 false true',
]
const without = (text: string): string[] => MONTHS.filter((month) => !month.includes(text))

describe('the monthly roll-up of listings', () => {
  test('has one file per country and UTC year', async () => {
    const report = await refreshed(ROWS)
    expect(await listingMonths(report)).toEqual(MONTHS)
    const years = `SELECT DISTINCT country, year, year(period)::VARCHAR AS of_period FROM ${table(report, 'listing_months')}
      ORDER BY ALL`
    expect(await query(years)).toEqual([
      { country: 'ca', year: '2025', of_period: '2025' },
      { country: 'us', year: '2025', of_period: '2025' },
      { country: 'us', year: '2026', of_period: '2026' },
    ])
  })

  test('merges a month with new rows into its year and links the other years', async () => {
    const first = await refreshed(ROWS)
    const second = await refreshed(['acme,us,mug,2026-02-03,13.00,,,,Kiln,Home > Mugs'], first.lake)
    expect(await listingMonths(second)).toEqual([
      ...without('2026-02-01'),
      'us mug home/mugs acme kiln 2026-02-01 1200 2 - false',
    ])
    expect(await inode(second, 'us', 2026)).not.toBe(await inode(first, 'us', 2026))
    expect(await inode(second, 'us', 2025)).toBe(await inode(first, 'us', 2025))
    expect(await inode(second, 'ca', 2025)).toBe(await inode(first, 'ca', 2025))
    await expectDaysOfObservations(second)
    const daysInode = async (report: Lake, year: number) => (await stat(daysFileOf(report, 'us', year))).ino
    expect(await daysInode(second, 2026)).not.toBe(await daysInode(first, 2026))
    expect(await daysInode(second, 2025)).toBe(await daysInode(first, 2025))
  })

  test('is corrected for an older year by a late row, and the next year is linked', async () => {
    const first = await refreshed(ROWS)
    const second = await refreshed(['acme,us,mug,2025-11-30T12:00:00Z,9.00,,,,Kiln,Home > Mugs'], first.lake)
    expect(await listingMonths(second)).toEqual(
      [...without('2025-11-01'), 'us mug home/mugs acme kiln 2025-11-01 900 1 - false'].sort(),
    )
    expect(await inode(second, 'us', 2026)).toBe(await inode(first, 'us', 2026))
  })

  test('has a new file for a new year', async () => {
    const first = await refreshed(ROWS)
    const second = await refreshed(['acme,ca,mug,2026-01-03,13.00,,,,,Home > Mugs'], first.lake)
    expect(await listingMonths(second)).toEqual([...MONTHS, 'ca mug home/mugs acme - 2026-01-01 1300 1 - false'].sort())
    expect(await inode(second, 'ca', 2025)).toBe(await inode(first, 'ca', 2025))
  })

  test('moves with a listing that changes its category in every year', async () => {
    const first = await refreshed(ROWS)
    const second = await refreshed(['acme,us,mug,2026-03-01,11.00,,,,Kiln,Garden > Pots'], first.lake)
    expect(await listingMonths(second)).toEqual(
      [
        ...MONTHS.map((month) => month.replace('us mug home/mugs', 'us mug garden/pots')),
        'us mug garden/pots acme kiln 2026-03-01 1100 1 - false',
      ].sort(),
    )
  })
})

const month = (name: string, n: number): string[] =>
  Array.from({ length: 200 }, (_, i) => {
    const [listing, day] = [i % 60, 10 + ((i * 7) % 19)]
    const [price, list] = [10 + ((i * 37 + n) % 90), i % 3 === 0 ? 120 : '']
    const flags = `${['', 'true', 'false'][(i + n) % 3]},${['true', '', 'false'][(i * n) % 3]}`
    const [brand, shelf] = [`Brand ${(listing + n) % 6}`, `Home > Shelf ${(listing * n) % 5}`]
    return `acme,${listing % 4 ? 'us' : 'ca'},${listing},${name}-${day},${price}.50,${list},${flags},${brand},${shelf}`
  })
const names = sized(['2025-12', '2026-01', '2026-02'], ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03'])
const months = names.map((name, index) => month(name, index + 1))

test('the monthly roll-up equals that of the observations, whether months arrive one by one or all at once', async () => {
  const [newest, ...others] = sized([2, 0, 1], [3, 0, 4, 2, 1])
  let stepwise = await refreshed(months[newest!]!)
  for (const at of others) stepwise = await refreshed(months[at]!, stepwise.lake)
  const atOnce = await refreshed(months.flat())
  expect(await listingMonths(atOnce)).toEqual(await rolledUp(atOnce))
  expect(await listingMonths(stepwise)).toEqual(await listingMonths(atOnce))
  const shelfDays = (report: Lake) =>
    query(`SELECT country, path, day, observation_count, first_second, last_second
      FROM ${table(report, 'shelf_days')} JOIN ${single(report, 'categories')} USING (category_id) ORDER BY ALL`)
  expect(await shelfDays(stepwise)).toEqual(await shelfDays(atOnce))
  for (const report of [stepwise, atOnce]) await expectDaysOfObservations(report)
})

/** What shelf_months and department_days repeat, from the other tables. */
const ofShelves = (report: Lake) => {
  const [days, listings] = [table(report, 'shelf_days'), table(report, 'listings')]
  const root = `(SELECT min(category_id) FROM ${single(report, 'categories')} AS c WHERE c.path = split_part(shelf.path, '/', 1))`
  return {
    shelf_months: `SELECT category_id, retailer_id, date_trunc('month', day)::DATE AS period,
        min(day + to_seconds(first_second)) AS first_observed_at, max(day + to_seconds(last_second)) AS last_observed_at, country
      FROM ${days} GROUP BY ALL ORDER BY ALL`,
    department_days: `SELECT category_id, retailer_id, day, sum(started)::INTEGER AS started_count, sum(ended)::INTEGER AS ended_count,
        sum(n)::INTEGER AS observation_count, max(last_second) AS last_second, country
      FROM (
        SELECT ${root} AS category_id, retailer_id, day, 0 AS started, 0 AS ended, observation_count AS n, last_second, country
        FROM ${days} JOIN ${single(report, 'categories')} AS shelf USING (category_id)
        UNION ALL SELECT ${root}, retailer_id, unnest([first_day, last_day]), unnest([1, 0]), unnest([0, 1]), 0, NULL, country
        FROM ${listings} JOIN ${single(report, 'categories')} AS shelf USING (category_id) WHERE first_day IS NOT NULL
      ) GROUP BY ALL ORDER BY ALL`,
  }
}

test('months of shelves and days of departments are those of the shelf days and listings', async () => {
  const [newest, ...others] = sized([2, 0, 1], [3, 0, 4, 2, 1])
  let report = await refreshed(months[newest!]!)
  for (const at of others) report = await refreshed(months[at]!, report.lake)
  for (const [name, expected] of Object.entries(ofShelves(report))) {
    const rows = await query(`SELECT * FROM ${table(report, name)} ORDER BY ALL`)
    expect(rows.length).toBeGreaterThan(2)
    expect(rows).toEqual(await query(expected))
  }
})

test('the files of roll-ups are sorted by their keys', async () => {
  const report = await refreshed(months.flat())
  const inOrder = async (path: string, key: string) => {
    const rows = `SELECT ${key} FROM read_parquet('${path}')`
    expect(await query(rows)).toEqual(await query(`${rows} ORDER BY ALL`))
  }
  await inOrder(fileOf(report, 'us', 2025), 'category_id, listing_id, period')
  const shelves = `${report.lake}/snapshots/${report.snapshot_id}/shelf_days/country=us/part-0.parquet`
  await inOrder(shelves, 'category_id, retailer_id, day')
  await inOrder(shelves.replace('shelf_days', 'shelf_months'), 'category_id, retailer_id, period')
  await inOrder(shelves.replace('shelf_days', 'department_days'), 'category_id, retailer_id, day')
  await inOrder(daysFileOf(report, 'us', 2025), 'listing_id, day')
})
