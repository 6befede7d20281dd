import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../engine/index.ts'
import { ask, type Given, refusalOf } from '../../support/ask.ts'
import { ensureLake, openEngine, refreshed, temporaryFolder } from '../../support/given.ts'
import { addDays, listingDays } from '../../support/oracle.ts'
import { isServing, servedAtEnd } from '../../support/oracle-coverage.ts'
import { feedRow, listing, type Observation, observed, times } from '../../support/rows.ts'
import { retailers, WORLD_END, worldOf } from '../../support/worlds.ts'

const AS_OF = new Date('2026-11-21T00:00:00Z')

/** So many listings of a retailer, each observed on these days. */
const seen = (platform: string, count: number, ...days: readonly string[]): Observation[] =>
  times(count, days).flatMap((days, i) =>
    observed(
      listing(`${days.join()} ${i}`, { platform, spelling: 'Acme' }),
      Object.fromEntries(days.map((day) => [day, 1000])),
    ),
  )

let engine: Engine
beforeAll(async () => {
  const rows = [
    // Served in spring 2025, gone since.
    ...seen('gone', 25, '2025-03-01', '2025-04-10'),
    ...seen('new', 25, '2026-11-10'),
    // Away from spring 2025 to autumn 2026.
    ...seen('away', 25, '2025-03-01', '2026-11-10'),
    // 24 products up to March 2025, one more in April.
    ...seen('growing', 24, '2025-03-01', '2026-11-10'),
    ...seen('growing', 1, '2025-04-10', '2026-11-10'),
    // 25 of 101 products were observed after 2024.
    ...seen('shrinking', 25, '2025-04-10', '2026-11-10'),
    ...seen('shrinking', 76, '2024-12-31'),
  ]
  const { lake } = await ensureLake({ observations: rows.map(feedRow) })
  engine = await openEngine(lake, { as_of: AS_OF })
})

const coffee = { category: 'Grocery > Coffee' }
const spring = { from: '2025-02-01', to: '2025-05-01' }

const inflation = (given: Given) => ask(engine, 'analyst/inflation', { ...coffee, ...given })
const refusal = (given: Given) => refusalOf(engine, 'analyst/inflation', { ...coffee, ...given })

describe('at the end of an explicit window', () => {
  test.each([
    // 25 of 25 were observed in the 90 days before 1 May 2025.
    ['gone', '2025-05-01'],
    ['away', '2025-05-01'],
    ['growing', '2025-05-01'],
    // 90 days after 31 December all 76 are recent.
    ['shrinking', '2025-03-31'],
    // 90 days after 10 April all 25 are.
    ['gone', '2025-07-09'],
  ])('%s is serving before %s', async (retailer, to) => {
    await expect(inflation({ retailer, from: '2024-12-01', to })).resolves.toMatchObject({ retailer })
  })

  test.each([
    ['gone', '2025-07-10', 'stale'],
    ['new', '2025-05-01', null],
    ['away', '2025-08-01', 'stale'],
    ['growing', '2025-04-10', 'thin'],
    ['shrinking', '2025-05-01', 'stale'],
  ])('%s is not serving before %s', async (retailer, to, quality_status) => {
    expect(await refusal({ retailer, from: '2025-02-01', to })).toMatchObject({
      code: 'RETAILER_NOT_SERVING_ELIGIBLE',
      details: { retailer, quality_status },
    })
  })

  test('a refusal names the day and the retailers that were serving then', async () => {
    const { message, details } = await refusal({ retailer: 'new', ...spring })
    expect(message).toBe('retailer: "new" had no shelf in grocery, country us at the end of the window (2025-05-01)')
    expect(details.serving_eligible_retailers).toEqual(['away', 'gone', 'growing'])
  })

  test.each([
    ['analyst/retailer-index', coffee],
    ['marketing/promo-intelligence', coffee],
    ['marketing/brand-tracker', { brand: 'Acme' }],
    ['shopper/price-history', { q: 'Coffee 2025-03-01,2025-04-10 7' }],
  ])('%s applies the same rule', async (id, given) => {
    await expect(ask(engine, id, { ...given, ...spring, retailer: 'gone' })).resolves.toBeDefined()
    const refused = { code: 'RETAILER_NOT_SERVING_ELIGIBLE', details: { quality_status: 'stale' } }
    expect(await refusalOf(engine, id, { ...given, retailer: 'gone' })).toMatchObject(refused)
    expect(await refusalOf(engine, id, { ...given, retailer: 'gone', days: 1000 })).toMatchObject(refused)
  })
})

test.each([1, 2, 3])(
  'every shelf that served on a day of the random world %i is also serving at the end of a window',
  (seed) => {
    const days = listingDays(worldOf(seed))
    const cells = retailers.map((platform) => ({ platform, country: 'us', department: 'Grocery' }))
    let serving = 0
    for (let day = '2026-07-20'; day < WORLD_END; day = addDays(day, 3))
      for (const cell of cells)
        if (isServing(days, { ...cell, as_of: `${day}T00:00:00Z` })) {
          serving += 1
          expect(servedAtEnd(days, { ...cell, to: day }), `${cell.platform} ${day}`).toBe(true)
        }
    expect(serving).toBeGreaterThan(0)
  },
)

describe('at the current time', () => {
  test.each([{}, { days: 1000 }, { from: '2025-02-01' }, { from: '2025-02-01', to: '2027-01-01' }])(
    'a retailer is judged for the window %o',
    async (given) => {
      expect(await refusal({ ...given, retailer: 'gone' })).toMatchObject({
        message: 'retailer: "gone" is stale in grocery, country us',
      })
      await expect(inflation({ ...given, retailer: 'new' })).resolves.toBeDefined()
    },
  )
})

test('the number of products below which a shelf is thin applies at the end of a window too', async () => {
  const lake = await temporaryFolder()
  await refreshed(lake, { observations: seen('small', 2, '2025-04-10').map(feedRow) }, { thin_below: 2 })
  const small = await openEngine(lake, { as_of: AS_OF })
  const given = { ...coffee, ...spring, retailer: 'small' }
  await expect(ask(small, 'analyst/inflation', given)).resolves.toBeDefined()
})
