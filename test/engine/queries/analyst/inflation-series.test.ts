import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { listing, observed, pairs, times, unchanged } from '../../../support/rows.ts'

const example = examplesOf('analyst/inflation', '2027-03-01T00:00:00Z')
const autumn = { from: '2026-09-01', to: '2026-11-01' }

example(
  'the price of a listing in a period is the lower median of its daily prices',
  observed(listing('1'), { '2026-09-01': 400, '2026-09-02': 100, '2026-09-03': 300, '2026-09-04': 200 }),
  ({ time_series: [point] }) =>
    expect(point).toMatchObject({ avg_price: 2, median_price: 2, product_count: 1, observation_count: 4 }),
  autumn,
)

example(
  'a day counts once, with its latest price',
  [
    { listing: listing('1'), observed_at: '2026-09-05T18:00:00Z', price: 500 },
    { listing: listing('1'), observed_at: '2026-09-05T06:00:00Z', price: 900 },
  ],
  ({ time_series: [point] }) => expect(point).toMatchObject({ avg_price: 5, observation_count: 1 }),
  autumn,
)

example(
  'every listing counts once, however often it was observed, and medians are interpolated',
  [
    ...observed(listing('1'), { '2026-09-01': 100, '2026-09-02': 100, '2026-09-03': 100 }),
    ...observed(listing('2'), { '2026-09-01': 201 }),
  ],
  ({ time_series: [point] }) =>
    // The mean and the median of 1.00 and 2.01 are 1.505: half away from zero.
    expect(point).toMatchObject({ avg_price: 1.51, median_price: 1.51, min_price: 1, max_price: 2.01 }),
  autumn,
)

example(
  'stock and promotion are those of the last day, and unknown stock does not count as in stock',
  [
    ...observed(listing('1'), { '2026-09-01': 100 }, { in_stock: true, promo_flag: true }),
    ...observed(listing('1'), { '2026-09-02': 100 }, { in_stock: false, promo_flag: false }),
    ...observed(listing('2'), { '2026-09-01': 100 }, { in_stock: true }),
    ...observed(listing('2'), { '2026-09-02': 100 }, { promo_flag: true }),
    ...observed(listing('3'), { '2026-09-02': 95 }, { in_stock: true, list_price: 100 }),
    ...observed(listing('4'), { '2026-09-02': 96 }, { list_price: 100 }),
    ...observed(listing('5'), { '2026-09-02': 30 }, { list_price: 100 }),
    ...observed(listing('6'), { '2026-09-02': 29 }, { list_price: 100 }),
  ],
  // On promotion: 2 by its flag, 3 at exactly 5 % off and 5 at exactly 70 %.
  ({ time_series: [point] }) =>
    expect(point).toMatchObject({ in_stock_count: 1, stock_known_count: 2, promo_count: 3 }),
  autumn,
)

example(
  'where no listing states its availability, how many are in stock is unknown, not none',
  observed(listing('1'), { '2026-09-01': 100 }),
  ({ time_series: [point] }) => expect(point).toMatchObject({ in_stock_count: null, stock_known_count: 0 }),
  autumn,
)

example(
  'a single period has no change',
  pairs(unchanged(12)),
  (answer) => {
    expect(answer).toMatchObject({
      lfl_change_pct: null,
      lfl_matched: 0,
      lfl_variants: null,
      overall_change_pct: null,
      naive_overall_change_pct: null,
      method: 'naive',
      decomposition: null,
    })
    expect(answer.lfl_note).toContain('Fewer than two periods')
    expect(answer.time_series).toEqual([expect.objectContaining({ stable_avg_price: null, change_pct: null })])
  },
  { from: '2026-09-01', to: '2026-10-01' },
)

