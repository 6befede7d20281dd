import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { type Listing, listing, type Observation, observed, priced } from '../../../support/rows.ts'

const example = examplesOf('marketing/share-of-shelf', '2026-11-21T00:00:00Z')

const branded = (spelling: string, count: number, of: Partial<Listing> = {}): Observation[] =>
  Array.from({ length: count }, (_, i) => priced(`${spelling} ${i}`, 500, { spelling, ...of })).flat()

// Six branded listings: Acme has three of them in three spellings, 50 %. Of Tefal one was last seen 90 days ago and
// counts, one 91 days ago and does not. HHI is (9 + 4 + 1) / 36.
example(
  'six branded listings have the shares computed by hand',
  [
    ...branded('Acme', 1),
    ...branded('ACME, Inc.', 1, { platform: 'beta' }),
    ...branded('Visit the Acme Store', 1, { condition: 'used', is_new: false }),
    ...branded('Bodum', 2),
    ...observed(listing('current', { spelling: 'Tefal' }), { '2026-08-23': 900 }),
    ...observed(listing('too old', { spelling: 'Tefal' }), { '2026-08-22': 900 }),
    ...branded('Generic', 1),
    ...priced('without a brand', 300),
  ],
  (answer) =>
    expect(answer).toMatchObject({
      country: 'us',
      currency: 'USD',
      retailer: null,
      total_products: 6,
      unbranded_products: 2,
      hhi: 0.3889,
      cr4_pct: 100,
      brands: [
        { brand: expect.stringMatching(/acme/i), product_count: 3, share_pct: 50 },
        { brand: 'Bodum', product_count: 2, share_pct: 33.33 },
        { brand: 'Tefal', product_count: 1, share_pct: 16.67 },
      ],
      // From noon of 10 November to midnight of the 21st are ten days and a half.
      meta: {
        price_observed_at_min: '2026-08-23T12:00:00Z',
        price_observed_at_max: '2026-11-10T12:00:00Z',
        freshness_seconds: 907_200,
      },
    }),
)

// Eight listings of five brands, ties by key: the four largest have seven, and HHI is (9 + 4 + 1 + 1 + 1) / 64.
example(
  'brands with equal shares are ordered by key, and the four largest are added up',
  [
    ...branded('Zojirushi', 3),
    ...branded('Moka', 2),
    ...branded('Cona', 1),
    ...branded('Bialetti', 1),
    ...branded('Aero', 1),
  ],
  ({ brands, ...figures }) => {
    expect(brands.map(({ brand }: { brand: string }) => brand)).toEqual([
      'Zojirushi',
      'Moka',
      'Aero',
      'Bialetti',
      'Cona',
    ])
    expect(figures).toMatchObject({ total_products: 8, hhi: 0.25, cr4_pct: 87.5 })
  },
)

example(
  'the label of a brand is its most frequent spelling',
  [...branded('Jura', 1), ...branded('JURA', 2, { platform: 'beta' })],
  ({ brands }) => expect(brands).toEqual([{ brand: 'JURA', product_count: 3, share_pct: 100 }]),
)

// Of alpha's three listings with a brand two are Krups'; beta's are left out of numerator and denominator.
example(
  'the shares can be limited to one retailer, named in any case',
  [
    ...branded('Krups', 2),
    ...branded('Melitta', 1),
    ...branded('Melitta 2', 4, { platform: 'beta', spelling: 'Melitta' }),
  ],
  (answer) =>
    expect(answer).toMatchObject({
      retailer: 'alpha',
      total_products: 3,
      unbranded_products: 0,
      brands: [
        { brand: 'Krups', share_pct: 66.67 },
        { brand: 'Melitta', share_pct: 33.33 },
      ],
    }),
  { retailer: 'ALPHA' },
)

example('placeholders alone have no shares', [...branded('N/A', 2), ...priced('none', 1)], (answer) =>
  expect(answer).toMatchObject({ total_products: 0, unbranded_products: 3, hhi: null, cr4_pct: null, brands: [] }),
)
