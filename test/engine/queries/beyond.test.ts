import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../engine/index.ts'
import { priceLevels, type SellerCounts } from '../../../engine/statistics/price-levels.ts'
import { ask, planOf } from '../../support/ask.ts'
import { givenEngine } from '../../support/given.ts'
import { pct, ratio } from '../../support/oracle.ts'
import { listing, type Observation, observed, priced } from '../../support/rows.ts'
import { because, beyondVector, noVectors } from '../../support/vectors.ts'
import { gtin13 } from '../../support/worlds.ts'

type PriceLevels = {
  entities_cents: Record<string, Record<string, number>>
  equal_pairs: { a: string; b: string; both: number; equal: number }[]
  expected: { level: Record<string, number> } & Record<string, number>
  assortment: {
    entities: Record<string, number>
    only_here: Record<string, number>
    pairs: { a: string; b: string; shared: number; jaccard: number; share_of_a: number }[]
  }
}

const retailers = { A: 'alpha', B: 'beta', C: 'gamma' } as const
const nameOf = (letter: string): string => retailers[letter as keyof typeof retailers]

type BasketVector = {
  prices_cents: Record<string, Record<string, number>>
  quantities: Record<string, number>
  expected: {
    one_stop: { retailer: string; cost: number; missing: string[]; same_items_cheapest: number; index: number }[]
    split_cost: number
    best_two: [string, number]
  }
}

const shopping = noVectors ? undefined : beyondVector<BasketVector>('basket')
type PromoVector = {
  days: { day: string; listing_days: number; promo_listing_days: number }[]
  expected: { week: number; listing_days: number; promo_days: number; rate_pct: number; lift: number; years: number }[]
}

const promotions = noVectors ? undefined : beyondVector<PromoVector>('promo_calendar')
const levels = noVectors ? undefined : beyondVector<PriceLevels>('price_levels')

// Ten products cost 10.00 at alpha and 12.10 at beta: a ratio of 1.21, so that alpha is at 1 / 1.1 and beta at 1.1 of their mean.
const tenProducts = Array.from({ length: 10 }, (_, i) => {
  const model = { shelf: ['Examples', 'Levels'], gtin: gtin13(i), product_name: `Blender ${i}` }
  return [
    ...priced(`a${i}`, 1000, { ...model, platform: 'alpha' }),
    ...priced(`b${i}`, 1210, { ...model, platform: 'beta' }),
  ]
}).flat()

// Two coffees of one product type and size, and one of three times the size, which is no equivalent of the others.
const coffee = (id: string, name: string, price: number, platform: string) =>
  priced(id, price, {
    shelf: ['Grocery', 'Ground Coffees'],
    product_name: name,
    platform,
    spelling: id,
    brand: id.toLowerCase(),
  })
const coffees = [
  ...coffee('Acme', 'Acme Gold Ground Coffee 500 g', 900, 'alpha'),
  ...coffee('Tefal', 'Tefal Ground Coffee 500 g', 700, 'beta'),
  ...coffee('Zelda', 'Zelda Ground Coffee 1.5 kg', 1200, 'beta'),
]

let engine: Engine
beforeAll(async () => {
  const known: Observation[] = Object.entries(levels?.entities_cents ?? {}).flatMap(([name, prices], i) =>
    Object.entries(prices).flatMap(([letter, price]) =>
      priced(`${name}`, price, {
        shelf: ['Vectors', 'Levels'],
        platform: nameOf(letter),
        gtin: gtin13(100 + i),
        product_name: `Product ${name}`,
      }),
    ),
  )
  const wanted = Object.entries(shopping?.prices_cents ?? {}).flatMap(([name, prices], i) =>
    Object.entries(prices).flatMap(([letter, price]) =>
      priced(name, price, {
        shelf: ['Vectors', 'Basket'],
        platform: nameOf(letter),
        gtin: gtin13(200 + i),
        product_name: `Basket ${name}`,
      }),
    ),
  )
  const promoted = (promotions?.days ?? []).flatMap(({ day, listing_days, promo_listing_days }) =>
    Array.from({ length: listing_days }, (_, i) =>
      observed(
        listing(`promo ${i}`, { shelf: ['Vectors', 'Promotions'] }),
        { [day]: 500 },
        { promo_flag: i < promo_listing_days },
      ),
    ).flat(),
  )
  engine = await givenEngine([...promoted, ...tenProducts, ...known, ...wanted, ...coffees], {
    as_of: new Date('2026-12-01T00:00:00Z'),
  })
})

test('levels of retailers are those of the products that they share', async () => {
  const answer = await ask(engine, 'analyst/retailer-levels', { category: 'Examples > Levels' })
  expect(answer).toMatchObject({ joined_pct: 100, shared_products: 10, price_count: 20, retailer_share_pct: 100 })
  expect(answer.retailers).toEqual([
    { retailer: 'beta', level: 1.1, shared_products: 10 },
    { retailer: 'alpha', level: 0.9091, shared_products: 10 },
  ])
  expect(answer.pairs).toEqual([{ retailer: 'alpha', other_retailer: 'beta', shared_products: 10, identical_pct: 0 }])
})