// Nothing was observed in September, so October is linked to August; one listing is away in October and returns.
example(
  'empty periods are omitted, and a product that returns is matched',
  [
    ...Array.from({ length: 10 }, (_, i) =>
      observed(listing(`${i}`), { '2026-08-10': 1000, '2026-10-10': 1100 }),
    ).flat(),
    ...observed(listing('away'), { '2026-08-10': 1000, '2026-11-10': 1210 }),
    ...Array.from({ length: 10 }, (_, i) => observed(listing(`${i}`), { '2026-11-10': 1210 })).flat(),
  ],
  (answer) => {
    expect(answer.time_series).toEqual([
      expect.objectContaining({ period: '2026-08', product_count: 11, matched_basket_size: 0, stable_avg_price: 10 }),
      expect.objectContaining({ period: '2026-10', product_count: 10, matched_basket_size: 10, change_pct: 10 }),
      expect.objectContaining({
        period: '2026-11',
        product_count: 11,
        matched_basket_size: 10,
        stable_avg_price: 12.1,
      }),
    ])
    expect(answer).toMatchObject({ lfl_matched: 11, lfl_change_pct: 21, overall_change_pct: 21, method: 'matched' })
  },
  { from: '2026-08-01', to: '2026-12-01' },
)

// Ten products rise by a tenth; then one of them leaves for one at 22.00. The averages are 10.00, 11.00 and 12.10.
example(
  'a link of fewer than ten pairs is naive, and its chain is mixed',
  [
    ...pairs(times(10, [1000, 1100] as const)),
    ...Array.from({ length: 9 }, (_, i) => observed(listing(`${i}`), { '2026-11-10': 1100 })).flat(),
    ...observed(listing('new'), { '2026-11-10': 2200 }),
  ],
  (answer) => {
    expect(
      answer.time_series.map(({ change_pct, method }: { change_pct: number; method: string }) => [change_pct, method]),
    ).toEqual([
      [null, null],
      [10, 'matched'],
      [10, 'naive'],
    ])
    expect(answer).toMatchObject({
      overall_change_pct: 21,
      naive_overall_change_pct: 21,
      method: 'mixed',
      lfl_change_pct: null,
    })
    // Nine of the ten match, at the same base: the average of the matched rises by 10, entry adds 11, nothing is lost.
    expect(answer.decomposition).toEqual({ naive_change_pct: 21, matched: 10, entry: 11, exit: 0 })
  },
  { from: '2026-09-01', to: '2026-12-01' },
)

const daily = observed(listing('1'), {
  '2024-12-29': 100,
  '2024-12-30': 100,
  '2026-12-27': 100,
  '2026-12-28': 100,
  '2027-01-03': 100,
  '2027-01-04': 100,
})
example(
  'a week belongs to the year of its Thursday',
  daily,
  (answer) =>
    expect(answer.time_series.map(({ date, period }: { date: string; period: string }) => [date, period])).toEqual([
      ['2024-12-23', '2024-W52'],
      ['2024-12-30', '2025-W01'],
      ['2026-12-21', '2026-W52'],
      ['2026-12-28', '2026-W53'],
      ['2027-01-04', '2027-W01'],
    ]),
  { from: '2024-12-01', to: '2027-02-01', granularity: 'weekly' },
)

const partials = (answer: { time_series: { partial: boolean }[] }) => answer.time_series.map(({ partial }) => partial)
const quarter = observed(listing('1'), { '2026-08-20': 100, '2026-09-10': 100, '2026-10-10': 100 })
example(
  'a month that is not entirely in the window is partial',
  quarter,
  (answer) => expect(partials(answer)).toEqual([true, false, true]),
  { from: '2026-08-02', to: '2026-10-31' },
)
example(
  'a month that is entirely in the window is not partial',
  quarter,
  (answer) => expect(partials(answer)).toEqual([false, false, false]),
  {
    from: '2026-08-01',
    to: '2026-11-01',
  },
)
example(
  'a week that starts before the window is partial and has its own start date',
  observed(listing('1'), { '2026-10-14': 100, '2026-10-20': 100 }),
  (answer) => {
    expect(partials(answer)).toEqual([true, false])
    expect(answer.time_series[0]).toMatchObject({ date: '2026-10-12', period: '2026-W42' })
  },
  { from: '2026-10-14', to: '2026-10-26', granularity: 'weekly' },
)
example(
  'a period that has ended is not partial',
  observed(listing('1'), { '2027-02-10': 100, '2027-02-28': 100 }),
  (answer) => expect(partials(answer)).toEqual([false]),
  { from: '2027-02-01', to: '2027-06-01' },
)

