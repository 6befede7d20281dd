import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { guessNameDate, guessNameYear } from '../../../ingest/check/columns/name-dates.ts'
import { guessTimes } from '../../../ingest/check/columns/times.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

/** The time that DuckDB makes of a text: by a cast, by the first form that fits, or by an expression over `?`. */
const read = async (value: string, { formats, isNative, epoch }: ReturnType<typeof guessTimes>): Promise<string> => {
  const texts = formats.map((format) => `'${format}'`).join(', ')
  const parsed = isNative ? '$1::VARCHAR::TIMESTAMP' : `try_strptime($1::VARCHAR, [${texts}])`
  const sql = epoch === null ? parsed : epoch.replace('?', '$1::VARCHAR')
  return String((await connection.runAndReadAll(`SELECT (${sql})::VARCHAR`, [value])).getRows()[0]![0])
}

describe('the form of a column of times', () => {
  test.each<[values: string[], formats: string[], first: string]>([
    [['2024-01-02', '2024-02-03'], [], '2024-01-02 00:00:00'],
    [['2024-06-27 09:18:00'], [], '2024-06-27 09:18:00'],
    [['2024-06-27 09:18'], [], '2024-06-27 09:18:00'],
    [['2026-02-04T04:31:26.576235'], [], '2026-02-04 04:31:26.576235'],
    [['2024-06-27T09:18:00Z'], [], '2024-06-27 09:18:00'],
    [['2024-13-02', '2024-14-03'], ['%Y-%d-%m'], '2024-02-13 00:00:00'],
    [['2024/01/02'], ['%Y/%m/%d'], '2024-01-02 00:00:00'],
    [['2024-02', '2024-03'], ['%Y-%m'], '2024-02-01 00:00:00'],
    [['02/2024'], ['%m/%Y'], '2024-02-01 00:00:00'],
    [['20240131'], ['%Y%m%d'], '2024-01-31 00:00:00'],
    [['202401'], ['%Y%m'], '2024-01-01 00:00:00'],
    [['17.14.11', '18.20.01'], ['%y.%d.%m'], '2017-11-14 00:00:00'],
    [['31.12.2024'], ['%d.%m.%Y'], '2024-12-31 00:00:00'],
    [['31.12.2024.', '1.3.2024.'], ['%d.%m.%Y.'], '2024-12-31 00:00:00'],
    [['Mon, 01 Jan 2024 10:05:00 GMT'], ['%a, %d %b %Y %H:%M:%S GMT'], '2024-01-01 10:05:00'],
    [['Wednesday 31 Jan 2024'], ['%A %d %b %Y'], '2024-01-31 00:00:00'],
    [['2024年1月31日'], ['%Y年%m月%d日'], '2024-01-31 00:00:00'],
    [['2024년 1월 5일'], ['%Y년 %m월 %d일'], '2024-01-05 00:00:00'],
    [['03/28/2022 23:30:02'], ['%m/%d/%Y %H:%M:%S'], '2022-03-28 23:30:02'],
    [['3/28/2022 1:05 PM'], ['%m/%d/%Y %I:%M %p'], '2022-03-28 13:05:00'],
    [['31/03/22'], ['%d/%m/%y'], '2022-03-31 00:00:00'],
    [['28 Feb 2024', '1 Mar 2024'], ['%d %b %Y'], '2024-02-28 00:00:00'],
    [['February 28, 2024'], ['%B %d, %Y'], '2024-02-28 00:00:00'],
    [['28-Feb-24'], ['%d-%b-%y'], '2024-02-28 00:00:00'],
    [['Feb 2024'], ['%b %Y'], '2024-02-01 00:00:00'],
    [['Jan 26', 'Feb 26', 'Mar 26'], ['%b %y'], '2026-01-01 00:00:00'],
    [['2024_03_28'], ['%Y_%m_%d'], '2024-03-28 00:00:00'],
    [['2025-09-17', '25-09-16'], ['%Y-%m-%d', '%y-%m-%d'], '2025-09-17 00:00:00'],
    [['28/03/2022 23:30:02.500'], ['%d/%m/%Y %H:%M:%S.%f'], '2022-03-28 23:30:02.5'],
    [['28.02.2024', '2024-03-01', 'Mar 2, 2024'], ['%d.%m.%Y', '%Y-%m-%d', '%b %d, %Y'], '2024-02-28 00:00:00'],
    [['1735689600'], [], '2025-01-01 00:00:00'],
    [['1735689600000'], [], '2025-01-01 00:00:00'],
    [['45658'], [], '2025-01-01 00:00:00'],
    [['01/01/2024', '02/02/2024'], ['%d/%m/%Y'], '2024-01-01 00:00:00'],
  ])('is recognised from %s', async (values, formats, first) => {
    const form = guessTimes(values)
    expect(form).toMatchObject({ share: 1, ...(values.includes('25-09-16') ? {} : { alternatives: [] }) })
    if (form.epoch === null) expect(form.isNative ? [] : form.formats).toEqual(formats)
    for (const value of values) expect(await read(value, form)).not.toBe('null')
    expect(await read(values[0]!, form)).toBe(first)
  })

  test.each<[values: string[], formats: string[], alternatives: string[]]>([
    [['03/04/2024', '05/06/2024'], ['%d/%m/%Y'], ['%m/%d/%Y']],
    [['3/4/2024 10:00:00'], ['%d/%m/%Y %H:%M:%S'], ['%m/%d/%Y %H:%M:%S']],
    [['01.09', '02.10'], ['%d.%m'], []],
    [['10-11-12'], ['%d-%m-%y'], ['%m-%d-%y', '%y-%m-%d', '%y-%d-%m']],
  ])('is ambiguous for %s', (values, formats, alternatives) => {
    expect(guessTimes(values)).toMatchObject({ formats, alternatives })
  })

  test('is decided for every value by one unambiguous date', () => {
    expect(guessTimes(['03/04/2024', '25/06/2024'])).toMatchObject({ formats: ['%d/%m/%Y'], alternatives: [] })
    expect(guessTimes(['03/04/2024', '06/25/2024 10:00'])).toMatchObject({
      formats: ['%m/%d/%Y', '%m/%d/%Y %H:%M'],
      alternatives: [],
    })
    // The order of ISO dates says nothing of the others.
    expect(guessTimes(['03/04/2024', '2024-05-06']).alternatives).toEqual(['%m/%d/%Y'])
  })

  test('has flags for a missing year, time of day or zone', () => {
    expect(guessTimes(['13.09', '14.09'])).toMatchObject({ formats: ['%d.%m'], hasYear: false })
    expect(guessTimes(['2024-06-27 09:18:00'])).toMatchObject({ hasTime: true, hasZone: false })
    expect(guessTimes(['2024-06-27 09:18:00+00'])).toMatchObject({ hasTime: true, hasZone: true })
    expect(guessTimes(['2024-06-27'])).toMatchObject({ hasTime: false })
    expect(guessTimes(['2024-06-27 09:18:00'], 'TIMESTAMP')).toMatchObject({ isNative: true, hasZone: false })
    expect(guessTimes(['2024-06-27 09:18:00+00'], 'TIMESTAMP WITH TIME ZONE')).toMatchObject({ hasZone: true })
    expect(guessTimes(['2024-06-27'], 'DATE')).toMatchObject({ hasTime: false, share: 1 })
  })

  test('is not found in texts that are not times', () => {
    expect(guessTimes(['apple', '12 pack', '$3.99']).share).toBe(0)
    expect(guessTimes(['2024-02-30', '2024-02-31']).share).toBe(0)
    expect(guessTimes([]).share).toBe(0)
  })
})

