import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { OPEN_AT_ONCE } from '../../engine/catalog/catalogs.ts'
import { MONTH_BYTES } from '../../engine/catalog/month-prices.ts'
import { isInMonths } from '../../engine/counts/months/months.ts'
import type { Engine, Plan } from '../../engine/index.ts'
import { LISTING_BYTES } from '../../engine/search/listings.ts'
import { INDEX_BYTES } from '../../engine/search/search-index.ts'
import { type Given, planOf } from '../support/ask.ts'
import { sized } from '../support/full-size.ts'
import { ensureLake, openEngine, sampleLake } from '../support/given.ts'
import { joinAtRandom } from '../support/likely.ts'
import { feedRow } from '../support/rows.ts'
import { ages, answerOr, given, moments, scopes } from '../support/world-queries.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'

const LATEST = `${WORLD_END}T00:00:00Z`

const ofCategory = ['analyst/price-dispersion', 'analyst/category-summary']
/** Of products that retailers share. */
const ofProducts = ['analyst/retailer-levels', 'marketing/assortment']
const others: [id: string, given: Given][] = [
  ['marketing/share-of-shelf', {}],
  ['marketing/price-positioning', { brand: 'Acme' }],
  ['marketing/competitive-landscape', { sort: 'price', limit: '3', offset: '2' }],
  ['marketing/competitive-landscape', { sort: 'discount', limit: '200' }],
  ['marketing/competitive-landscape', { sort: 'reviews' }],
  ['marketing/competitive-landscape', { sort: '-price', limit: '1' }],
  ['shopper/deal-finder', { min_discount_pct: '5' }],
  ['shopper/deal-finder', { min_discount_pct: '1', retailer: 'alpha' }],
]

let lake: string
let inMemory: Engine
let fromFiles: Engine

beforeAll(async () => {
  ;({ lake } = await ensureLake({ observations: worldOf(5).map(feedRow) }))
  await joinAtRandom(lake, 5)
  inMemory = await openEngine(lake, { warm: true })
  fromFiles = await openEngine(lake)
})

const isFromMemory = async (engine: Engine, plan: Plan): Promise<boolean> =>
  (await engine.execution(plan)).is_from_memory

/** The answers from memory and from files. */
const both = async (id: string, params: Given, as_of: string) => {
  const answerOf = (engine: Engine) => answerOr(planOf(engine, id, params, as_of).then((plan) => engine.run(plan)))
  return [await answerOf(inMemory), await answerOf(fromFiles)] as const
}

describe('answers about current prices are the same from memory and from files', () => {
  test.each([...ofCategory, ...ofProducts])('%s', (id) =>
    fc.assert(
      fc.asyncProperty(scopes, ages, async (scope, days) => {
        const [memory, files] = await both(id, { ...given(scope), days: String(days) }, scope.as_of)
        expect(memory).toEqual(files)
      }),
      { numRuns: sized(20, 60) },
    ),
  )

  test.each(others)('%s %j', (id, more) =>
    fc.assert(
      fc.asyncProperty(scopes, ages, async (scope, days) => {
        const [memory, files] = await both(id, { ...given(scope), ...more, days: String(days) }, scope.as_of)
        expect(memory).toEqual(files)
      }),
      { numRuns: sized(10, 30) },
    ),
  )

  test.each(moments)('marketing/brand-breakdown as of %s', async (as_of) => {
    const [memory, files] = await both('marketing/brand-breakdown', { brand: 'Acme' }, as_of)
    expect(memory).toEqual(files)
  })

  test('product types', async () => {
    const sample = await sampleLake()
    const [memory, files] = await Promise.all(
      [true, false].map((warm) => openEngine(sample.lake, { as_of: sample.as_of, warm })),
    )
    const types = "SELECT min(code) AS code FROM gpc_node JOIN gpc_shelf USING (gpc_id) WHERE active AND country = 'us'"
    const [type] = await files!.rows(types, {})
    const params = { category: String(type?.code) }
    const all = [...ofCategory, 'marketing/share-of-shelf', 'marketing/competitive-landscape']
    for (const id of [...all, ...ofProducts, 'analyst/price-setting']) {
      const plan = await planOf(memory!, id, params)
      if (all.includes(id)) expect(await isFromMemory(memory!, plan), id).toBe(true)
      expect(await memory!.run(plan), id).toEqual(await files!.run(await planOf(files!, id, params)))
    }
  })
})

