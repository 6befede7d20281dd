import { expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { examplesOf } from '../../../support/examples.ts'
import { givenEngine } from '../../../support/given.ts'
import { type Observation, priced } from '../../../support/rows.ts'

const as_of = '2026-11-21T00:00:00Z'
const example = examplesOf('marketing/price-positioning', as_of)

// The shelf costs 1, 2, 3, 4, 6 and 10: on average 26/6 = 4.3333, in the middle 3.50. Acme's 4 and 6 average 5, which
// is 1.1538 of that; 4 of 6 cost less than its median 5. The third ends at 2.65, the second at 4.70: premium.
const six = [
  priced('1', 400, { spelling: 'Acme' }),
  priced('2', 600, { spelling: 'ACME', platform: 'beta' }),
  priced('3', 100, { spelling: 'Bodum' }),
  priced('4', 200, { spelling: 'Bodum' }),
  priced('5', 1000, { spelling: 'Tefal' }),
  priced('6', 300, { spelling: 'N/A' }),
].flat()

example(
  'a brand on its shelf has the figures computed by hand',
  six,
  (answer) =>
    expect(answer).toMatchObject({
      brand: expect.stringMatching(/acme/i),
      retailer: null,
      product_count: 2,
      avg_price: 5,
      median_price: 5,
      category_avg_price: 4.33,
      category_median_price: 3.5,
      price_index: 1.1538,
      percentile_rank: 66.67,
      price_tier: 'premium',
      competitors: [
        { brand: 'Bodum', product_count: 2, avg_price: 1.5, median_price: 1.5, price_index: 0.3462 },
        { brand: 'Tefal', product_count: 1, avg_price: 10, median_price: 10, price_index: 2.3077 },
      ],
      retailers: [
        { retailer: 'alpha', product_count: 1, avg_price: 4, price_index: 0.9231 },
        { retailer: 'beta', product_count: 1, avg_price: 6, price_index: 1.3846 },
      ],
    }),
  { brand: 'Acme Inc.' },
)

example(
  'a cheap brand has the price tier value',
  six,
  (answer) => expect(answer).toMatchObject({ price_tier: 'value', percentile_rank: 16.67 }),
  {
    brand: 'bodum',
  },
)

// Prices of 1.00 to 2.00 by the cent, a brand each: the first third ends at 1.33, the second at 1.67.
const ladder = Array.from({ length: 101 }, (_, i) => priced(`${i}`, 100 + i, { spelling: `Rung${100 + i}` })).flat()
for (const [cents, tier] of [
  [132, 'value'],
  [133, 'mid'],
  [166, 'mid'],
  [167, 'premium'],
] as const)
  example(
    `a median of ${cents} cents has the price tier ${tier}`,
    ladder,
    ({ price_tier }) => expect(price_tier).toBe(tier),
    {
      brand: `rung ${cents}`,
    },
  )

// All cost the same: the median is neither below the first third nor below the second.
example(
  'a brand is premium where all prices are equal',
  ['Acme', 'Bodum', 'Tefal'].flatMap((spelling) => priced(spelling, 500, { spelling })),
  (answer) => expect(answer).toMatchObject({ price_tier: 'premium', percentile_rank: 0, price_index: 1 }),
  { brand: 'Acme' },
)

// Eleven rivals of one product each: the last by key is left out.
example(
  'at most ten competitors are listed',
  ['Acme', ...'bcdefghijkl'].flatMap((spelling) => priced(spelling, 500, { spelling: `${spelling}ero` })),
  ({ competitors }) =>
    expect(competitors.map(({ brand }: { brand: string }) => brand)).toEqual(
      [...'bcdefghijk'].map((letter) => `${letter}ero`),
    ),
  { brand: 'Acmeero' },
)

test('the category figures are null where no category is given', async () => {
  const rows: Observation[] = [...six, ...priced('7', 800, { spelling: 'Acme', shelf: ['Garden', 'Hoses'] })]
  const engine: Engine = await givenEngine(rows, { as_of: new Date(as_of) })
  expect(await ask(engine, 'marketing/price-positioning', { brand: 'Acme' })).toMatchObject({
    category: null,
    product_count: 3,
    avg_price: 6,
    median_price: 6,
    category_avg_price: null,
    category_median_price: null,
    price_index: null,
    price_index_note: expect.stringMatching(/^No category was sent/),
    percentile_rank: null,
    price_tier: null,
    competitors: [],
    retailers: [
      { retailer: 'alpha', product_count: 2, avg_price: 6, price_index: null },
      { retailer: 'beta', product_count: 1, avg_price: 6, price_index: null },
    ],
    resolved: null,
  })
})