// Acme costs 9.00 for 500 g; with equivalents Tefal, 7.00 for as much, but not Zelda, which is cheaper still by weight.
test('equivalents of any brand have the same product type and a comparable size', async () => {
  const items = 'acme gold ground coffee:2'
  const alone = await ask(engine, 'shopper/basket', { items, days: 30 })
  expect(alone).toMatchObject({
    split_cost: 18,
    best_two: null,
    items: [{ bought_name: 'Acme Gold Ground Coffee 500 g' }],
  })
  const others = await ask(engine, 'shopper/basket', { items, days: 30, equivalents: true })
  expect(others).toMatchObject({
    split_cost: 14,
    items: [{ retailer: 'beta', bought_name: 'Tefal Ground Coffee 500 g', is_equivalent: true, retailer_count: 2 }],
  })
})

describe.skipIf(noVectors)(`statistics of known prices${because}`, () => {
  test('price levels, their spread and equal prices', async () => {
    const { bindings } = await planOf(engine, 'analyst/retailer-levels', { category: 'Vectors > Levels' })
    const rows = await engine.rows(
      `SELECT retailer_id AS retailer, other_id AS other, seller_count AS sellers, count(*)::INTEGER AS n, sum(is_equal::INTEGER)::INTEGER AS equal,
              coalesce(sum(deviation), 0)::BIGINT AS deviation, coalesce(sum(square), 0)::BIGINT AS square
       FROM product_pair WHERE NOT is_likely GROUP BY ALL ORDER BY ALL`,
      bindings,
    )
    const counts = rows.map((row) => ({
      ...row,
      deviation: BigInt(String(row.deviation)),
      square: BigInt(String(row.square)),
    })) as SellerCounts[]
    const found = priceLevels(counts, 1)
    const { platforms } = await engine.catalog()
    const { level, ...spreads } = levels!.expected
    for (const [letter, value] of Object.entries(level)) {
      const id = [...found.levels.keys()].find((of) => platforms.get(of) === nameOf(letter))!
      expect(100 * found.levels.get(id)!).toBeCloseTo(value, 4)
    }
    expect([found.products, found.prices]).toEqual([spreads.entities, spreads.prices])
    expect(found.within_sd_pct).toBeCloseTo(spreads.within_sd_pct!, 4)
    expect(found.residual_sd_pct).toBeCloseTo(spreads.residual_sd_pct!, 4)
    expect(found.retailer_share_pct! / 100).toBeCloseTo(spreads.retailer_share_of_variance!, 4)
    for (const { a, b, both, equal } of levels!.equal_pairs) {
      const pair = counts.filter(
        ({ retailer, other }) =>
          [retailer, other]
            .map((of) => platforms.get(of))
            .sort()
            .join() === `${nameOf(a)},${nameOf(b)}`,
      )
      const sum = (of: 'n' | 'equal') => pair.reduce((all, row) => all + row[of], 0)
      expect([sum('n'), sum('equal')]).toEqual([both, equal])
    }
    // Too few products for an answer to have levels: every one is null.
    const answer = await ask(engine, 'analyst/retailer-levels', { category: 'Vectors > Levels' })
    expect(answer.retailers.map((of: { level: unknown }) => of.level)).toEqual([null, null, null])
  })

  test('which products retailers share', async () => {
    const { entities, only_here, pairs } = levels!.assortment
    const answer = await ask(engine, 'marketing/assortment', { category: 'Vectors > Levels' })
    for (const [letter, count] of Object.entries(entities))
      expect(answer.retailers).toContainEqual(
        expect.objectContaining({
          retailer: nameOf(letter),
          product_count: count,
          only_here_pct: pct((100 * only_here[letter]!) / count),
        }),
      )
    expect(answer.pairs).toMatchObject(
      pairs.map(({ a, b, shared, jaccard, share_of_a }) => ({
        retailer: nameOf(a),
        other_retailer: nameOf(b),
        shared_products: shared,
        jaccard: ratio(jaccard),
        share_of_retailer_pct: pct(100 * share_of_a),
      })),
    )
  })

  test('what a basket costs at one shop, at two, and split', async () => {
    const { one_stop, split_cost, best_two } = shopping!.expected
    const names = Object.keys(shopping!.quantities)
    const codeOf = (name: string) => gtin13(200 + names.indexOf(name))
    const items = names.map((name) => `${codeOf(name)}:${shopping!.quantities[name]}`).join()
    const answer = await ask(engine, 'shopper/basket', { items, days: 30 })
    expect(answer.split_cost).toBe(split_cost / 100)
    expect([answer.best_two.retailer, answer.best_two.other_retailer, 100 * answer.best_two.cost]).toEqual([
      ...best_two[0].split('+').map(nameOf),
      best_two[1],
    ])
    expect(answer.one_stop).toHaveLength(one_stop.length)
    for (const { retailer, cost, missing, same_items_cheapest, index } of one_stop)
      expect(answer.one_stop).toContainEqual({
        retailer: nameOf(retailer),
        cost: cost / 100,
        missing: missing.map(codeOf),
        same_items_cheapest: same_items_cheapest / 100,
        cost_index: ratio(index),
      })
  })

  test('in which weeks a category is promoted, those at the turn of a year in their own', async () => {
    const answer = await ask(engine, 'marketing/promo-calendar', { category: 'Vectors > Promotions' })
    expect(answer).toMatchObject({ kind: 'calendar', peak_week: 48, listing_days: 700 })
    expect(answer.weeks).toEqual(
      promotions!.expected.map(({ week, listing_days, promo_days, rate_pct, lift, years }) => ({
        week,
        listing_days,
        promo_days,
        promo_frequency_pct: pct(rate_pct),
        lift: ratio(lift),
        median_depth_pct: null,
        years,
      })),
    )
  })
})
