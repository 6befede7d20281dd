import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { listing, observed, pairs, times, unchanged } from '../../../support/rows.ts'

const example = examplesOf('analyst/inflation', '2027-03-01T00:00:00Z')
const autumn = { from: '2026-09-01', to: '2026-11-01' }

// Relatives 0.5, 1 (five times), 1.1, 1.1, 1.21 and 2. One is cut from each tail; the product of the rest is 1.1^4, so
// the change is 1.1^(4/8) - 1 = 4.88 %. Untrimmed 1.1^(4/10) - 1 = 3.89 %; winsorised the outermost become 1 and 1.21:
// 1.1^(6/10) - 1 = 5.89 %. The average rises from 10.00 to 10.91.
example(
  'ten pairs have the figures computed by hand',
  pairs([[1000, 500], ...unchanged(5), [1000, 1100], [1000, 1100], [1000, 1210], [1000, 2000]]),
  (answer) => {
    expect(answer).toMatchObject({
      granularity: 'monthly',
      lfl_change_pct: 4.88,
      lfl_matched: 10,
      lfl_rising: 4,
      lfl_stable: 5,
      lfl_falling: 1,
      lfl_excluded_implausible: 0,
      lfl_note: null,
      lfl_ci: null,
      lfl_ci_clustered: null,
      lfl_variants: { jevons: 3.89, winsorised: 5.89, median: 0, excluding_clearance: 4.88 },
      overall_change_pct: 3.89,
      naive_overall_change_pct: 9.1,
      method: 'matched',
      decomposition: { naive_change_pct: 9.1, matched: 9.1, entry: 0, exit: 0 },
    })
    expect(answer.time_series).toEqual([
      expect.objectContaining({ period: '2026-09', change_pct: null, method: null, avg_price: 10 }),
      expect.objectContaining({ period: '2026-10', change_pct: 3.89, method: 'matched', avg_price: 10.91 }),
    ])
  },
  autumn,
)

example(
  'the fence keeps a threefold change and excludes larger ones, in both directions',
  pairs([...unchanged(8), [1000, 3000], [3000, 1000], [1000, 3001], [3001, 1000]]),
  (answer) =>
    expect(answer).toMatchObject({ lfl_matched: 10, lfl_excluded_implausible: 2, lfl_rising: 1, lfl_falling: 1 }),
  autumn,
)

example(
  'a change of exactly half a per cent is stable, a cent more is not',
  pairs([
    [20_000, 20_100],
    [20_000, 19_900],
    [200, 201],
    [20_000, 20_101],
    [20_000, 19_899],
    [199, 200],
  ]),
  (answer) => expect(answer).toMatchObject({ lfl_stable: 3, lfl_rising: 2, lfl_falling: 1, lfl_matched: 6 }),
  autumn,
)

example(
  'nine pairs have no like-for-like change',
  pairs(unchanged(9)),
  (answer) => {
    expect(answer).toMatchObject({
      lfl_change_pct: null,
      lfl_variants: null,
      lfl_matched: 9,
      lfl_stable: 9,
      method: 'naive',
    })
    expect(answer.lfl_note).toContain('Only 9 products')
  },
  autumn,
)

// All tied: trimming by percent_rank would leave nothing to average.
example(
  'unchanged prices have a change of zero',
  pairs(unchanged(40)),
  (answer) => expect(answer).toMatchObject({ lfl_change_pct: 0, lfl_matched: 40, lfl_stable: 40, lfl_ci: null }),
  autumn,
)

// n = 39 cuts one from each tail, which leaves the second doubling: 2^(1/37) - 1 = 1.89 %. n = 40 cuts two: 0.
example(
  'one pair is trimmed from each tail of 39 pairs',
  pairs([...unchanged(37), [1000, 2000], [1000, 2000]]),
  (answer) => expect(answer).toMatchObject({ lfl_matched: 39, lfl_change_pct: 1.89 }),
  autumn,
)
example(
  'two pairs are trimmed from each tail of 40 pairs',
  // One of three doublings is left among 36 pairs: 2^(1/36).
  pairs([...unchanged(37), [1000, 2000], [1000, 2000], [1000, 2000]]),
  (answer) => expect(answer).toMatchObject({ lfl_matched: 40, lfl_change_pct: 1.94 }),
  autumn,
)

// A listing that ends 20 % or more under its own median is being cleared: 10.00, 10.00, 8.00 is, 10.00, 10.00, 8.01 is
// not. Of all thirteen 0.8 and 1.1 are cut, which leaves 0.801^(1/11) - 1 = -2.00 %; of the twelve without the one being
// cleared 0.801 and 1.1 are, which leaves nothing but ones.
example(
  'the variant excluding_clearance omits listings on clearance',
  [...times(10, [1000, 1000, 1000]), [1000, 1000, 801], [1000, 1000, 800], [1000, 1000, 1100]].flatMap(([a, b, c], i) =>
    observed(listing(`${i}`), { '2026-08-10': a!, '2026-09-10': b!, '2026-10-10': c! }),
  ),
  (answer) => {
    expect(answer).toMatchObject({ lfl_matched: 13, lfl_change_pct: -2 })
    expect(answer.lfl_variants.excluding_clearance).toBe(0)
  },
  { from: '2026-08-01', to: '2026-11-01' },
)

