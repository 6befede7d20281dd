import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { listing, observed } from '../../../support/rows.ts'

const example = examplesOf('analyst/price-index', '2026-11-21T00:00:00Z')

const bought = (id: string, prices: readonly [number, number], brand: string) =>
  observed(listing(id, { brand: brand.toLowerCase(), spelling: brand }), {
    '2026-09-10': prices[0],
    '2026-10-10': prices[1],
  })

// Ten listings rise from 10.00 to 11.00, ten stay: the mean log relative is ln(1.1) / 2, an index of sqrt(1.1) = 1.0488. All of it is of
// the brand that rose.
const rows = Array.from({ length: 10 }, (_, i) => [
  ...bought(`up ${i}`, [1000, 1100], 'Acme'),
  ...bought(`same ${i}`, [500, 500], 'Tefal'),
]).flat()

example(
  'listings have one vote each, and a change is of those that moved',
  [...rows, ...bought('typing error', [1000, 10_000], 'Tefal')],
  (answer) => {
    expect(answer).toMatchObject({ change_pct: 4.88, drift_pp: 0, window_change_pct: 4.88, other_contribution_pp: 0 })
    expect(answer.contributions).toEqual([
      { contributor: 'Acme', contribution_pp: 4.88 },
      { contributor: 'Tefal', contribution_pp: 0 },
    ])
    expect(answer.set_aside_count).toBe(1)
    // A rise of exactly 10 % is in the bucket that is nearer to no change; the typing error is in none.
    expect(answer.change_distribution.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { from_pct: -0.5, to_pct: 0.5, count: 10 },
      { from_pct: 5, to_pct: 10, count: 10 },
    ])
    expect(answer.time_series.slice(-2)).toMatchObject([
      { period: '2026-09', index: 1, listing_count: 21 },
      { period: '2026-10', index: 1.0488, listing_count: 20, stayed_count: 20, match_rate_pct: 95.24 },
    ])
  },
  { contributions_by: 'brand' },
)
