import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { DAY_MS } from '../../engine/index.ts'
import { type AllReads, readsOf } from '../../engine/show/cli/reads.ts'
import { type Given, planOf } from '../support/ask.ts'
import { givenEngine } from '../support/given.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'

const beans = { category: 'Grocery > Coffee > Beans' }
const grocery = { department: 'Grocery' }
const october = { from: '2026-10-01', to: '2026-11-01' }

let engine: Engine

beforeAll(async () => {
  engine = await givenEngine(worldOf(2), { as_of: new Date(WORLD_END) })
})

const reads = async (id: string, given: Given, as_of?: string, of = engine): Promise<AllReads> =>
  readsOf(await of.explain(await planOf(of, id, given, as_of)))

const before = (moment: string, days: number): string =>
  new Date(Date.parse(moment) - days * DAY_MS).toISOString().replace('.000', '')

/** Files of a table that a query opens, however many scans it takes. */
const filesOf = ({ by_table }: AllReads, table: string): number =>
  by_table[table] ? by_table[table].files / by_table[table].scans : 0

test('a daily query for one month opens only the file of that month and country', async () => {
  const read = await reads('analyst/inflation', { ...beans, ...october, granularity: 'daily' })
  expect(filesOf(read, 'observations')).toBe(1)
  expect(filesOf(read, 'listing_months')).toBe(0)
  expect(filesOf(read, 'shelf_days')).toBe(1)
  expect(filesOf(read, 'listings')).toBe(0)
})

test('a query for whole months opens the roll-up of their year and no observations', async () => {
  const read = await reads('analyst/inflation', { ...beans, from: '2026-08-01', to: '2026-11-01' })
  expect(filesOf(read, 'listing_months')).toBe(1)
  expect(filesOf(read, 'observations')).toBe(0)
})

test('a query that includes part of a month reads the observations of that month', async () => {
  const read = await reads('analyst/inflation', { ...beans, from: '2026-08-15', to: '2026-11-01' })
  expect(filesOf(read, 'listing_months')).toBe(1)
  expect(filesOf(read, 'observations')).toBe(1)
})

test('a query opens the monthly roll-ups of the years that contain its whole months', async () => {
  // Of a world from October to February.
  const rows = worldOf(2).map((row) => ({ ...row, observed_at: before(row.observed_at, 270) }))
  const winter = await givenEngine(rows, { as_of: new Date(before(WORLD_END, 270)) })
  const filesFrom = async (from: string, to: string) => {
    const read = await reads('analyst/inflation', { ...beans, from, to, granularity: 'monthly' }, undefined, winter)
    return [filesOf(read, 'listing_months'), filesOf(read, 'observations')]
  }
  expect(await filesFrom('2025-12-01', '2026-02-01')).toEqual([2, 0])
  expect(await filesFrom('2025-11-01', '2026-01-01')).toEqual([1, 0])
  expect(await filesFrom('2026-01-01', '2026-02-01')).toEqual([1, 0])
  // The cut month is no reason to open the roll-up of its year.
  expect(await filesFrom('2025-12-15', '2026-02-01')).toEqual([1, 1])
  expect(await filesFrom('2025-12-15', '2026-01-15')).toEqual([0, 2])
})

test('a week across the end of a month opens two files', async () => {
  const read = await reads('analyst/inflation', {
    ...beans,
    from: '2026-09-28',
    to: '2026-10-05',
    granularity: 'weekly',
  })
  expect(filesOf(read, 'observations')).toBe(2)
})

test.each(['analyst/price-dispersion', 'analyst/category-summary'])(
  '%s reads current listings rather than observations',
  async (id) => {
    const read = await reads(id, beans)
    expect(filesOf(read, 'listings')).toBe(1)
    expect(filesOf(read, 'observations')).toBe(0)
  },
)

test('a query as of the past reads the observations of its days', async () => {
  const read = await reads('analyst/price-dispersion', { ...beans, days: 14 }, '2026-10-20T00:00:00Z')
  expect(filesOf(read, 'observations')).toBe(1)
})

/** Files opened of each table, those of two scans twice. */
const opened = ({ by_table }: AllReads): Record<string, number> =>
  Object.fromEntries(
    Object.entries(by_table)
      .map(([table, { files }]) => [table, files] as const)
      .filter(([, files]) => files > 0),
  )

