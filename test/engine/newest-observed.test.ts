import { rm } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, EngineError, queries, queryId } from '../../engine/index.ts'
import { ask, type Given, planOf, refusalOf } from '../support/ask.ts'
import { ensureLake, givenEngine, openEngine } from '../support/given.ts'
import { postsOn } from '../support/posts.ts'
import { referenceFeeds } from '../support/reference.ts'
import { feedRow, type Listing, listing, observed } from '../support/rows.ts'
import { paramsFor } from '../support/world-queries.ts'

const AS_OF = '2026-11-21T00:00:00Z'

const seen = (id: string, days: readonly string[], of: Partial<Listing>) =>
  observed(listing(id, of), Object.fromEntries(days.map((day) => [day, 1000])))

const rows = [
  ...Array.from({ length: 25 }, (_, i) => seen(`acme ${i}`, ['2024-04-20', '2024-05-14'], { spelling: 'Acme' })).flat(),
  ...seen('bolt', ['2024-05-10'], { spelling: 'Bolt', shelf: ['Grocery', 'Tea'] }),
  ...seen('bolt beta', ['2024-03-02'], { spelling: 'Bolt', platform: 'beta' }),
  ...seen('hose', ['2024-05-12'], { shelf: ['Garden', 'Hoses'], product_name: 'Hose 3/4"' }),
  // Observed again after a year.
  ...seen('again', ['2023-01-05', '2024-02-05'], { spelling: 'Again', shelf: ['Garden', 'Rakes'] }),
]
const posts = [
  ...postsOn('2024-04-01', 1, { theme: 'long ago' }),
  ...postsOn('2024-05-02', 3, { brand_norms: ['acme'], theme: 'cold brew' }),
]

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of: new Date(AS_OF) }, posts)
})

const noonOf = (day: string): string => `${day}T12:00:00Z`

const newest = async (id: string, given: Given, as_of?: string): Promise<unknown> => {
  const { code, details } = await refusalOf(engine, id, given, as_of)
  expect(['NO_RESULTS', 'RETAILER_NOT_SERVING_ELIGIBLE', 'NOT_PUBLISHED']).toContain(code)
  return details.newest_observed_at
}

