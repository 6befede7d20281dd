import { describe, expect, test } from 'vitest'
import { ask } from '../../../support/ask.ts'
import { examplesOf } from '../../../support/examples.ts'
import { givenEngine } from '../../../support/given.ts'
import { type Listing, listing, type Observation, observed, times } from '../../../support/rows.ts'
import { because, noVectors, vectorRows } from '../../../support/vectors.ts'

const AS_OF = '2026-11-21T00:00:00Z'
const example = examplesOf('analyst/price-dispersion', AS_OF)

/** A listing a price, observed in November. */
const priced = (prices: readonly number[], of: Partial<Listing> = {}): Observation[] =>
  prices.flatMap((price, i) =>
    observed(listing(`${of.platform ?? ''} ${of.condition ?? ''} ${i}`, of), { '2026-11-10': price }),
  )
const counts = ({ price_histogram }: { price_histogram: { count: number }[] }) =>
  price_histogram.map(({ count }) => count)
const bins = ({ price_histogram }: { price_histogram: { bin: string }[] }) => price_histogram.map(({ bin }) => bin)

// Prices 1, 2, 3, 4 and 10: mean 4; squared deviations 9 + 4 + 1 + 0 + 36 = 50, over 4: deviation 3.54, ratio 0.8839.
// Type 7 at p is at 1 + 4 p: p10 = 1.4, p25 = 2, p50 = 3, p75 = 4, p90 = 4 + 0.6 * 6 = 7.6. A bucket is 9 / 8 wide.
example('five prices have the figures computed by hand', priced([100, 200, 300, 400, 1000]), (answer) => {
  expect(answer).toMatchObject({
    currency: 'USD',
    avg_price: 4,
    min_price: 1,
    max_price: 10,
    std_dev: 3.54,
    coeff_of_variation: 0.8839,
    percentiles: { p10: 1.4, p25: 2, p50: 3, p75: 4, p90: 7.6 },
    product_count: 5,
    price_histogram: [
      { bin: '1.00-2.13', count: 2 },
      { bin: '2.13-3.25', count: 1 },
      { bin: '3.25-4.38', count: 1 },
      { bin: '4.38-5.50', count: 0 },
      { bin: '5.50-6.63', count: 0 },
      { bin: '6.63-7.75', count: 0 },
      { bin: '7.75-8.88', count: 0 },
      { bin: '8.88-10.00', count: 1 },
    ],
    outliers_excluded: 0,
    representative_floor: 0.5,
    excluded: { below_floor: 0, refurbished_or_used: 0, accessory_or_parts: 0, price_outliers: 0 },
  })
})

example('a single price has no deviation and one bucket', priced([199]), (answer) =>
  expect(answer).toMatchObject({
    avg_price: 1.99,
    std_dev: null,
    coeff_of_variation: null,
    coeff_of_variation_note: 'A single listing has no spread.',
    percentiles: { p10: 1.99, p90: 1.99 },
    product_count: 1,
    price_histogram: [{ bin: '1.99-1.99', count: 1 }],
  }),
)

example('equal prices of many listings have one bucket and no outliers', priced(times(12, 500)), (answer) =>
  expect(answer).toMatchObject({
    std_dev: 0,
    coeff_of_variation: 0,
    product_count: 12,
    price_histogram: [{ bin: '5.00-5.00', count: 12 }],
    outliers_excluded: 0,
  }),
)

// 1.00 to 1.07 is 7 cents: buckets of 0.875 cents, whose edges need five decimals.
example('a range under eight cents has bucket labels with five decimals', priced([100, 101, 107]), (answer) => {
  expect(bins(answer)).toEqual([
    '1.00000-1.00875',
    '1.00875-1.01750',
    '1.01750-1.02625',
    '1.02625-1.03500',
    '1.03500-1.04375',
    '1.04375-1.05250',
    '1.05250-1.06125',
    '1.06125-1.07000',
  ])
  expect(counts(answer)).toEqual([1, 1, 0, 0, 0, 0, 0, 1])
})

