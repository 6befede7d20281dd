import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { type Listing, listing, type Observation, observed } from '../../../support/rows.ts'

const example = examplesOf('marketing/promo-intelligence', '2026-11-21T00:00:00Z')

const october = { from: '2026-10-01', to: '2026-11-01' }

/** A listing's price on a day of October, with what was said of it. */
const seen = (
  spelling: string,
  day: number,
  price: number,
  details: Partial<Observation> = {},
  of: Partial<Listing> = {},
) =>
  observed(
    listing(`${spelling} ${of.platform ?? ''}`, { spelling, ...of }),
    { [`2026-10-${String(day).padStart(2, '0')}`]: price },
    details,
  )

// Acme: four days. On promotion by the list price (20 %), by the flag alone (no depth), by the flag at 3 %; 3.85 % off
// without a flag is none: 3 of 4, depths 20 and 3. Bodum: both days, 70 % counts, 71 % is no depth. Tefal: none.
example(
  'frequency and depth have the figures computed by hand',
  [
    seen('Acme', 1, 100, { list_price: 125 }),
    seen('Acme', 2, 100, { list_price: 104 }),
    seen('Acme', 3, 100, { promo_flag: true }),
    seen('Acme', 31, 97, { promo_flag: true, list_price: 100 }),
    seen('Bodum', 1, 30, { list_price: 100 }),
    seen('Bodum', 2, 29, { list_price: 100, promo_flag: true }),
    seen('Tefal', 1, 100, { promo_flag: false }),
    seen('Generic', 1, 100, { promo_flag: true }),
    observed(listing('Tefal '), { '2026-09-30': 1, '2026-11-01': 1 }, { promo_flag: true }),
  ].flat(),
  (answer) => {
    expect(answer).toMatchObject({ brand: null, retailer: null, aggregate_by: 'brand', window: { preset: 'custom' } })
    expect(answer.retailers).toBeUndefined()
    const row = { retailer: null, total_observations: 2, promo_observations: 2, promo_frequency_pct: 100 }
    expect(answer.brands).toEqual([
      { ...row, brand: 'Bodum', avg_promo_depth_pct: 70, max_promo_depth_pct: 70 },
      {
        ...row,
        brand: 'Acme',
        total_observations: 4,
        promo_observations: 3,
        promo_frequency_pct: 75,
        avg_promo_depth_pct: 11.5,
        max_promo_depth_pct: 20,
      },
      {
        ...row,
        brand: 'Tefal',
        total_observations: 1,
        promo_observations: 0,
        promo_frequency_pct: 0,
        avg_promo_depth_pct: null,
        max_promo_depth_pct: null,
      },
    ])
    expect(answer.meta).toMatchObject({
      price_observed_at_min: '2026-10-01T12:00:00Z',
      price_observed_at_max: '2026-10-31T12:00:00Z',
    })
  },
  october,
)

// One day each, all promoted: deepest first, no depth last, then by observations, then by key.
example(
  'brands are ranked by frequency, depth, observations and key',
  [
    seen('Deep', 1, 50, { list_price: 100 }),
    seen('Flat', 1, 80, { list_price: 100 }),
    seen('Even', 1, 80, { list_price: 100 }),
    [1, 2].flatMap((day) => seen('Zest', day, 80, { list_price: 100 })),
    seen('Bare', 1, 80, { promo_flag: true }),
    seen('Rare', 1, 10, { list_price: 20 }),
    seen('Rare', 2, 20),
  ].flat(),
  ({ brands }) =>
    expect(brands.map(({ brand }: { brand: string }) => brand)).toEqual([
      'Deep',
      'Zest',
      'Even',
      'Flat',
      'Bare',
      'Rare',
    ]),
  october,
)

// Of a day the latest observation counts: the morning's promotion is over by the evening.
example(
  'retailers are ranked by how they promote a given brand',
  [
    seen('Kalita', 1, 80, { list_price: 100 }, { platform: 'alpha' }),
    seen('KALITA', 2, 100, {}, { platform: 'alpha' }),
    seen('Kalita', 1, 60, { list_price: 100 }, { platform: 'beta' }),
    [
      {
        listing: listing('g', { spelling: 'Kalita', platform: 'gamma' }),
        observed_at: '2026-10-01T08:00:00Z',
        price: 50,
        promo_flag: true,
      },
      {
        listing: listing('g', { spelling: 'Kalita', platform: 'gamma' }),
        observed_at: '2026-10-01T20:00:00Z',
        price: 90,
      },
    ],
    seen('Another', 1, 10, { promo_flag: true }, { platform: 'delta' }),
  ].flat(),
  (answer) => {
    expect(answer.brands).toBeUndefined()
    expect(answer).toMatchObject({ brand: expect.stringMatching(/kalita/i), aggregate_by: 'retailer' })
    const figures = { total_observations: 1, promo_observations: 1, promo_frequency_pct: 100 }
    expect(answer.retailers.map(({ brand, ...row }: Record<string, unknown>) => row)).toEqual([
      { ...figures, retailer: 'beta', avg_promo_depth_pct: 40, max_promo_depth_pct: 40 },
      {
        retailer: 'alpha',
        total_observations: 2,
        promo_observations: 1,
        promo_frequency_pct: 50,
        avg_promo_depth_pct: 20,
        max_promo_depth_pct: 20,
      },
      {
        retailer: 'gamma',
        total_observations: 1,
        promo_observations: 0,
        promo_frequency_pct: 0,
        avg_promo_depth_pct: null,
        max_promo_depth_pct: null,
      },
    ])
  },
  { ...october, brand: 'kalita', aggregate_by: 'retailer' },
)
