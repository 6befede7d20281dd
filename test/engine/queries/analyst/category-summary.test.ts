import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { type Listing, priced } from '../../../support/rows.ts'

const example = examplesOf('analyst/category-summary', '2026-11-21T00:00:00Z')

const branded = (spelling: string, count: number, of: Partial<Listing> = {}) =>
  Array.from({ length: count }, (_, i) => priced(`${spelling} ${i}`, 500, { spelling, ...of })).flat()

// Four listings at two shops. Acme has two spellings and two of the three branded listings, 66.67 %. Ratings 4.0 and
// 4.5 average 4.25. On promotion: the flagged one and the one at 20 % off, 50 %. Of the three whose stock is stated two
// are in stock, 66.67 %.
example(
  'four listings have the figures computed by hand',
  [
    priced('1', 100, { spelling: 'Acme', star_rating: 4 }, { in_stock: true, promo_flag: true }),
    priced('2', 200, { spelling: 'ACME, Inc.', star_rating: 4.5 }, { in_stock: true }),
    priced('3', 400, { spelling: 'Bodum', platform: 'beta' }, { in_stock: false, list_price: 500 }),
    priced('4', 801, { spelling: 'Generic', platform: 'beta' }),
  ].flat(),
  (answer) => {
    expect(answer).toMatchObject({
      product_count: 4,
      brand_count: 2,
      retailer_count: 2,
      // 15.01 over four is 3.7525; the middle of 2.00 and 4.00 is 3.00.
      pricing: { avg: 3.75, min: 1, max: 8.01, median: 3 },
      avg_rating: 4.25,
      promo_rate_pct: 50,
      in_stock_rate_pct: 66.67,
      stock_known_count: 3,
      representative_floor: 0.5,
      excluded: { below_floor: 0, refurbished_or_used: 0, accessory_or_parts: 0, price_outliers: 0 },
    })
    expect(answer.top_brands).toEqual([
      { brand: expect.stringMatching(/acme/i), product_count: 2, share_pct: 66.67 },
      { brand: 'Bodum', product_count: 1, share_pct: 33.33 },
    ])
  },
)

example('placeholders alone count as no brand', [...branded('N/A', 1), ...branded('unbranded', 2)], (answer) =>
  expect(answer).toMatchObject({ product_count: 3, brand_count: 0, top_brands: [] }),
)

example('No Name is a placeholder in the United States', branded('No Name', 1), (answer) =>
  expect(answer).toMatchObject({ brand_count: 0, top_brands: [] }),
)
example(
  'No Name is a brand in Canada',
  branded('No Name', 1, { country: 'ca' }),
  (answer) => expect(answer.top_brands).toEqual([{ brand: 'No Name', product_count: 1, share_pct: 100 }]),
  { country: 'ca' },
)

// Two, eleven times one: the tenth brand is the last by its key.
const letters = 'bcdefghijkl'.split('')
example(
  'the ten brands with the most products are listed, equal ones by their keys',
  [...branded('Zeta', 2), ...letters.flatMap((letter) => branded(`${letter}ello`, 1))],
  ({ top_brands, brand_count }) => {
    expect(brand_count).toBe(12)
    expect(top_brands.map(({ brand }: { brand: string }) => brand)).toEqual([
      'Zeta',
      ...letters.slice(0, 9).map((letter) => `${letter}ello`),
    ])
    expect(top_brands[0]).toMatchObject({ product_count: 2, share_pct: 15.38 })
  },
)

example('unknown ratings and stock are null', priced('1', 100), (answer) =>
  expect(answer).toMatchObject({ avg_rating: null, in_stock_rate_pct: null, stock_known_count: 0, promo_rate_pct: 0 }),
)

// Off 5 % and 70 % are promotions, 4 % and 71 % are not, and a flag of no does not speak against a list price.
example(
  'a price 5 to 70 % below the list price counts as a promotion',
  [96, 95, 30, 29].flatMap((price, i) => priced(`${i}`, price * 100, {}, { list_price: 10_000, promo_flag: false })),
  (answer) => expect(answer).toMatchObject({ product_count: 4, promo_rate_pct: 50 }),
)

example(
  'the figures cover the representative listings only',
  [
    priced('1', 100, { star_rating: 4 }),
    priced('2', 100, { star_rating: 1, spelling: 'Acme', condition: 'used', is_new: false, platform: 'beta' }),
    priced('3', 30, { star_rating: 1, platform: 'gamma' }),
  ].flat(),
  (answer) =>
    expect(answer).toMatchObject({
      product_count: 1,
      brand_count: 0,
      retailer_count: 1,
      avg_rating: 4,
      excluded: { refurbished_or_used: 1, below_floor: 1 },
    }),
)

example('the figures are null where every listing is excluded', priced('1', 10), (answer) =>
  expect(answer).toMatchObject({
    product_count: 0,
    pricing: { avg: null, min: null, max: null, median: null },
    pricing_note:
      'Every listing in scope is left out: 0 not new, 0 on a shelf of accessories or parts, 1 below representative_floor.',
    avg_rating: null,
    promo_rate_pct: null,
    in_stock_rate_pct: null,
    stock_known_count: 0,
    top_brands: [],
    excluded: { below_floor: 1 },
  }),
)
