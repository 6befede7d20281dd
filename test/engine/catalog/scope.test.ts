import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../engine/index.ts'
import { DAY_SECONDS } from '../../../engine/index.ts'
import { ask, planOf } from '../../support/ask.ts'
import { givenEngine, openEngine, refreshed, temporaryFolder } from '../../support/given.ts'
import { feedRow, listing, type Observation, observed, times } from '../../support/rows.ts'

const AS_OF = '2026-11-21T00:00:00Z'
const RECENT = '2026-11-10'
const OLD = '2026-08-22'

/** So many listings of a retailer, each seen on the days given. */
const seen = (platform: string, count: number, days: readonly string[], shelf: readonly string[]): Observation[] =>
  times(count, days).flatMap((days, i) =>
    observed(
      listing(`${shelf.join()} ${days.join()} ${i}`, { platform, shelf }),
      Object.fromEntries(days.map((day) => [day, 1000])),
    ),
  )

const coffee = ['Grocery', 'Coffee']
let engine: Engine

beforeAll(async () => {
  engine = await givenEngine(
    [
      // Ninety days before is recent still.
      ...seen('serving', 25, ['2026-08-23'], coffee),
      ...seen('thin', 24, [RECENT], coffee),
      ...seen('quarter', 25, [RECENT], coffee),
      ...seen('quarter', 75, [OLD], coffee),
      ...seen('stale', 25, [RECENT], coffee),
      ...seen('stale', 76, [OLD], coffee),
      ...seen('elsewhere', 30, [RECENT], ['Garden', 'Hoses']),
      ...seen('serving', 1, [RECENT], ['Garden', 'Hoses']),
      ...seen('serving', 1, [OLD], ['Garden', 'Rakes']),
    ],
    { as_of: new Date(AS_OF) },
  )
})

const plan = (given: Record<string, string>) => planOf(engine, 'analyst/price-dispersion', given)

describe('a retailer', () => {
  test.each(['serving', 'quarter', 'SERVING'])('%s is serving', async (retailer) => {
    await expect(plan({ category: 'coffee', retailer })).resolves.toMatchObject({
      context: { echo: { retailer: retailer.toLowerCase() } },
    })
  })

  test.each([
    ['thin', 'thin'],
    ['stale', 'stale'],
    ['unknown', null],
    ['elsewhere', null],
  ])('%s is not serving', async (retailer, quality_status) => {
    await expect(plan({ category: 'coffee', retailer })).rejects.toMatchObject({
      code: 'RETAILER_NOT_SERVING_ELIGIBLE',
      details: { retailer, quality_status, serving_eligible_retailers: ['quarter', 'serving'] },
    })
  })

  test('is serving in the departments where it has a serving shelf', async () => {
    await expect(plan({ department: 'garden', retailer: 'elsewhere' })).resolves.toBeDefined()
    await expect(plan({ department: 'garden', retailer: 'serving' })).rejects.toMatchObject({
      details: { quality_status: 'thin', serving_eligible_retailers: ['elsewhere'] },
    })
  })
})

describe('a category', () => {
  test('is the same by its path, its breadcrumb and its name', async () => {
    const paths = ['grocery/coffee', 'Grocery > Coffee', 'coffee'].map(async (category) => {
      const { resolved } = await ask(engine, 'analyst/price-dispersion', { category })
      return resolved.category_path
    })
    expect(await Promise.all(paths)).toEqual(times(3, 'grocery/coffee'))
  })

  test('that cannot be resolved is refused with its parameter and input', async () => {
    await expect(plan({ category: 'qqqqqq zzzzzz' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { parameter: 'category', input: 'qqqqqq zzzzzz', alternates: [] },
    })
    await expect(plan({ department: 'Gardn' })).rejects.toMatchObject({ details: { parameter: 'department' } })
  })

  test('is refused before its retailer is', async () => {
    await expect(plan({ category: 'qqqqqq zzzzzz', retailer: 'unknown' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  test('must be in the department that is given with it', async () => {
    const { resolved } = await ask(engine, 'analyst/price-dispersion', { category: 'coffee', department: 'GROCERY' })
    expect(resolved).toMatchObject({ category_path: 'grocery/coffee', department: 'grocery', input: 'coffee' })
    await expect(plan({ category: 'grocery/coffee', department: 'garden' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  test('is null where only a department is given, which is echoed', async () => {
    expect(await ask(engine, 'analyst/price-dispersion', { department: 'Grocery' })).toMatchObject({
      category: null,
      department: 'grocery',
      resolved: { category_path: 'grocery', match_source: 'department', input: 'Grocery' },
    })
  })
})

describe('a scope without observations', () => {
  test.each([
    ['analyst/price-dispersion', { category: 'Garden > Rakes' }],
    ['analyst/category-summary', { category: 'coffee', country: 'ca' }],
    ['analyst/inflation', { category: 'coffee', from: '2020-01-01', to: '2020-02-01' }],
    ['analyst/inflation', { category: 'coffee', from: '2027-01-01', to: '2027-02-01' }],
  ])('is refused by %s with %o', async (id, given) => {
    await expect(ask(engine, id, given)).rejects.toMatchObject({ code: 'NO_RESULTS' })
  })
})

test('meta contains the time range of the prices that the answer uses', async () => {
  const { meta } = await ask(engine, 'analyst/price-dispersion', { category: 'coffee', days: 365 })
  expect(meta).toEqual({
    served_from: 'snapshot',
    freshness_seconds: 10.5 * DAY_SECONDS,
    schema_version: '1.0',
    computed_at: AS_OF,
    price_observed_at_min: `${OLD}T12:00:00Z`,
    price_observed_at_max: `${RECENT}T12:00:00Z`,
    snapshot_id: engine.manifest.snapshot_id,
  })
})

test('the number of products below which a shelf is thin is that of the refresh', async () => {
  const lake = await temporaryFolder()
  const observations = [...seen('three', 3, [RECENT], coffee), ...seen('two', 2, [RECENT], coffee)].map(feedRow)
  await refreshed(lake, { observations }, { thin_below: 3 })
  const engine = await openEngine(lake, { as_of: new Date(AS_OF) })
  const { items } = await ask(engine, 'public/coverage', {})
  expect(items).toMatchObject([
    { platform: 'three', quality_status: 'serving', is_serving_eligible: true },
    { platform: 'two', quality_status: 'thin', is_serving_eligible: false },
  ])
})
