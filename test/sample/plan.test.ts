import { describe, expect, it } from 'vitest'
import { OptionError, parseOptions } from '../../data/sample/options.ts'
import { planSample } from '../../data/sample/plan.ts'
import { DAY_MS } from '../../engine/index.ts'

const plan = (options: object) => planSample(parseOptions({ out: 'feeds', until: '2026-10-14', ...options }))

describe('planSample', () => {
  it('divides thirteen months up to the last day into calendar months', () => {
    const { first_day, days, months } = plan({})
    expect({ first_day, days }).toEqual({ first_day: '2025-09-15', days: 395 })
    expect(months).toHaveLength(14)
    expect(months[0]).toEqual({ name: '2025-09', day_from: 0, day_to: 16 })
    expect(months[1]).toEqual({ name: '2025-10', day_from: 16, day_to: 47 })
    expect(months.at(-1)).toEqual({ name: '2026-10', day_from: 381, day_to: 395 })
  })

  it('uses whole calendar months up to the end of a month', () => {
    const { first_day, months } = plan({ until: '2026-02-28', months: 2 })
    expect(first_day).toBe('2026-01-01')
    expect(months.map(({ name }) => name)).toEqual(['2026-01', '2026-02'])
  })

  it('chooses the number of listings for a number of observations', () => {
    expect(plan({}).listings).toBe(20_000)
    // A listing exists on 84 % of 395 days and is seen on 98 % of them: 46.4 observations when seen weekly.
    expect(plan({ observations: 46_452 }).listings).toBe(1_000)
    expect(plan({ observations: 3_000_000 }).listings).toBe(20_000)
    expect(plan({ observations: 100_000_000 }).listings).toBe(316_764)
    expect(plan({ observations: 100_000_000, listings: 2_000_000 }).listings).toBe(2_000_000)
  })

  it('chooses Parquet above five million observations', () => {
    expect(plan({ observations: 5_000_000 }).format).toBe('csv')
    expect(plan({ observations: 5_000_001 }).format).toBe('parquet')
    expect(plan({ listings: 200_000 }).format).toBe('parquet')
    expect(plan({ listings: 200_000, format: 'csv' }).format).toBe('csv')
  })
})

describe('parseOptions', () => {
  it('ends the sample yesterday by default', () => {
    const today = Date.parse(new Date().toISOString().slice(0, 10))
    const days_ago = (today - Date.parse(parseOptions({ out: 'feeds' }).until)) / DAY_MS
    // Midnight may pass between the two readings of the clock.
    expect([0, 1]).toContain(days_ago)
    expect(parseOptions({ out: 'feeds' }).seed).toBe(1)
  })

  it.each([
    ['out', { out: '' }],
    ['seed', { seed: -1 }],
    ['listings', { listings: 0 }],
    ['observations', { observations: 1.5 }],
    ['months', { months: 61 }],
    ['until', { until: '2026-02-30' }],
    ['format', { format: 'xml' as 'csv' }],
    ['threads', { threads: Number.NaN }],
  ])('refuses an invalid --%s by name', (option, wrong) => {
    const parse = () => parseOptions({ out: 'feeds', ...wrong })
    expect(parse).toThrow(OptionError)
    expect(parse).toThrow(`--${option}: expected`)
  })
})
