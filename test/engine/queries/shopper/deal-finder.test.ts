import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, type Given, refusalOf } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { type Listing, listing, type Observation, observed } from '../../../support/rows.ts'
import { answerOr } from '../../../support/world-queries.ts'

const offer = (
  id: string,
  price: number,
  list_price: number | undefined,
  of: Partial<Listing> = {},
  more: Partial<Observation> = {},
  day = '2026-11-10',
) =>
  observed(
    listing(id, { spelling: 'Zelta', brand: 'zelta', shelf: ['Home', 'Kettles'], product_name: id, ...of }),
    { [day]: price },
    { list_price, in_stock: true, ...more },
  )

// Depth times the logarithm of the price: 0.7 ln 30 = 2.381, 0.4 ln 60 = 1.638, 0.2 ln 800 = 1.337, 0.6 ln 8 = 1.248 and
// 0.1 ln 90 = 0.450. The rest misses one guard each.
const rows = [
  offer('exactly 10 %', 9000, 10_000),
  offer('cheap', 800, 2000),
  offer('expensive', 80_000, 100_000),
  offer('middling', 6000, 10_000, { spelling: 'Orbit', brand: 'orbit', platform: 'beta' }),
  offer('exactly 70 %', 3000, 10_000),
  offer('deeper than 70 %', 2999, 10_000),
  offer('shallow', 9001, 10_000),
  offer('under 5.00', 499, 1000),
  offer('out of stock', 6000, 10_000, {}, { in_stock: false }),
  offer('stock unknown', 6000, 10_000, {}, { in_stock: undefined }),
  offer('unbranded', 6000, 10_000, { spelling: 'Generic', brand: null }),
  offer('without list price', 6000, undefined),
  offer('of a hundred days ago', 6000, 10_000, {}, {}, '2026-08-13'),
  offer('of sixteen days ago', 6000, 10_000, { shelf: ['Home', 'Irons'] }, {}, '2026-11-05'),
  offer('a nameless iron', 6000, 10_000, { shelf: ['Home', 'Irons'], spelling: 'Generic', brand: null }),
  offer('another nameless iron', 6000, 10_000, { shelf: ['Home', 'Irons'], spelling: undefined, brand: null }),
  offer('a nameless iron, hardly cheaper', 9500, 10_000, { shelf: ['Home', 'Irons'], spelling: 'N/A', brand: null }),
  offer('an iron hardly cheaper', 9900, 10_000, { shelf: ['Home', 'Irons'], spelling: 'Orbit', brand: 'orbit' }),
  offer('a rake', 9900, 10_000, { shelf: ['Garden', 'Rakes'], spelling: 'Quill', brand: 'quill' }),
  offer('of the next day', 9950, 10_000, { shelf: ['Garden', 'Rakes'] }, {}, '2026-11-11'),
  offer('in another country', 6000, 10_000, { country: 'ca' }),
  offer('on another shelf', 500, 1000, { shelf: ['Garden', 'Hoses'] }),
].flat()

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const deals = (given: Given) => ask(engine, 'shopper/deal-finder', given)
const names = async (given: Given) =>
  (await deals(given)).deals.map(({ product_name }: { product_name: string }) => product_name)

test('deals satisfy every condition and are ordered by score', async () => {
  const answer = await deals({ category: 'Kettles' })
  expect(
    answer.deals.map((deal: { product_name: string; discount_pct: number }) => [deal.product_name, deal.discount_pct]),
  ).toEqual([
    ['exactly 70 %', 70],
    ['middling', 40],
    ['expensive', 20],
    ['cheap', 60],
    ['exactly 10 %', 10],
  ])
  expect(answer).toMatchObject({
    category: 'home/kettles',
    country: 'us',
    currency: 'USD',
    total_deals_found: 5,
    meta: { price_observed_at_min: '2026-11-10T12:00:00Z', price_observed_at_max: '2026-11-10T12:00:00Z' },
  })
  expect(answer.deals[1]).toEqual({
    product_uid: expect.stringMatching(/^p_/),
    entity_uid: expect.toSatisfy((uid) => uid === null || /^e_/.test(uid)),
    product_id: 'middling',
    product_name: 'middling',
    brand: 'Orbit',
    retailer: 'beta',
    price: 60,
    list_price: 100,
    discount_pct: 40,
    star_rating: null,
    review_count: null,
    promo_flag: null,
    in_stock: true,
    condition: 'new',
    url: null,
    match_type: expect.stringMatching(/^(entity|title)$/),
    observed_at: '2026-11-10T12:00:00Z',
    scraped_at: expect.any(String),
    age_days: 10,
    recommended_price: null,
    size: null,
    percentile_in_history: null,
    days_since_lower: null,
    previous_price: null,
    score: 1.6377,
    gpc: null,
  })
})