describe('the date in the names of files', () => {
  const stated = (path: string): Record<string, string> => {
    const { pattern } = guessNameDate([path])!
    return { ...new RegExp(pattern).exec(path)!.groups }
  }

  test.each<[path: string, date: Record<string, string>]>([
    ['aldi_2024_04_20.csv.gz', { year: '2024', month: '04', day: '20' }],
    ['prices-2024-12-31T00.json', { year: '2024', month: '12', day: '31' }],
    ['20241231.parquet', { year: '2024', month: '12', day: '31' }],
    ['2024/12/31/prices.csv', { year: '2024', month: '12', day: '31' }],
    ['year=2024/month=3/day=9/part-0.parquet', { year: '2024', month: '3', day: '9' }],
    ['year=2024/month=03/part-0.parquet', { year: '2024', month: '3' }],
    ['2025-12/prices.csv', { year: '2025', month: '12' }],
    ['list_2025_12.csv', { year: '2025', month: '12' }],
    ['list_202512.csv', { year: '2025', month: '12' }],
    ['31.12.2024.csv', { year: '2024', month: '12', day: '31' }],
    ['12-2024.csv', { year: '2024', month: '12' }],
  ])('is found in %s', (path, date) => {
    expect(stated(path)).toEqual(date)
  })

  test.each(['prices.csv', 'prices_2024.csv', 'sku_12345678901.csv', 'v2024.13.41.csv'])(
    'is not found in %s',
    (path) => {
      expect(guessNameDate([path])).toBe(null)
    },
  )

  test('has one pattern that fits every path, or none', () => {
    expect(guessNameDate(['a_2024_01_02.csv', 'b_2024_02_03.csv'])).toMatchObject({
      hasDay: true,
      example: '2024-01-02',
    })
    expect(guessNameDate(['a_2024_01_02.csv', 'b_2024_02.csv'])).toMatchObject({ hasDay: false, example: '2024-01' })
    expect(guessNameDate(['a_2024_01_02.csv', 'b.csv'])).toBe(null)
  })

  test('is ambiguous where day and month precede the year', () => {
    expect(guessNameDate(['03-04-2024.csv'])!.alternatives).toHaveLength(1)
    expect(guessNameDate(['03-04-2024.csv', '25-04-2024.csv'])!.alternatives).toEqual([])
  })

  test('may be a year alone', () => {
    expect(guessNameYear('youtube_us_2017.csv.gz')).toBe(2017)
    expect(guessNameYear('youtube_ca_2017_2018.csv.gz')).toBe(null)
    expect(guessNameYear('sku_20170.csv')).toBe(null)
  })
})
