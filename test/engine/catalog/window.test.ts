import { describe, expect, test } from 'vitest'
import type { WindowParams } from '../../../engine/contract/params.ts'
import { type Granularity, resolveWindow } from '../../../engine/contract/window.ts'

const NOW = new Date('2026-11-21T10:30:00Z')

const windowOf = (params: WindowParams, now = NOW, granularity: Granularity = 'daily') =>
  resolveWindow(params, granularity, now).window
const range = (params: WindowParams, now = NOW) => {
  const { preset, from, to, comparison_from, comparison_to } = windowOf(params, now)
  return [preset, from, to, comparison_from, comparison_to]
}

describe('a retailer is judged', () => {
  const judged = (params: WindowParams) => resolveWindow(params, 'daily', NOW).judged_before

  test.each([
    [{ from: '2026-08-01', to: '2026-09-01' }, '2026-09-01'],
    [{ to: '2026-09-01T08:00:00Z' }, '2026-09-02'],
  ] as const)('at the end of the explicit window %o', (params, day) => {
    expect(judged(params)).toBe(day)
  })

  // Today has been observed in part.
  test.each([
    {},
    { days: 7 },
    { time_window: 'previous_month' },
    { from: '2026-08-01' },
    { from: '2026-08-01', to: '2027-01-01' },
    { from: '2027-01-01', to: '2027-02-01' },
  ] as const)('at the current time for the window %o', (params) => {
    expect(judged(params)).toBe('2026-11-22')
  })
})

describe('a named window', () => {
  test.each([
    ['last_30_days', '2026-10-22', '2026-09-22'],
    ['last_60_days', '2026-09-22', '2026-07-24'],
    ['last_90_days', '2026-08-23', '2026-05-25'],
  ] as const)('%s starts at midnight that many days before today', (time_window, from, comparison_from) => {
    expect(range({ time_window })).toEqual([time_window, from, '2026-11-21', comparison_from, from])
  })

  test.each([
    ['month_to_date', '2026-11-01', '2026-11-21', '2026-10-01', '2026-11-01'],
    ['quarter_to_date', '2026-10-01', '2026-11-21', '2026-07-01', '2026-10-01'],
    ['previous_month', '2026-10-01', '2026-11-01', '2026-09-01', '2026-10-01'],
    ['month_over_month', '2026-10-01', '2026-11-01', '2026-09-01', '2026-10-01'],
  ] as const)('%s follows the calendar', (time_window, ...days) => {
    expect(range({ time_window })).toEqual([time_window, ...days])
  })

  test('reaches across New Year', () => {
    const now = new Date('2027-01-05T00:00:00Z')
    expect(range({ time_window: 'month_over_month' }, now).slice(1)).toEqual([
      '2026-12-01',
      '2027-01-01',
      '2026-11-01',
      '2026-12-01',
    ])
    expect(range({ time_window: 'quarter_to_date' }, now).slice(1, 4)).toEqual([
      '2027-01-01',
      '2027-01-05',
      '2026-10-01',
    ])
  })

  test('month_to_date is empty on the first day of a month', () => {
    const { periods } = resolveWindow({ time_window: 'month_to_date' }, 'daily', new Date('2026-11-01T00:00:00Z'))
    expect([periods.from, periods.to]).toEqual(['2026-11-01', '2026-11-01'])
  })
})

describe('a window given by parameters', () => {
  test('is the last thirty days by default', () => {
    expect(range({})).toEqual(range({ time_window: 'last_30_days' }))
  })

  test('with days is that many days up to now', () => {
    expect(range({ days: 7 })).toEqual(['last_7_days', '2026-11-14', '2026-11-21', '2026-11-07', '2026-11-14'])
  })

  test('with from and to is custom and compared with as many days before', () => {
    expect(range({ from: '2026-03-01', to: '2026-03-11' })).toEqual([
      'custom',
      '2026-03-01',
      '2026-03-11',
      '2026-02-19',
      '2026-03-01',
    ])
  })

  test('with to alone starts thirty days before it, with from alone ends now', () => {
    expect(range({ to: '2026-06-30' }).slice(0, 3)).toEqual(['custom', '2026-05-31', '2026-06-30'])
    expect(range({ from: '2026-06-30' }).slice(0, 3)).toEqual(['custom', '2026-06-30', '2026-11-21'])
  })

  test('uses from and to rather than time_window, and time_window rather than days', () => {
    expect(range({ from: '2026-03-01', to: '2026-03-11', time_window: 'last_90_days', days: 7 })[0]).toBe('custom')
    expect(range({ time_window: 'last_90_days', days: 7 })[0]).toBe('last_90_days')
  })

  test('reads a bound with an offset in UTC', () => {
    expect(range({ from: '2026-03-01T23:00:00-05:00', to: '2026-03-11' })[1]).toBe('2026-03-02')
  })
})

