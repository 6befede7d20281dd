import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, EngineError, findQuery, type Plan, readParams } from '../../engine/index.ts'
import { type Given, planOf, refusalOf } from '../support/ask.ts'
import { givenEngine, openEngine } from '../support/given.ts'
import { queryPaths } from '../support/query-strings.ts'
import { listing, observed } from '../support/rows.ts'
import { sampleLake } from '../support/sample.ts'

const AS_OF = '2024-05-20T00:00:00Z'

const rows = observed(
  listing('pods', { spelling: 'Acme', product_name: 'Acme Pods' }),
  { '2024-01-05': 900, '2024-05-14': 900 },
  { list_price: 1200, in_stock: true },
)

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of: new Date(AS_OF) })
})

const shelf = { category: 'Grocery > Coffee' }
const gap = { from: '2024-02-01', to: '2024-03-01' }

describe('may_be_empty of a plan', () => {
  test.each<[boolean, string, string, Given]>([
    [false, 'days up to now that include the newest observation', 'analyst/inflation', shelf],
    [true, 'a window that ended before the newest observation', 'analyst/inflation', { ...shelf, ...gap }],
    [true, 'such a window of a product', 'shopper/price-history', { q: 'pods', ...gap }],
    [false, 'current prices', 'analyst/category-summary', shelf],
    [false, 'deals, which are in memory', 'shopper/deal-finder', shelf],
  ])('is %s for %s', async (expected, _, id, given) => {
    expect((await planOf(engine, id, given)).may_be_empty).toBe(expected)
  })

  test('is true for deals of an earlier day, which are not in memory', async () => {
    const plan = await planOf(engine, 'shopper/deal-finder', shelf, '2024-01-10T00:00:00Z')
    expect(plan.may_be_empty).toBe(true)
    expect(await engine.run(plan)).toMatchObject({ total_deals_found: 1 })
  })
})

test('a scope without deals is refused while it is planned, with the refusal of running it', async () => {
  const given = { ...shelf, min_discount_pct: 26 }
  const planned = await refusalOf(engine, 'shopper/deal-finder', given)
  expect(planned).toMatchObject({ code: 'NO_RESULTS', details: { min_discount_pct: 26, brand: null } })
  const earlier = '2024-01-10T00:00:00Z'
  const plan = await planOf(engine, 'shopper/deal-finder', given, earlier)
  const message = planned.message.replace('2024-05-06', '2023-12-27')
  await expect(engine.run(plan)).rejects.toMatchObject({ code: 'NO_RESULTS', message })
  await expect(planOf(engine, 'shopper/deal-finder', { ...shelf, min_discount_pct: 25 })).resolves.toBeDefined()
})

test('a query whose plan may not be empty has an answer', { timeout: 300_000 }, async () => {
  const { lake, as_of } = await sampleLake()
  const sample = await openEngine(lake, { as_of })
  let sure = 0
  for (const path of fc.sample(queryPaths, 800)) {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const [group = '', name = ''] = pathname.split('/').slice(2)
    const query = findQuery(group, name)!
    let plan: Plan
    try {
      plan = await sample.plan(query, readParams(query, Object.fromEntries(searchParams)))
    } catch (error) {
      expect(error).toBeInstanceOf(EngineError)
      continue
    }
    if (plan.may_be_empty) continue
    await expect(sample.run(plan), path).resolves.toBeDefined()
    sure += 1
  }
  expect(sure).toBeGreaterThan(100)
})