test('include_unbranded lists products without a brand, too, but not beside the products of a brand', async () => {
  const ranked = ['exactly 70 %', 'middling', 'unbranded', 'expensive', 'cheap', 'exactly 10 %']
  const answer = await deals({ category: 'Kettles', include_unbranded: true })
  expect(answer.total_deals_found).toBe(6)
  // Equal scores are ordered by uid.
  const middle = answer.deals.slice(1, 3).map(({ product_name }: { product_name: string }) => product_name)
  expect(middle.toSorted()).toEqual(ranked.slice(1, 3))
  expect(await names({ category: 'Irons', include_unbranded: true })).toHaveLength(2)
  expect(await names({ category: 'Kettles', include_unbranded: true, brand: 'Orbit' })).toEqual(['middling'])
})

test('total_deals_found counts deals beyond the limit', async () => {
  const { deals: some, total_deals_found } = await deals({ category: 'Kettles', limit: 2 })
  expect([some.length, total_deals_found]).toEqual([2, 5])
})

test('brand, min_discount_pct and country narrow the deals, and without a category all shelves count', async () => {
  expect(await names({ brand: 'ORBIT', category: 'Kettles' })).toEqual(['middling'])
  expect(await names({ min_discount_pct: 55, category: 'Kettles' })).toEqual(['exactly 70 %', 'cheap'])
  expect(await names({ country: 'ca' })).toEqual(['in another country'])
  // 0.5 ln 5 = 0.805 comes before the 10 %.
  expect(await names({})).toEqual([
    'exactly 70 %',
    'middling',
    'expensive',
    'cheap',
    'on another shelf',
    'exactly 10 %',
  ])
  expect(await names({ days: 365, brand: 'zelta', min_discount_pct: 40, limit: 1 })).toEqual(['exactly 70 %'])
})

test('the last 14 days are searched where days is not given', async () => {
  const irons = { category: 'Irons' }
  expect(await names({ ...irons, days: 16 })).toEqual(['of sixteen days ago'])
  const refused = await refusalOf(engine, 'shopper/deal-finder', irons)
  expect(refused).toMatchObject({ code: 'NO_RESULTS', details: { since: '2026-11-07' } })
  expect(await refusalOf(engine, 'shopper/deal-finder', { ...irons, days: 14 })).toEqual(refused)
})

describe('a refusal counts the discounted products without a brand', () => {
  const refused = (given: Given, as_of?: string) => refusalOf(engine, 'shopper/deal-finder', given, as_of)

  test('where there are no others', async () => {
    expect(await refused({ category: 'Irons' })).toMatchObject({
      code: 'NO_RESULTS',
      message:
        'No product of a known brand in this scope is in stock at 10 % or more off since 2026-11-07; lower ' +
        'min_discount_pct, increase days or widen the scope. 2 discounted products without a brand are left out: ' +
        'send include_unbranded to list them.',
      details: { unbranded_left_out: 2, newest_observed_at: '2026-11-10T12:00:00Z' },
    })
    expect((await refused({ category: 'Irons', min_discount_pct: 5 })).details.unbranded_left_out).toBe(3)
    expect((await refused({ category: 'Irons', min_discount_pct: 41 })).message).not.toContain('left out')
  })

  test.each(['Orbit', 'Quill'])('where a brand is given, whether or not it is on the shelf: %s', async (brand) => {
    expect(await refused({ category: 'Irons', brand })).toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^No product of ${brand} .* 2 discounted products without a brand are left out: they may be of any brand`,
        ),
      ),
      details: { brand, unbranded_left_out: 2 },
    })
  })

  test('as of an earlier moment, when running the query finds them', async () => {
    const now = await refused({ category: 'Irons', brand: 'Orbit' })
    const earlier = await refused({ category: 'Irons', brand: 'Orbit' }, '2026-11-11T00:00:00Z')
    expect(earlier.details).toMatchObject({ unbranded_left_out: 2, since: '2026-10-28' })
    expect(earlier.message).toBe(now.message.replace('2026-11-07', '2026-10-28'))
  })
})

test.each([
  [{ category: 'Kettles', min_discount_pct: 71 }, 'INVALID_PARAMS'],
  [{ category: 'Kettles', limit: 51 }, 'INVALID_PARAMS'],
  [{ category: 'no such shelf at all' }, 'INVALID_PARAMS'],
  [{ brand: 'nobody' }, 'NO_RESULTS'],
  [{ brand: 'Orbit', min_discount_pct: 41 }, 'NO_RESULTS'],
  [{ retailer: 'nobody', brand: 'nobody' }, 'RETAILER_NOT_SERVING_ELIGIBLE'],
])('%j is refused with %s', async (given, code) => {
  expect(await answerOr(deals(given))).toBe(code)
})
