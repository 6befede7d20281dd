import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { csv, query, run, runFiles, single } from './feeds.ts'

const prices = { 'price_observations/a.csv': csv('acme,us,1,2026-01-05T10:00:00Z,10.00,USD') }
const HEADER = 'source,series,country,period,value,released_on,title,unit'
const official = (...lines: readonly string[]) => ({
  'official_series/figures.csv': `${[HEADER, ...lines].join('\n')}\n`,
})
const figures = (report: Parameters<typeof single>[0]) =>
  query(`SELECT * EXCLUDE (country, title, unit) FROM ${single(report, 'official_figures')}`)

describe('a lake', () => {
  test('keeps each figure that an office released of a month, and replaces one of the same day', async () => {
    const first = await runFiles({
      ...prices,
      ...official(
        'BLS,APU1,us,2026-01,4.5,2026-02-12,"Coffee, ground",USD per lb',
        'bls,APU1,us,2026-01-01,4.25,2026-03-12,"Coffee, ground",USD per lb',
        'bls,APU1,us,2026-02,4.75,2026-03-12,"Coffee, ground",USD per lb',
      ),
    })
    expect(first).toMatchObject({ status: 'published', counts: { official_figures: 3 }, quarantine: null })
    const kept = [
      { source: 'bls', series: 'APU1', period: '2026-01-01', released_on: '2026-02-12', value: '4.500000' },
      { source: 'bls', series: 'APU1', period: '2026-01-01', released_on: '2026-03-12', value: '4.250000' },
      { source: 'bls', series: 'APU1', period: '2026-02-01', released_on: '2026-03-12', value: '4.750000' },
    ]
    expect(await figures(first)).toEqual(kept)

    const corrected = official(
      'bls,APU1,us,2026-02,4.8,2026-03-12,,',
      'bls,APU1,us,2026-02,4.7,2026-03-12,,',
      'bls,APU1,us,2026-02,4.7,2026-03-12,,',
    )
    const second = await runFiles(corrected, { lake: first.lake })
    expect(second).toMatchObject({
      status: 'published',
      counts: { observations: 1, official_figures: 3 },
      files: [{ kept: 1, duplicates: { same_key: 2 } }],
    })
    expect(await figures(second)).toEqual([...kept.slice(0, 2), { ...kept[2], value: '4.700000' }])

    const more = { 'price_observations/b.csv': csv('acme,us,1,2026-02-05T10:00:00Z,11.00,USD') }
    expect(await figures(await runFiles(more, { lake: first.lake }))).toEqual(await figures(second))
    expect(await runFiles(corrected, { lake: first.lake })).toMatchObject({ status: 'unchanged' })
  })

  test('without official series has no table of them', async () => {
    const { status, counts } = await runFiles(prices)
    expect(status).toBe('published')
    expect(counts).not.toHaveProperty('official_figures')
  })

  test('is not made of official series alone', async () => {
    const report = await runFiles(official('bls,APU1,us,2026-01,4.5,2026-02-12,,'))
    expect(report).toMatchObject({ status: 'refused', reasons: [expect.stringContaining('no row is kept')] })
  })
})

test('a figure without a month, a value or a day of release after it is refused with its line', async () => {
  const report = await runFiles(
    {
      ...prices,
      ...official(
        'bls,APU1,us,2026-01,4.5,2026-02-12,,',
        '*,APU1,us,2026-01,4.5,2026-02-12,,',
        'bls,A PU,us,2026-01,4.5,2026-02-12,,',
        'bls,APU1,nowhere,2026-01,4.5,2026-02-12,,',
        'bls,APU1,us,2026-Q1,4.5,2026-02-12,,',
        'bls,APU1,us,2026-01-15,4.5,2026-02-12,,',
        'bls,APU1,us,2026-02,-,2026-03-12,,',
        'bls,APU1,us,2026-02,0,2026-03-12,,',
        'bls,APU1,us,2026-02,4.5,,,',
        'bls,APU1,us,2026-02,4.5,soon,,',
        'bls,APU1,us,2026-02,4.5,2026-01-31,,',
        'bls,APU1,us,2026-02,4.5,2026-03-12,,',
      ),
    },
    { as_of: new Date('2026-03-01T00:00:00Z') },
  )
  const refused = await query(
    `SELECT line, code, field, value FROM read_json('${report.quarantine}') WHERE file LIKE 'official%'`,
  )
  expect(refused.map(({ line, code, field, value }) => [Number(line), code, field, value])).toEqual([
    [3, 'SOURCE_INVALID', 'source', '*'],
    [4, 'SERIES_INVALID', 'series', 'A PU'],
    [5, 'COUNTRY_UNKNOWN', 'country', 'nowhere'],
    [6, 'PERIOD_INVALID', 'period', '2026-Q1'],
    [7, 'PERIOD_INVALID', 'period', '2026-01-15'],
    [8, 'VALUE_INVALID', 'value', '-'],
    [9, 'VALUE_INVALID', 'value', '0'],
    [10, 'RELEASED_ON_MISSING', 'released_on', null],
    [11, 'RELEASED_ON_INVALID', 'released_on', 'soon'],
    [12, 'RELEASED_BEFORE_PERIOD', 'released_on', '2026-01-31'],
    [13, 'RELEASED_IN_FUTURE', 'released_on', '2026-03-12'],
  ])
  expect(await figures(report)).toHaveLength(1)
})

test('a mapping names the columns and forms of an office, which no time zone moves', async () => {
  const mapping = {
    columns: { series: 'VECTOR', period: 'REF_DATE', value: 'VALUE', title: 'Products' },
    constants: { source: 'statcan', country: 'ca' },
    timestamp_format: ['%b %Y', '%Y-%m-%d'],
    timezone: 'Asia/Tokyo',
    name_pattern: 'released-(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)',
  }
  const report = await runFiles({
    ...prices,
    'official_series/feed.json': JSON.stringify(mapping),
    'official_series/released-2026-03-17.csv': 'REF_DATE,VECTOR,VALUE,Products\nFeb 2026,v41690973,165.4,All-items\n',
  })
  expect(await figures(report)).toEqual([
    { source: 'statcan', series: 'v41690973', period: '2026-02-01', released_on: '2026-03-17', value: '165.400000' },
  ])
})

const shared = new URL('../../../shared/data/us_bls_average', import.meta.url).pathname
const isThere = existsSync(shared)
if (!isThere) console.warn(`skipped: no official series in ${shared}`)

test.skipIf(!isThere)('us_bls_average reads 28 series, of which the newest month is not released yet', async () => {
  const mappings = [new URL('../../data/mappings/us_bls_average.json', import.meta.url).pathname]
  const { lake } = await runFiles(prices)
  const report = await run(shared, { lake, mappings, as_of: new Date('2026-08-18T14:00:00Z') })
  expect(report).toMatchObject({
    status: 'published',
    files: [{ rows_read: 1159, quarantined: { RELEASED_IN_FUTURE: 25 } }],
  })
  const coffee = `SELECT * FROM ${single(report, 'official_figures')} WHERE series = 'APU0000717311' ORDER BY period LIMIT 1`
  expect(await query(coffee)).toEqual([
    {
      source: 'bls',
      series: 'APU0000717311',
      country: 'us',
      period: '2023-01-01',
      released_on: '2023-02-28',
      value: '6.358000',
      title: 'Coffee, ground roast, U.S. city average',
      unit: 'USD per lb',
    },
  ])
})