describe('newest_observed_at of a refusal', () => {
  test.each<[string, Given, string | null]>([
    ['of a category', { category: 'Grocery > Tea' }, noonOf('2024-05-10')],
    ['of a department, whose shelves all count', { department: 'Grocery' }, noonOf('2024-05-14')],
    ['of a category at a retailer', { category: 'Grocery > Coffee', retailer: 'beta' }, noonOf('2024-03-02')],
    ['of a country without a listing', { category: 'Grocery > Coffee', country: 'ca' }, null],
    ['of a retailer without a listing on the shelf', { category: 'Garden > Hoses', retailer: 'beta' }, null],
    [
      'of the category, where no retailer has that name',
      { category: 'garden', retailer: 'nobody' },
      noonOf('2024-05-12'),
    ],
  ])('is that %s', async (_, given, expected) => {
    for (const id of ['analyst/inflation', 'analyst/price-dispersion', 'analyst/category-summary'])
      expect(await newest(id, given), id).toBe(expected)
  })

  test.each<[string, string, Given, string | null]>([
    ['a brand', 'marketing/brand-tracker', { brand: 'bolt' }, noonOf('2024-05-10')],
    ['a brand in a country where it is not sold', 'marketing/brand-tracker', { brand: 'bolt', country: 'ca' }, null],
    ['a brand on a shelf', 'marketing/price-positioning', { brand: 'bolt', category: 'coffee' }, noonOf('2024-03-02')],
    ['a brand on a shelf', 'marketing/promo-intelligence', { brand: 'bolt', category: 'coffee' }, noonOf('2024-03-02')],
    ['a brand on a shelf', 'shopper/deal-finder', { brand: 'bolt', category: 'tea' }, noonOf('2024-05-10')],
    ['the scope, where no brand has that name', 'marketing/brand-tracker', { brand: 'zzxxqq' }, noonOf('2024-05-14')],
    [
      'the scope, where no brand has that name',
      'shopper/deal-finder',
      { brand: 'zzxxqq', category: 'tea' },
      noonOf('2024-05-10'),
    ],
    ['a product', 'shopper/best-price', { q: 'hose' }, noonOf('2024-05-12')],
    ['a product', 'shopper/price-history', { q: 'hose' }, noonOf('2024-05-12')],
    ['a product', 'shopper/price-drop-alert', { q: 'hose' }, noonOf('2024-05-12')],
    ['the country, where no product has that name', 'shopper/best-price', { q: 'zzxxqq' }, noonOf('2024-05-14')],
    ['posts', 'social/topic-trends', { category: 'grocery' }, noonOf('2024-05-02')],
    ['posts on a platform', 'social/brand-momentum', { category: 'grocery', platform: 'tiktok' }, null],
  ])('is that of %s: %s %o', async (_, id, given, expected) => {
    expect(await newest(id, given)).toBe(expected)
  })

  test('is that of the posts where none of them mentions a brand', async () => {
    const given = { category: 'grocery', window: '7d', status: 'falling' }
    const refused = await refusalOf(engine, 'social/brand-momentum', given, '2024-05-05T00:00:00Z')
    expect(refused).toMatchObject({ code: 'NO_RESULTS', details: { newest_observed_at: noonOf('2024-05-02') } })
  })

  test('is that of the product rather than of its shelf where there are no deals', async () => {
    const refused = await refusalOf(engine, 'shopper/deal-finder', { category: 'tea' }, '2024-05-15T00:00:00Z')
    expect(refused.message).toContain('10 % or more off')
    expect(refused.details.newest_observed_at).toBe(noonOf('2024-05-10'))
  })

  test('is before as_of', async () => {
    const tea = { category: 'Grocery > Tea' }
    expect(await newest('analyst/inflation', tea, '2024-05-10T00:00:00Z')).toBeNull()
    const coffee = { category: 'Grocery > Coffee', days: 5 }
    expect(await newest('analyst/price-dispersion', coffee, '2024-05-14T00:00:00Z')).toBe(noonOf('2024-04-20'))
    const dayOfTea = { category: 'Grocery > Tea', days: 1 }
    expect(await newest('analyst/price-dispersion', dayOfTea, '2024-05-13T00:00:00Z')).toBe(noonOf('2024-05-10'))
    expect(await newest('shopper/price-history', { q: 'again', days: 5 }, '2024-04-01T00:00:00Z')).toBe(
      noonOf('2024-02-05'),
    )
  })

  test('is the first day of a brand that was observed both before and after as_of', async () => {
    const brand = { brand: 'again' }
    expect(await newest('marketing/brand-tracker', brand, '2023-06-01T00:00:00Z')).toBe('2023-01-05T00:00:00Z')
    expect(await newest('marketing/brand-tracker', brand, '2024-05-01T00:00:00Z')).toBe(noonOf('2024-02-05'))
    expect(await newest('marketing/brand-tracker', brand)).toBe(noonOf('2024-02-05'))
  })
})

// The newest prices are of 14 May and of 12 May.
test.each([
  [
    'analyst/price-dispersion',
    { category: 'coffee' },
    '2025-05-14',
    'since 2025-02-13. The newest was on 2024-05-14: send days=365 to include it.',
  ],
  ['analyst/price-dispersion', { category: 'coffee' }, '2025-05-15', 'since 2025-02-14.'],
  [
    'shopper/best-price',
    { q: 'hose', days: 14 },
    '2025-05-12',
    'since 2025-04-28. The newest was on 2024-05-12: send days=365 to include it.',
  ],
  ['shopper/best-price', { q: 'hose', days: 14 }, '2025-05-13', 'since 2025-04-29.'],
  ['analyst/inflation', { category: 'coffee' }, '2025-05-14', 'from 2025-04-14 to 2025-05-12.'],
  ['shopper/price-drop-alert', { q: 'hose' }, '2025-05-12', 'from 2025-03-09 to 2025-05-12 and since 2025-04-07.'],
])(
  '%s of %o as of %s is refused with the advice to look further back only where that helps',
  async (id, given, day, ending) => {
    const { message } = await refusalOf(engine, id, given, `${day}T00:00:00Z`)
    expect(message.endsWith(` ${ending}`), message).toBe(true)
  },
)