// Eleven listings rise from 10.00 to 11.00 on 5 October and are on sale at 8.00 from the 8th to the 24th, which is most of the days that
// were observed: posted 0.8, regular 1.1. Twelve that fall to 8.00 and return to 10.99 are not on sale: 0.8 in both.
example(
  'the variant regular leaves out falls from which the price returns to what it was',
  [...times(11, 1100), ...times(12, 1099)].flatMap((back, i) =>
    observed(listing(`${i}`), {
      '2026-09-10': 1000,
      '2026-10-05': 1100,
      '2026-10-08': 800,
      '2026-10-16': 800,
      '2026-10-24': 800,
      '2026-11-05': back,
    }),
  ),
  (answer) => {
    expect(answer).toMatchObject({ lfl_matched: 23, lfl_change_pct: -20 })
    // One is cut from each tail: 10 of 1.1 and 11 of 0.8 are left.
    expect(answer.lfl_variants.regular).toBe(-6.9)
  },
  { ...autumn, regular: true },
)

// The average doubles, though no product was priced twice. Known mistake of other libraries: an index of 1.
example(
  'a change without matched pairs has no decomposition',
  [...observed(listing('1'), { '2026-09-10': 1000 }), ...observed(listing('2'), { '2026-10-10': 2000 })],
  (answer) => {
    expect(answer.decomposition).toEqual({ naive_change_pct: 100, matched: null, entry: null, exit: null })
    expect(answer).toMatchObject({ lfl_change_pct: null, lfl_matched: 0, overall_change_pct: 100, method: 'naive' })
    expect(answer.time_series[1].stable_avg_price).toBeNull()
  },
  autumn,
)

// Base average 20.00: A 10.00 and B 30.00. Last average 17.00: A 11.00 and C 23.00. Matched (11 - 10) / 20 = 5,
// entry (17 - 11) / 20 = 30, exit (10 - 20) / 20 = -50; together -15.
example(
  'the naive change is the sum of matched, entry and exit',
  [
    ...observed(listing('A'), { '2026-09-10': 1000, '2026-10-10': 1100 }),
    ...observed(listing('B'), { '2026-09-10': 3000 }),
    ...observed(listing('C'), { '2026-10-10': 2300 }),
  ],
  ({ decomposition }) => expect(decomposition).toEqual({ naive_change_pct: -15, matched: 5, entry: 30, exit: -50 }),
  autumn,
)

const there = [...unchanged(9), [1000, 1250], [1000, 1250], [1000, 1250], [800, 1000]] as const
// 1.25^(3/11) and 1.25^(-3/11): 6.27 % up is 5.90 % down, and a round trip gains nothing. The mean of the relatives
// themselves would give 6.82 % up and 5.45 % down.
example(
  'a rise has the change computed by hand',
  pairs(there),
  (answer) => expect(answer.lfl_change_pct).toBe(6.27),
  autumn,
)
example(
  'the opposite fall cancels that rise',
  pairs(there.map(([base, price]) => [price, base])),
  (answer) => expect(answer.lfl_change_pct).toBe(-5.9),
  autumn,
)

// 200.00 to 200.01 is 0.005 %: half away from zero is 0.01, by every route.
example(
  'a half is rounded away from zero in every field with the change of averages',
  pairs([[20_000, 20_001]]),
  (answer) => {
    expect(answer).toMatchObject({ naive_overall_change_pct: 0.01, overall_change_pct: 0.01 })
    expect(answer.decomposition.naive_change_pct).toBe(0.01)
    expect(answer.time_series[1].change_pct).toBe(0.01)
  },
  autumn,
)

// 10 of 12 pairs are priced in the second month, 9 in the third, all in the fourth. Of the second the relatives are 1
// (six times) and 1.1 (four times): one cut from each tail leaves 1.1^(3/8) - 1 = 3.64 %. Of the last the relatives are
// 1.21 (four times) and 1 (eight times): 1.21^(3/10) - 1 = 5.89 %.
example(
  'each point has the like-for-like change since the first, as the headline has at the last',
  [
    ...times(4, 1000).map((price) => [price, 1100, 1150, 1210]),
    ...times(5, 1000).map((price) => [price, 1000, 1000, 1000]),
    [1000, 1000, null, 1000],
    ...times(2, 1000).map((price) => [price, null, null, price]),
  ].flatMap((prices, i) => {
    const days = ['2026-07-10', '2026-08-10', '2026-09-10', '2026-10-10']
    return observed(
      listing(`${i}`),
      Object.fromEntries(days.flatMap((day, index) => (prices[index] === null ? [] : [[day, prices[index]!]]))),
    )
  }),
  (answer) => {
    expect(answer.time_series.map(({ lfl }: { lfl: unknown }) => lfl)).toEqual([
      null,
      { change_pct: 3.64, low: null, high: null, matched: 10 },
      { change_pct: null, low: null, high: null, matched: 9 },
      { change_pct: 5.89, low: null, high: null, matched: 12 },
    ])
    expect(answer).toMatchObject({ lfl_change_pct: 5.89, lfl_matched: 12 })
  },
  { from: '2026-07-01', to: '2026-11-01' },
)