example(
  'a sample under thirty is flagged but returned: of products at the first point, of pairs at the others',
  pairs([...unchanged(29), [1000, 4000]]),
  (answer) =>
    expect(answer.time_series).toEqual([
      expect.objectContaining({ product_count: 30, insufficient_sample: false, sample_threshold: 30 }),
      expect.objectContaining({ product_count: 30, matched_basket_size: 29, insufficient_sample: true, change_pct: 0 }),
    ]),
  autumn,
)

// Every price is tenfold in October by a fault of the feed, and back in November.
example(
  'a link without pairs within the fence is null, and so is its chain',
  Array.from({ length: 12 }, (_, i) =>
    observed(listing(`${i}`), { '2026-09-10': 1000, '2026-10-10': 10_000, '2026-11-10': 1000, '2026-12-10': 1100 }),
  ).flat(),
  (answer) => {
    type Link = { change_pct: number; method: string; matched_basket_size: number }
    expect(
      answer.time_series.map(({ change_pct, method, matched_basket_size }: Link) => [
        change_pct,
        method,
        matched_basket_size,
      ]),
    ).toEqual([
      [null, null, 0],
      [null, null, 0],
      [null, null, 0],
      [10, 'matched', 12],
    ])
    expect(answer).toMatchObject({
      overall_change_pct: null,
      method: 'matched',
      lfl_change_pct: 10,
      lfl_note: null,
      naive_overall_change_pct: 10,
    })
  },
  { from: '2026-09-01', to: '2027-01-01' },
)

const months = (counts: readonly number[]) =>
  counts.flatMap((count, month) =>
    Array.from({ length: count }, (_, i) => observed(listing(`${i}`), { [`2026-0${month + 6}-10`]: 1000 })).flat(),
  )
const summer = { from: '2026-06-01', to: '2026-09-01' }

example(
  'a note reports a first or last period with less than a fifth of the largest',
  months([11, 60, 10]),
  (answer) => {
    expect(answer).toMatchObject({ lfl_change_pct: 0, lfl_matched: 10 })
    expect(answer.lfl_note).toBe(
      'The first period (from 2026-06-01) has 11 products, under a fifth of the largest (60). ' +
        'The last period (from 2026-08-01) has 10 products, under a fifth of the largest (60).',
    )
  },
  summer,
)

example(
  'a note says which of the compared periods the window cuts',
  months([12, 12, 12]),
  (answer) => {
    expect(answer.lfl_change_pct).toBe(0)
    expect(answer.lfl_note).toBe(
      'The window cuts the first period (from 2026-06-01) and the last period (from 2026-08-01), so that fewer days ' +
        'are compared than a whole period has.',
    )
  },
  { from: '2026-06-02', to: '2026-08-31' },
)

example(
  'a first and last period with exactly a fifth of the largest have no note',
  months([12, 60, 12]),
  (answer) => expect(answer).toMatchObject({ lfl_change_pct: 0, lfl_note: null }),
  summer,
)

example(
  'a note reports that the fence excluded more than half of the pairs',
  pairs([...unchanged(10), ...times(11, [1000, 9000] as const)]),
  (answer) => {
    expect(answer).toMatchObject({ lfl_change_pct: 0, lfl_matched: 10, lfl_excluded_implausible: 11 })
    expect(answer.lfl_note).toMatch(/^The plausibility fence left out 11 of the 21 products priced in both/)
  },
  autumn,
)

example(
  'exactly half of the pairs excluded by the fence have no note',
  pairs([...unchanged(10), ...times(10, [1000, 9000] as const)]),
  (answer) => expect(answer).toMatchObject({ lfl_excluded_implausible: 10, lfl_note: null }),
  autumn,
)