describe('a window is refused', () => {
  test.each<[string, WindowParams, string]>([
    ['custom without both bounds', { time_window: 'custom' }, 'time_window'],
    ['custom without to', { time_window: 'custom', from: '2026-03-01' }, 'time_window'],
    ['custom without from', { time_window: 'custom', to: '2026-03-01' }, 'time_window'],
    ['empty', { from: '2026-03-01', to: '2026-03-01' }, 'from'],
    ['one that ends before it starts', { from: '2026-03-02', to: '2026-03-01' }, 'from'],
    ['one that starts after now', { from: '2026-12-24' }, 'from'],
    ['longer than five years', { from: '2021-03-01', to: '2026-03-02' }, 'from'],
  ])('if it is %s', (_, params, parameter) => {
    expect(() => windowOf(params)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS', details: { parameter } }))
  })

  test('unless it is at most five years long', () => {
    expect(range({ from: '2021-03-01', to: '2026-03-01' }).slice(1, 3)).toEqual(['2021-03-01', '2026-03-01'])
  })
})

describe('the periods to read', () => {
  const periods = (from: string, to: string, granularity: Granularity) =>
    resolveWindow({ from, to }, granularity, NOW).periods

  test('use the roll-up for whole months and days for partial ones', () => {
    expect(periods('2026-08-15', '2026-11-01', 'monthly')).toMatchObject({
      unit: 'month',
      month_from: '2026-08',
      month_to: '2026-10',
      whole_from: '2026-09',
      whole_to: '2026-10',
    })
  })

  test.each([
    ['a month and a day short of two', '2026-09-02', '2026-10-31', 'monthly'],
    ['weeks', '2026-08-01', '2026-11-01', 'weekly'],
    ['days', '2026-08-01', '2026-11-01', 'daily'],
  ] as const)('of %s contain no whole month', (_, from, to, granularity) => {
    const { whole_from, whole_to } = periods(from, to, granularity)
    expect(whole_from > whole_to).toBe(true)
  })

  test('end with today, even for a window that ends later', () => {
    expect(periods('2026-11-01', '2027-03-01', 'monthly')).toMatchObject({ to: '2026-11-22', whole_to: '0000-01' })
    expect(windowOf({ from: '2026-11-01', to: '2027-03-01' }).to).toBe('2027-03-01')
  })
})

describe('without a granularity', () => {
  const chosen = (params: WindowParams, now = NOW) => {
    const { from, to, granularity } = resolveWindow(params, undefined, now).window
    return [from, to, granularity]
  }

  // 21 November 2026 is a Saturday.
  test('and without a window the whole weeks of the last 30 days are compared', () => {
    expect(chosen({})).toEqual(['2026-10-26', '2026-11-16', 'weekly'])
    expect(chosen({}, new Date('2026-11-23T00:00:00Z'))).toEqual(['2026-10-26', '2026-11-23', 'weekly'])
    expect(chosen({}, new Date('2026-11-22T23:59:59Z'))).toEqual(['2026-10-26', '2026-11-16', 'weekly'])
  })

  test('whole weeks begin and end on a Monday at any time, at least three of them', () => {
    for (let day = 0; day < 40; day += 1) {
      const now = new Date(Date.UTC(1999, 11, 20 + day, 10))
      const [from, to] = chosen({}, now).map((text) => Date.parse(String(text)))
      const weekdays = [from, to].map((time) => new Date(time!).getUTCDay())
      expect(weekdays).toEqual([1, 1])
      expect(to! - from!).toBeGreaterThanOrEqual(21 * 86_400_000)
    }
  })

  test.each([
    [{ days: 45 }, '2026-10-07', 'weekly'],
    [{ days: 46 }, '2026-10-06', 'monthly'],
    [{ time_window: 'last_30_days' }, '2026-10-22', 'weekly'],
    [{ time_window: 'last_90_days' }, '2026-08-23', 'monthly'],
    [{ from: '2026-11-01' }, '2026-11-01', 'weekly'],
  ] as const)('the window %o is as sent, its granularity by its length', (params, from, granularity) => {
    expect(chosen(params)).toEqual([from, '2026-11-21', granularity])
  })

  test('a granularity that is sent leaves the default window as it is', () => {
    expect(range({})).toEqual(['last_30_days', '2026-10-22', '2026-11-21', '2026-09-22', '2026-10-22'])
  })
})
