import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import { csv, givenFiles, newFolder, query, run, runFiles, single } from '../feeds.ts'

const MONTHS = Array.from({ length: 24 }, (_, at) => ({
  year: 2023 + Math.floor(at / 12),
  month: String((at % 12) + 1).padStart(2, '0'),
  value: (4 + at / 16).toFixed(3),
}))

/** Checks a file, refreshes a lake of one price with the proposed mapping, and reads its figures. */
const figuresOf = async (name: string, text: string, constants: Record<string, string> = {}) => {
  const feeds = await givenFiles({ [name]: text })
  const checked = await check({ paths: [feeds] })
  const own = checked.mapping!.official_series!
  const path = join(await newFolder(), 'mapping.json')
  await writeFile(path, JSON.stringify({ official_series: { ...own, constants: { ...own.constants, ...constants } } }))
  const { lake } = await runFiles({ 'price_observations/a.csv': csv('acme,us,1,2026-01-05T10:00:00Z,10.00,USD') })
  const report = await run(feeds, { lake, mappings: [path], max_quarantine: 0.01 })
  expect(report.reasons).toEqual([])
  const figures = await query(
    `SELECT source, series, country, period::VARCHAR AS period, value::DOUBLE AS value, released_on::VARCHAR AS released_on, title, unit
     FROM ${single(report, 'official_figures')} ORDER BY series, period`,
  )
  return { checked, report, figures }
}

const assumed =
  'released_on: no column has the day of release; the last day of the next month is assumed. For another day, not before the release, edit "sql".'

test('a file of the Bureau of Labor Statistics is read with its months, without its annual averages', async () => {
  const lines = MONTHS.flatMap(({ year, month, value }) => [
    `APU0000717311    \t${year}\tM${month}\t       ${value}\t`,
    ...(month === '12' ? [`APU0000717311    \t${year}\tM13\t       ${value}\t`] : []),
  ])
  const text = `series_id        \tyear\tperiod\t       value\tfootnote_codes\n${lines.join('\n')}\n`
  const { checked, figures, report } = await figuresOf('ap.data.3.Food.txt', text)
  expect(checked.mapping).toMatchObject({
    official_series: { constants: { source: 'bls', country: 'us' }, max_quarantine: 0.1 },
  })
  expect(checked.decisions).toEqual([assumed])
  expect(checked.problems).toEqual([])
  expect(report.files).toMatchObject([{ rows_read: 26, kept: 24, quarantined: { PERIOD_INVALID: 2 } }])
  expect(figures).toHaveLength(24)
  expect(figures[12]).toEqual({
    source: 'bls',
    series: 'APU0000717311',
    country: 'us',
    period: '2024-01-01',
    value: 4.75,
    released_on: '2024-02-29',
    title: null,
    unit: null,
  })
})

test('a table of Statistics Canada is read by its vectors', async () => {
  const row = (month: string, product: string, vector: string, value: string) =>
    `"${month}","Canada","2021A000011124","${product}","Dollars","81","units ","0","${vector}","11.1","${value}","","","","2"`
  const lines = MONTHS.flatMap(({ year, month, value }) => [
    row(`${year}-${month}`, 'Ground coffee, 340 grams', 'v1353834271', value),
    row(`${year}-${month}`, 'Tea (20 bags)', 'v1353834272', year === 2023 && month === '01' ? '' : value),
  ])
  const heading =
    '"REF_DATE","GEO","DGUID","Products","UOM","UOM_ID","SCALAR_FACTOR","SCALAR_ID","VECTOR","COORDINATE","VALUE","STATUS","SYMBOL","TERMINATED","DECIMALS"'
  const { checked, figures } = await figuresOf('18100245.csv', `\ufeff${heading}\n${lines.join('\n')}\n`)
  expect(checked.mapping).toMatchObject({ official_series: { constants: { source: 'statcan', country: 'ca' } } })
  expect(checked.decisions).toEqual([assumed])
  expect(checked.problems).toEqual([])
  expect(figures).toHaveLength(47)
  expect(figures[0]).toEqual({
    source: 'statcan',
    series: 'v1353834271',
    country: 'ca',
    period: '2023-01-01',
    value: 4,
    released_on: '2023-02-28',
    title: 'Ground coffee, 340 grams, Canada',
    unit: 'Dollars',
  })
})

test('a list of figures with their days of release needs its office and country', async () => {
  const lines = MONTHS.map(({ year, month, value }) => `CPI01,${year}-${month},${value},${year + 1}-${month}-11`)
  const text = `series_id,period,value,release_date\n${lines.join('\n')}\n`
  const { checked, figures } = await figuresOf('cpi.csv', text, { source: 'statcan', country: 'ca' })
  expect(checked.decisions.map((decision) => decision.slice(0, decision.indexOf(':')))).toEqual(['source', 'country'])
  expect(figures[0]).toMatchObject({ series: 'CPI01', period: '2023-01-01', value: 4, released_on: '2024-01-11' })
})

test('the answer of the API of the Bureau of Labor Statistics is read by its series', async () => {
  const data = MONTHS.map(({ year, month, value }) => ({
    year: `${year}`,
    period: `M${month}`,
    value,
    footnotes: [{}],
  }))
  const series = ['APU0000717311', 'APU0000703112'].map((seriesID) => ({ seriesID, data }))
  const text = JSON.stringify({ status: 'REQUEST_SUCCEEDED', Results: { series } })
  const { figures } = await figuresOf('bls.json', text)
  expect(figures).toHaveLength(48)
  expect(figures[0]).toMatchObject({ source: 'bls', series: 'APU0000703112', period: '2023-01-01', value: 4 })
})