test('newest_observed_at of a GPC code is that of its own listings', async () => {
  const typed = ['10008179', '10000115'].map((gpc_code, i) => ({
    ...feedRow(seen(`type ${i}`, [`2024-05-0${i + 1}`], { shelf: ['Grocery', 'Gifts'] })[0]!),
    gpc_code,
  }))
  const { lake } = await ensureLake({ observations: typed, files: referenceFeeds })
  const engine = await openEngine(lake, { as_of: new Date(AS_OF) })
  const refused = (category: string, more: Given = {}) =>
    refusalOf(engine, 'marketing/share-of-shelf', { category, ...more })
  expect((await refused('10008179')).details.newest_observed_at).toBe(noonOf('2024-05-01'))
  expect((await refused('50202600')).details.newest_observed_at).toBe(noonOf('2024-05-02'))
  // Nothing is of that type: what remains is the country, or the department.
  expect((await refused('10000116')).details.newest_observed_at).toBe(noonOf('2024-05-02'))
  expect((await refused('10000116', { country: 'ca' })).details.newest_observed_at).toBeNull()
})

describe('a scope last observed before the days of a query', () => {
  const cases: [string, Given][] = [
    ['analyst/inflation', { category: 'coffee' }],
    ['analyst/retailer-index', { retailer: 'alpha', from: '2024-05-15', to: '2024-06-01' }],
    ['marketing/brand-tracker', { brand: 'acme' }],
    ['marketing/price-positioning', { brand: 'acme' }],
    ['marketing/competitive-landscape', { category: 'tea' }],
    ['shopper/best-price', { q: 'hose' }],
    ['shopper/price-history', { q: 'hose' }],
    ['shopper/price-drop-alert', { q: 'hose', from: '2024-05-01', to: '2024-06-01' }],
    ['shopper/deal-finder', {}],
  ]
  test.each(cases)('is refused while %s is planned', async (id, given) => {
    await expect(planOf(engine, id, given)).rejects.toMatchObject({ code: 'NO_RESULTS' })
  })

  test('is refused without reading a file once the shelves of the day are in memory', async () => {
    const { lake } = await ensureLake({ observations: rows.map(feedRow) })
    const engine = await openEngine(lake, { as_of: new Date(AS_OF), warm: true })
    await refusalOf(engine, 'analyst/inflation', { category: 'coffee' })
    await rm(lake, { recursive: true })
    for (const [id, given] of cases)
      expect((await refusalOf(engine, id, given)).details.newest_observed_at, id).toMatch(/^2024-05-1\d/)
  })

  test('has an empty brand-breakdown whose note names the newest price', async () => {
    const { coverage, freshness } = await ask(engine, 'marketing/brand-breakdown', { brand: 'bolt' })
    expect(coverage.note).toBe(
      'Bolt has listings but no current price in country us; its newest price is from 2024-05-10.',
    )
    expect(freshness).toEqual({ observedThrough: null, staleHours: null })
  })
})

const CODES = ['NO_RESULTS', 'RETAILER_NOT_SERVING_ELIGIBLE']

describe.each(queries.map((query) => [queryId(query), query] as const))('%s', (id, query) => {
  test('has newest_observed_at in every refusal without results', async () => {
    const given = paramsFor(query)
    const variants = [
      given,
      { ...given, country: 'ca' },
      { ...given, retailer: 'nobody' },
      { ...given, brand: 'zzxxqq' },
    ]
    for (const params of [...variants, { ...given, q: 'zzxxqq' }, { ...given, from: '2001-01-01', to: '2001-02-01' }])
      try {
        await engine.run(await planOf(engine, id, params))
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        if (CODES.includes(error.code))
          expect(error.details, JSON.stringify(params)).toHaveProperty('newest_observed_at')
      }
  })
})