example(
  'a price on an edge counts in the upper bucket, on the top edge in the last',
  priced([100, 101, 102, 104, 108]),
  (answer) => {
    expect(bins(answer)[0]).toBe('1.00-1.01')
    expect(counts(answer)).toEqual([1, 1, 1, 0, 1, 0, 0, 1])
  },
)

// 10.00 to 10.12: edges at 10.015, 10.045, 10.075 and 10.105 are halves.
example('bucket labels are rounded half away from zero', priced([1000, 1012]), (answer) =>
  expect(bins(answer)).toEqual([
    '10.00-10.02',
    '10.02-10.03',
    '10.03-10.05',
    '10.05-10.06',
    '10.06-10.08',
    '10.08-10.09',
    '10.09-10.11',
    '10.11-10.12',
  ]),
)

example('the floor of fewer than thirty listings is 0.50', priced([...times(28, 1000), 49]), (answer) =>
  expect(answer).toMatchObject({
    representative_floor: 0.5,
    product_count: 28,
    excluded: { below_floor: 1, price_outliers: 0 },
  }),
)

// Median 10.00, so the floor is 1.00: 0.99 is under it, 1.00 is not, but is an outlier on a shelf of tens.
example(
  'the floor of thirty or more listings is a tenth of their median',
  priced([...times(28, 1000), 99, 100]),
  (answer) =>
    expect(answer).toMatchObject({
      representative_floor: 1,
      excluded: { below_floor: 1, price_outliers: 1 },
      product_count: 28,
    }),
)

// The median of both shops is 50.00 and that of alpha 5.00; alpha's own floor would be 0.50.
const shops = [...priced(times(35, 5000), { platform: 'beta' }), ...priced([...times(29, 500), 499, 501])]
example('the floor is computed over the whole category', shops, (answer) =>
  expect(answer).toMatchObject({ representative_floor: 5, excluded: { below_floor: 1 } }),
)
example(
  'the floor is the same with a retailer filter',
  shops,
  (answer) =>
    expect(answer).toMatchObject({
      representative_floor: 5,
      product_count: 30,
      excluded: { below_floor: 1 },
      retailer: 'alpha',
    }),
  { retailer: 'ALPHA' },
)

// Logs of nine prices of 10.00: quartiles equal, so the IQR counts as 0.10 and the fence is at a factor of e^0.15:
// from 8.61 to 11.61 (8.607 and 11.618).
example(
  'a price within a factor of e^0.15 is not an outlier where prices are equal',
  priced([...times(9, 1000), 861, 1161]),
  (answer) => expect(answer).toMatchObject({ product_count: 11, outliers_excluded: 0 }),
)
example(
  'a price beyond that factor on either side is excluded as an outlier',
  priced([...times(9, 1000), 860, 1162]),
  (answer) =>
    expect(answer).toMatchObject({
      product_count: 9,
      outliers_excluded: 2,
      min_price: 10,
      max_price: 10,
      excluded: { price_outliers: 2 },
    }),
)
example('nine listings have no outliers', priced([...times(8, 1000), 9000]), (answer) =>
  expect(answer).toMatchObject({ product_count: 9, outliers_excluded: 0, max_price: 90 }),
)

// A refurbished part for 0.10 is refurbished; a new part for 0.10 is a part; what is left for 0.10 is under the floor.
const parts = { shelf: ['', '', 'Coffee Parts', 'Gaskets'] }
const used = { condition: 'used', is_new: false }
const everyRule = [
  ...priced([10], { ...parts, ...used, platform: 'beta' }),
  ...priced([10, 900], parts),
  ...priced([10], { platform: 'gamma' }),
  ...priced(times(12, 1000), { platform: 'delta' }),
  ...priced([90_000], { platform: 'epsilon' }),
  ...priced([1000], { product_name: 'Coffee maker (refurbished)', platform: 'zeta' }),
]
example('every excluded listing counts under the first rule that applies', everyRule, (answer) => {
  expect(answer).toMatchObject({
    product_count: 12,
    excluded: { refurbished_or_used: 2, accessory_or_parts: 2, below_floor: 1, price_outliers: 1 },
  })
})

