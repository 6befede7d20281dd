import { describe, expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import { withCalendar } from '../../../ingest/check/columns/calendars.ts'
import { givenFiles } from '../feeds.ts'

const DAY_MS = 86_400_000

const daysIn = async (text: string): Promise<unknown[]> => {
  const { rows } = await check({ paths: [await givenFiles({ 'prices.csv': text })] })
  return rows.map(({ values }) => values.observed_at)
}

describe('dates of other calendars', () => {
  test('are the Gregorian days that Persian ones mean, by another implementation', () => {
    const format = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'UTC',
    })
    const days = Array.from({ length: 10_000 }, (_, at) => new Date(Date.UTC(2000, 0, 1) + at * DAY_MS))
    const persian = days.map((day) => {
      const parts = Object.fromEntries(format.formatToParts(day).map(({ type, value }) => [type, value]))
      return `${parts.year}/${parts.month}/${parts.day}`
    })
    const { values } = withCalendar({ name: 'date', values: persian })
    expect(values).toEqual(days.map((day) => day.toISOString().slice(0, 10)))
  })

  test('are read as such with the digits of their script and times of day', async () => {
    const rows = ['۱۴۰۳/۱۲/۳۰ ۱۴:۰۵,شکر,۵۰۰۰', '۱۴۰۴/۰۱/۰۱ ۰۹:۰۰,شکر,۶۰۰۰', '۱۴۰۳/۰۶/۳۱ ۱۰:۰۰,شکر,۷۰۰۰']
    expect(await daysIn(['تاریخ,نام کالا,قیمت', ...rows].join('\n'))).toEqual([
      ...['2025-03-20T14:05:00.000Z', '2025-03-21T09:00:00.000Z', '2024-09-21T10:00:00.000Z'],
    ])
  })

  test.each([
    ['in numbers', ['29/02/2567', '13/05/2567']],
    ['with the names of months', ['29 กุมภาพันธ์ 2567', '13 พฤษภาคม 2567']],
  ])('have years of the Buddhist era %s', async (_, [first, second]) => {
    const text = `วันที่,สินค้า,ราคา\n${first},น้ำตาลทราย,25.50\n${second},ไข่ไก่,120.00\n`
    expect(await daysIn(text)).toEqual(['2024-02-29T00:00:00.000Z', '2024-05-13T00:00:00.000Z'])
  })

  test.each([
    ['with dots', '115.05.07'],
    ['in words', '民國115年5月7日'],
    ['joined', '1150507'],
  ])('have years of the Republic of China %s', async (_, day) => {
    const days = await daysIn(`日期,品名,平均價\n${day},甘藍,25.5\n${day},香蕉,31\n`)
    expect(days).toEqual(['2026-05-07T00:00:00.000Z', '2026-05-07T00:00:00.000Z'])
  })

  test('are not what numbers of parts look like', () => {
    const parts = { name: 'part', values: ['1403-77-99', '1403-88-99', '2567-AB', 'X-2567-1'] }
    expect(withCalendar(parts)).toBe(parts)
  })
})
