import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, type Given } from '../../../support/ask.ts'
import { ensureLake, openEngine } from '../../../support/given.ts'
import { rewriteTables } from '../../../support/rewritten.ts'
import { feedRow, type Listing, listing, type Observation, observed, serving } from '../../../support/rows.ts'

const seen = (
  product_id: string,
  platform: string,
  prices: Readonly<Record<string, number>>,
  of: Partial<Listing> = {},
) =>
  observed(
    listing(product_id, { platform, ...of }),
    Object.fromEntries(Object.entries(prices).map(([day, price]) => [`2026-10-${day}`, price])),
  )

const rows: Observation[] = [
  ...seen('a1', 'alpha', { '01': 200, '02': 300 }),
  ...seen('b1', 'beta', { '01': 100, '02': 100, '03': 100 }),
  ...seen('g1', 'gamma', { '01': 300 }),
  // Entities on a shelf of their own: A at alpha twice, B at two shops, C at alpha alone.
  ...seen('A alpha 1', 'alpha', { '01': 100 }, { shelf: ['Grocery', 'Tea'] }),
  ...seen('A alpha 2', 'alpha', { '01': 120 }, { shelf: ['Grocery', 'Tea'] }),
  ...seen('A beta', 'beta', { '01': 100 }, { shelf: ['Grocery', 'Tea'] }),
  ...seen('A gamma', 'gamma', { '01': 144 }, { shelf: ['Grocery', 'Tea'] }),
  ...seen('B alpha', 'alpha', { '01': 200 }, { shelf: ['Grocery', 'Tea'] }),
  ...seen('B beta', 'beta', { '01': 100 }, { shelf: ['Grocery', 'Tea'] }),
  ...seen('C alpha', 'alpha', { '01': 999 }, { shelf: ['Grocery', 'Tea'] }),
  // Two entities that are likely one product, beside one that is known to be sold by both.
  ...seen('B alpha juice', 'alpha', { '20': 200 }, { shelf: ['Grocery', 'Juice'] }),
  ...seen('B beta juice', 'beta', { '20': 100 }, { shelf: ['Grocery', 'Juice'] }),
  ...seen('D alpha', 'alpha', { '20': 450 }, { shelf: ['Grocery', 'Juice'] }),
  ...seen('E beta', 'beta', { '20': 150 }, { shelf: ['Grocery', 'Juice'] }),
  ...seen('E gamma', 'gamma', { '20': 600 }, { shelf: ['Grocery', 'Juice'] }),
  // What makes alpha a shop that serves, before the windows.
  ...serving({ platform: 'alpha', country: 'us' }, 'Grocery', ['2026-09-30']),
]

const options = { as_of: new Date('2026-11-21T00:00:00Z') }
/**
 * Says of each listing in a snapshot that its entity is the first letter of its id, and that those with an entity D or E are
 * likely one product.
 */
const nameProducts = (lake: string, id: string): Promise<void> =>
  rewriteTables(lake, id, {
    listings: (source) => `
      SELECT * REPLACE (
        CASE WHEN product_id SIMILAR TO '[ABCDE] .*' THEN product_id[1] END AS entity_uid,
        CASE WHEN product_id SIMILAR TO '[DE] .*' THEN 'DE' END AS likely_uid)
      FROM ${source}`,
  })

let engine: Engine
beforeAll(async () => {
  const { lake } = await ensureLake({ observations: rows.map(feedRow) })
  const { manifest } = await openEngine(lake, options)
  await nameProducts(lake, manifest.snapshot_id)
  engine = await openEngine(lake, options)
})

const indexed = (params: Given) =>
  ask(engine, 'analyst/retailer-index', {
    retailer: 'Alpha',
    from: '2026-10-01',
    to: '2026-10-05',
    granularity: 'daily',
    ...params,
  })

// On the 1st alpha asks 2.00 where the shelf averages 2.00, on the 2nd 3.00 against 2.00. On the 3rd it was not seen.
test('two days of a shelf have the figures computed by hand', async () => {
  const answer = await indexed({ category: 'Grocery > Coffee' })
  expect(answer).toMatchObject({
    retailer: 'alpha',
    category: 'grocery/coffee',
    department: 'grocery',
    country: 'us',
    currency: 'USD',
    window: { granularity: 'daily', from: '2026-10-01', to: '2026-10-05' },
    sample_threshold: 30,
    insufficient_sample_points: 2,
    insufficient_sample: true,
    stable_basket_size: 1,
    matched_price_index_note:
      'In every period none of the products of alpha is known to be sold by other retailers, too.',
    resolved: { category_path: 'grocery/coffee', match_confidence: 1 },
    meta: { price_observed_at_min: '2026-10-01T12:00:00Z', price_observed_at_max: '2026-10-02T12:00:00Z' },
  })
  expect(answer.time_series).toMatchObject([
    {
      date: '2026-10-01',
      avg_price: 2,
      retailer_avg_price: 2,
      category_avg_price: 2,
      price_index: 1,
      matched_price_index: null,
      matched_entities: 0,
      product_count: 1,
      change_pct: null,
      stable_avg_price: 2,
    },
    {
      date: '2026-10-02',
      retailer_avg_price: 3,
      category_avg_price: 2,
      price_index: 1.5,
      matched_basket_size: 1,
      change_pct: 50,
      stable_avg_price: 3,
    },
  ])
})

// A: alpha's mean log price is that of sqrt(100 x 120) = 109.54, the others' that of sqrt(100 x 144) = 120. B: 200
// against 100. The index is sqrt(109.54 / 120 x 2) = 1.3512; C, sold at alpha alone, does not speak.
test('the matched index compares the same products only', async () => {
  const { time_series, matched_price_index_note } = await indexed({ category: 'Grocery > Tea' })
  expect(matched_price_index_note).toBeNull()
  expect(time_series).toMatchObject([{ matched_price_index: 1.3512, matched_entities: 2, product_count: 4 }])
})

// D at alpha, 450, against E at beta and gamma, sqrt(150 x 600) = 300: the relatives are 2 and 1.5, sqrt(3) = 1.7321.
test('the likely index has what is likely one product beside what is certainly one', async () => {
  const { time_series } = await indexed({ category: 'Grocery > Juice', from: '2026-10-20', to: '2026-10-21' })
  expect(time_series).toMatchObject([
    { matched_price_index: 2, matched_entities: 1, likely_price_index: 1.7321, likely_pairs: 2 },
  ])
})

// 200, 100, 120, 200 and 999 against these and 100, 300, 100, 144 and 100: 323.8 to 236.3.
test('the baseline is the whole country where no category is given', async () => {
  const { time_series, resolved } = await indexed({ to: '2026-10-02' })
  expect(resolved).toBeNull()
  expect(time_series).toMatchObject([{ retailer_avg_price: 3.24, category_avg_price: 2.36, price_index: 1.3703 }])
})

test('a retailer without observations in the window has no results', async () => {
  await expect(indexed({ from: '2026-10-03' })).rejects.toMatchObject({ code: 'NO_RESULTS' })
})

test('a thin retailer is refused', async () => {
  await expect(indexed({ retailer: 'beta' })).rejects.toMatchObject({
    code: 'RETAILER_NOT_SERVING_ELIGIBLE',
    details: { quality_status: 'thin', serving_eligible_retailers: ['alpha'] },
  })
})