const inside = (shelf: readonly string[], rows: Observation[]) =>
  rows.map((row) => ({ ...row, listing: { ...row.listing, shelf: ['', '', ...shelf] } }))
example(
  'a shelf of products and accessories is not an accessory shelf',
  inside(['Brewers & Accessories'], priced([500])),
  (answer) => expect(answer).toMatchObject({ product_count: 1, excluded: { accessory_or_parts: 0 } }),
)

example('the figures are null where every listing is excluded', priced([10, 20], used), (answer) =>
  expect(answer).toMatchObject({
    avg_price: null,
    min_price: null,
    max_price: null,
    std_dev: null,
    coeff_of_variation: null,
    coeff_of_variation_note: expect.stringMatching(/^Every listing in scope is left out: 2 not new/),
    percentiles: { p10: null, p25: null, p50: null, p75: null, p90: null },
    product_count: 0,
    price_histogram: [],
    excluded: { refurbished_or_used: 2 },
  }),
)

// Ninety days before 21 November is 23 August.
const aged = [
  ...observed(listing('on the day'), { '2026-08-23': 100 }),
  ...observed(listing('a day too old'), { '2026-08-22': 900 }),
  ...observed(listing('repriced'), { '2026-08-30': 900, '2026-11-20': 300 }),
]
example('the latest price of a listing counts if it is at most ninety days old', aged, (answer) =>
  expect(answer).toMatchObject({ product_count: 2, min_price: 1, max_price: 3 }),
)
example(
  'the parameter days changes the age up to which prices count',
  aged,
  (answer) => expect(answer).toMatchObject({ product_count: 3, max_price: 9 }),
  {
    days: 91,
  },
)

example(
  'prices of the other country do not count',
  [...priced([100], { country: 'ca' }), ...priced([700])],
  (answer) => expect(answer).toMatchObject({ product_count: 1, avg_price: 1, currency: 'CAD', country: 'ca' }),
  { country: 'ca' },
)

test('listings on an accessory shelf are excluded, except from queries about that shelf', async () => {
  const shelf = (...names: string[]) => ({ shelf: ['Grocery', 'Coffee', ...names] })
  const engine = await givenEngine(
    [
      observed(listing('machine', shelf('Machines')), { '2026-11-10': 9000 }),
      observed(listing('part', shelf('Coffee Parts')), { '2026-11-10': 300 }),
      observed(listing('gasket', shelf('Coffee Parts', 'Gaskets')), { '2026-11-10': 200 }),
      observed(listing('screw', shelf('Coffee Parts', 'Spare Parts')), { '2026-11-10': 100 }),
    ].flat(),
    { as_of: new Date(AS_OF) },
  )
  const listingsIn = async (category: string) => {
    const { product_count, excluded } = await ask(engine, 'analyst/price-dispersion', { category })
    return [product_count, excluded.accessory_or_parts]
  }
  expect(await listingsIn('Grocery > Coffee')).toEqual([1, 3])
  expect(await listingsIn('Grocery > Coffee > Coffee Parts')).toEqual([3, 0])
  expect(await listingsIn('Grocery > Coffee > Coffee Parts > Gaskets')).toEqual([1, 0])
})

// `ties` ends in an outlier by our fence.
const vectors = noVectors ? [] : vectorRows('r-base/vectors.csv').filter(({ vector }) => vector !== 'ties')
describe.skipIf(noVectors)(`percentiles agree with type 7 of R${because}`, () => {
  const quantiles = noVectors ? [] : vectorRows('r-base/quantile_types_1_to_9.csv').filter(({ type }) => type === '7')
  for (const { vector, values } of vectors)
    example(
      `percentiles of ${vector}`,
      priced(values!.split(' ').map((price) => Math.round(Number(price) * 100))),
      (answer) => {
        const expected = quantiles.filter((row) => row.vector === vector)
        expect(answer.outliers_excluded).toBe(0)
        expect(Object.values(answer.percentiles)).toEqual(
          expected.map(({ value }) => Math.round(Number(value) * 100) / 100),
        )
      },
    )
})
