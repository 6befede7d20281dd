import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Engine, queries, queryId } from '../../engine/index.ts'
import { type Given, planOf } from '../support/ask.ts'
import { givenEngine } from '../support/given.ts'
import { type Observation, priced } from '../support/rows.ts'
import { paramsFor } from '../support/world-queries.ts'

const brand = { spelling: 'Acme' }
const inNovember = [
  ...Array.from({ length: 25 }, (_, i) => priced(`serving ${i}`, 100 + i, brand)).flat(),
  ...priced('deal', 600, brand, { list_price: 900, in_stock: true }),
  ...priced('thin', 100, { ...brand, platform: 'beta' }),
  ...priced('elsewhere', 100, { ...brand, platform: 'gamma', shelf: ['Garden'] }),
]
const inOctober = inNovember.map((row): Observation => ({ ...row, observed_at: '2026-10-20T12:00:00Z' }))
const rows = [...inOctober, ...inNovember]

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const takes = (query: (typeof queries)[number], name: string): boolean =>
  name in (z.toJSONSchema(query.params, { io: 'input' }).properties ?? {})
const withRetailer = queries.filter((query) => takes(query, 'retailer'))

/** The refusal of a plan: nothing is computed by then. */
const refusal = (id: string, params: Given): Promise<unknown> =>
  planOf(engine, id, params).then(
    () => null,
    (cause: unknown) => cause,
  )

describe.each(withRetailer.map((query) => [queryId(query), query] as const))('%s', (id, query) => {
  const params = paramsFor(query)
  const refusalAt = (retailer: string) => refusal(id, { ...params, retailer })

  test('names the status of a retailer that is not serving, and the serving retailers', async () => {
    expect(await refusalAt('BETA')).toMatchObject({
      code: 'RETAILER_NOT_SERVING_ELIGIBLE',
      details: { retailer: 'beta', quality_status: 'thin', serving_eligible_retailers: ['alpha'] },
    })
    expect(await refusalAt('nobody')).toMatchObject({
      code: 'RETAILER_NOT_SERVING_ELIGIBLE',
      details: { quality_status: null, serving_eligible_retailers: ['alpha'] },
    })
    expect(await refusalAt('Alpha')).toBeNull()
  })

  test('refuses a retailer that is not serving before it searches for the brand', async () => {
    if (!takes(query, 'brand')) return
    const unknown = { ...params, brand: 'Nonesuch' }
    expect(await refusal(id, { ...unknown, retailer: 'beta' })).toMatchObject({ code: 'RETAILER_NOT_SERVING_ELIGIBLE' })
    expect(await refusal(id, unknown)).toMatchObject({ code: 'NO_RESULTS', details: { brand: 'Nonesuch' } })
  })

  test('refuses an invalid query before it checks the retailer', async () => {
    const wrong: Given[] = [
      ...(takes(query, 'from') ? [{ from: '2026-10-02', to: '2026-10-01' }, { time_window: 'custom' }] : []),
      ...(takes(query, 'category') ? [{ category: 'qqqqqqqq' }] : []),
      { country: 'mx' },
    ]
    for (const change of wrong)
      expect(await refusal(id, { ...params, retailer: 'nobody', ...change }), JSON.stringify(change)).toMatchObject({
        code: 'INVALID_PARAMS',
        details: { parameter: Object.keys(change)[0] },
      })
  })
})

test('a retailer that is serving in one department is refused in another', async () => {
  expect(await refusal('analyst/price-dispersion', { category: 'Garden', retailer: 'alpha' })).toMatchObject({
    code: 'RETAILER_NOT_SERVING_ELIGIBLE',
    details: { quality_status: null, serving_eligible_retailers: [] },
  })
  expect(await refusal('marketing/share-of-shelf', { category: 'Garden', retailer: 'gamma' })).toMatchObject({
    details: { quality_status: 'thin', serving_eligible_retailers: [] },
  })
})

test('every query of a window and every query of current prices accepts days', async () => {
  const timed = queries.filter((query) => takes(query, 'time_window'))
  expect(timed.map(queryId)).toEqual(
    expect.arrayContaining(['marketing/brand-tracker', 'marketing/promo-intelligence', 'analyst/retailer-index']),
  )
  for (const query of timed) {
    const params = paramsFor(query)
    const [days, window] = await Promise.all([
      planOf(engine, queryId(query), { ...params, days: 60 }),
      planOf(engine, queryId(query), { ...params, time_window: 'last_60_days' }),
    ])
    const { params: _, ...plan } = days
    expect(plan).toEqual({
      query: queryId(query),
      snapshot_id: window.snapshot_id,
      as_of: window.as_of,
      bindings: window.bindings,
      context: window.context,
      may_be_empty: false,
    })
  }
  const current = [
    ...['share-of-shelf', 'competitive-landscape', 'price-positioning', 'brand-breakdown'].map(
      (name) => `marketing/${name}`,
    ),
    ...['price-dispersion', 'category-summary'].map((name) => `analyst/${name}`),
  ]
  expect(queries.filter((query) => current.includes(queryId(query)) && takes(query, 'days'))).toHaveLength(6)
})