const acme = { brand: 'Acme' }
const alpha = { retailer: 'alpha' }
const quarter = { from: '2026-08-01', to: '2026-11-01', granularity: 'monthly' }
const past = { days: 14 }
const shelf = { listings: 1 }

// The lake holds five months and two countries: a query opens the files of its own alone.
test.each<[id: string, given: Given, files: Record<string, number>, as_of?: string]>([
  ['public/stats', {}, { categories: 1 }],
  ['public/categories', {}, { categories: 1 }],
  ['public/retailers', {}, { retailers: 1 }],
  ['public/brands', {}, { brands: 1 }],
  ['public/coverage', {}, { listings: 4, department_days: 2, categories: 2, retailers: 1 }],
  ['marketing/share-of-shelf', beans, shelf],
  ['marketing/share-of-shelf', { ...beans, country: 'ca' }, shelf],
  ['marketing/competitive-landscape', beans, { listings: 3 }],
  ['marketing/price-positioning', { ...acme, ...beans }, shelf],
  ['marketing/price-positioning', acme, shelf],
  ['marketing/brand-breakdown', acme, shelf],
  ['marketing/brand-tracker', { ...acme, ...october }, { observations: 1, observation_times: 1, listings: 1 }],
  ['marketing/brand-tracker', { ...acme, ...quarter }, { listing_months: 1, observation_times: 3, listings: 1 }],
  ['marketing/promo-intelligence', { ...beans, ...october }, { observations: 1, shelf_days: 1 }],
  [
    'marketing/promo-intelligence',
    { ...beans, ...acme, ...october },
    { observations: 1, observation_times: 1, listings: 1 },
  ],
  ['analyst/inflation', { ...beans, ...october, granularity: 'daily' }, { observations: 1, shelf_days: 1 }],
  ['analyst/inflation', { ...beans, ...quarter }, { listing_months: 1, shelf_days: 1 }],
  ['analyst/price-dispersion', beans, { listings: 1 }],
  ['shopper/price-history', { q: 'Coffee 1', days: 90 }, { listing_days: 1 }],
  ['shopper/price-drop-alert', { q: 'Coffee 12', country: 'ca' }, { listing_days: 1 }],
  // The days of the listings and what they claim.
  ['shopper/price-reality', { q: 'Coffee 1' }, { listing_days: 2 }],
  // In two steps: which listings are representative follows from the prices of all.
  ['analyst/category-summary', beans, { listings: 2 }],
  ['analyst/retailer-index', { ...alpha, ...beans, ...october }, { observations: 1, shelf_days: 1, listings: 1 }],
  ['analyst/retailer-index', { ...alpha, ...quarter }, { listing_months: 1, shelf_days: 1, listings: 1 }],
  [
    'marketing/share-of-shelf',
    { ...beans, ...past },
    { ...shelf, observations: 1, observation_times: 1 },
    '2026-10-20T00:00:00Z',
  ],
  [
    'analyst/category-summary',
    { ...beans, ...past },
    { listings: 2, observations: 2, observation_times: 2 },
    '2026-10-20T00:00:00Z',
  ],
])('%s with %j opens %j', async (id, given, files, as_of) => {
  expect(opened(await reads(id, given, as_of))).toEqual(files)
})

test.each([
  ['analyst/inflation', { ...october, granularity: 'daily' }],
  ['analyst/inflation', october],
  ['analyst/price-dispersion', {}],
  ['analyst/category-summary', {}],
  ['analyst/retailer-index', { ...october, retailer: 'alpha' }],
  ['marketing/share-of-shelf', {}],
  ['marketing/competitive-landscape', {}],
  ['marketing/price-positioning', { brand: 'acme' }],
  ['marketing/promo-intelligence', october],
])('%s with %o reads fewer rows for a smaller scope', async (id, given) => {
  const [small, large] = await Promise.all([
    reads(id, { ...beans, ...given }),
    reads(id, { category: 'Grocery', ...given }),
  ])
  expect(small.rows).toBeLessThan(large.rows / 2)
})

test('a retailer filter reduces the rows that are read', async () => {
  const given = { ...grocery, ...october, granularity: 'daily' }
  const [ofRetailer, all] = await Promise.all([
    reads('analyst/inflation', { ...given, retailer: 'alpha' }),
    reads('analyst/inflation', given),
  ])
  expect(ofRetailer.by_table.observations?.rows).toBeLessThan(all.by_table.observations!.rows)
})