describe('memory is used', () => {
  const coffee = { category: 'Grocery > Coffee' }

  test.each([...ofCategory, 'marketing/share-of-shelf', 'marketing/competitive-landscape'])(
    'by %s after the newest observation, in a warm engine only',
    async (id) => {
      expect(await isFromMemory(inMemory, await planOf(inMemory, id, coffee, LATEST))).toBe(true)
      expect(await isFromMemory(inMemory, await planOf(inMemory, id, coffee, moments[4]!))).toBe(false)
      expect(await isFromMemory(fromFiles, await planOf(fromFiles, id, coffee, LATEST))).toBe(false)
    },
  )

  test('neither for prices beyond its budget nor for a page far from the first', async () => {
    const small = await openEngine(lake, { warm: true, memory_budget: 1000 })
    expect(await isFromMemory(small, await planOf(small, 'analyst/price-dispersion', coffee, LATEST))).toBe(false)
    const deep = { ...coffee, offset: '10000' }
    const plan = await planOf(inMemory, 'marketing/competitive-landscape', deep, LATEST)
    expect(await isFromMemory(inMemory, plan)).toBe(false)
    expect(await inMemory.run(plan)).toMatchObject({ products: [] })
  })
})

describe('answers about months are the same from memory and from files', () => {
  const firstDays = ['2026-06-01', '2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01', '2026-12-01']
  const cuts = ['2026-07-20', '2026-08-02', '2026-09-30', '2026-10-15', '2026-11-12']
  const months = fc
    .tuple(fc.constantFrom(...firstDays, ...cuts), fc.constantFrom(...firstDays, ...cuts))
    .filter(([from, to]) => from < to)
    .map(([from, to]) => ({ from, to, granularity: 'monthly' }))
  const ofMonths: [id: string, more: Given][] = [
    ['analyst/inflation', {}],
    ['analyst/inflation', { regular: 'true' }],
    ['analyst/retailer-index', { retailer: 'alpha' }],
    ['marketing/brand-tracker', { brand: 'Acme', category: undefined }],
  ]
  const ofLastMonths: [id: string, more: Given][] = [
    ['analyst/price-index', { months: '3', contributions_by: 'brand' }],
    ['analyst/price-index', { months: '30' }],
    ['analyst/price-setting', { months: '3' }],
    ['analyst/price-setting', { months: '13' }],
    ['marketing/assortment', {}],
  ]

  test.each(ofMonths)('%s %j', (id, more) =>
    fc.assert(
      fc.asyncProperty(scopes, months, async (scope, window) => {
        const [memory, files] = await both(id, { ...given(scope), ...window, ...more }, scope.as_of)
        expect(memory).toEqual(files)
      }),
      { numRuns: sized(15, 60) },
    ),
  )

  test.each(ofLastMonths)('%s %j', (id, more) =>
    fc.assert(
      fc.asyncProperty(scopes, async (scope) => {
        const [memory, files] = await both(id, { ...given(scope), ...more }, scope.as_of)
        expect(memory).toEqual(files)
      }),
      { numRuns: sized(15, 60) },
    ),
  )

  test('those that are in memory where the budget leaves no room for all', async () => {
    const { listings = 0 } = inMemory.manifest.counts
    const bytes = listings * (LISTING_BYTES + INDEX_BYTES + 3 * MONTH_BYTES)
    const small = await openEngine(lake, { warm: true, memory_budget: OPEN_AT_ONCE * bytes })
    const months = (await small.catalog(new Date(LATEST))).months('us')
    expect([months?.months.length, months?.is_complete]).toEqual([3, false])
    const taken = new Set<boolean>()
    const windows = [
      ...['2', '3', '4', '13'].map((count) => ['analyst/price-setting', { months: count }] as const),
      ...['2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01'].map(
        (from) => ['analyst/inflation', { from, to: '2026-11-01', granularity: 'monthly', regular: 'true' }] as const,
      ),
    ]
    for (const [id, window] of windows) {
      const plan = await planOf(small, id, { category: 'Grocery', ...window }, LATEST)
      taken.add(isInMonths(id === 'analyst/inflation' ? 'series_price' : 'price_change', months!, plan.bindings))
      expect(await small.run(plan)).toEqual(await fromFiles.run(plan))
    }
    expect(taken.size).toBe(2)
  })

  test('prices without sales: of a snapshot with days by listing, where no later observation decides them', async () => {
    const months = (await inMemory.catalog(new Date(LATEST))).months('us')!
    const bindingsAt = async (as_of: string) =>
      (await planOf(inMemory, 'analyst/price-setting', { category: 'Grocery', months: '3' }, as_of)).bindings
    expect(isInMonths('price_change', months, await bindingsAt(LATEST))).toBe(true)
    expect(isInMonths('price_change', months, await bindingsAt('2026-10-20T00:00:00Z'))).toBe(false)
    expect(isInMonths('price_change', { ...months, regular: null }, await bindingsAt(LATEST))).toBe(false)
  })

  test('an engine that stays open has them in memory, one for a single query has not', async () => {
    const catalog = await inMemory.catalog(new Date(LATEST))
    expect(catalog.months('us')).toMatchObject({ is_complete: true })
    expect((await fromFiles.catalog(new Date(LATEST))).months('us')).toBeNull()
  })
})
