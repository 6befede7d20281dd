import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, askFiles, type Given } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { listing, type Observation, observed, priced, times } from '../../../support/rows.ts'

const rows: Observation[] = [
  ...priced('1', 100, { spelling: 'Acme' }),
  ...priced('2', 100, { spelling: 'ACME', shelf: ['Grocery', 'Coffee', 'Beans'] }),
  ...priced('3', 100, { spelling: 'ACME', country: 'ca', platform: 'beta' }),
  ...priced('4', 100, { spelling: 'N/A', shelf: ['Garden & Patio', 'Hoses'], platform: 'beta' }),
  // A day counts once. Seen before, and not in the last 90 days.
  ...observed(listing('5', { spelling: 'Bodum' }), { '2026-08-22': 100 }),
  { listing: listing('5', { spelling: 'Bodum' }), observed_at: '2026-08-22T20:30:05Z', price: 90 },
  ...times(24, 0).flatMap((_, i) => priced(`serving ${i}`, 100)),
]

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const askPublic = (name: string, params: Given = {}, as_of?: string) => ask(engine, `public/${name}`, params, as_of)

// 29 listings, each seen on one day. Nodes: garden and its hoses, grocery, coffee, beans; the leaves are hoses and beans.
test('stats count everything in the lake', async () => {
  expect(await askPublic('stats')).toEqual({
    products: { unique: expect.any(Number), listings: 29 },
    categories: { total: 5, leaves: 2, max_depth: 3 },
    retailers: { total: 2 },
    brands: { total: 2 },
    observations: { total: 29 },
    last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    fallback_for: null,
  })
})

const garden = { name: 'Garden & Patio', path: 'garden-and-patio', depth: 1, parent_path: null, product_count: 1 }
const grocery = { name: 'Grocery', path: 'grocery', depth: 1, parent_path: null, product_count: 28 }
const coffee = { name: 'Coffee', path: 'grocery/coffee', depth: 2, parent_path: 'grocery', product_count: 28 }
const beans = { name: 'Beans', path: 'grocery/coffee/beans', depth: 3, parent_path: 'grocery/coffee', product_count: 1 }
const hoses = {
  name: 'Hoses',
  path: 'garden-and-patio/hoses',
  depth: 2,
  parent_path: 'garden-and-patio',
  product_count: 1,
}

test.each([
  [{}, [garden, grocery]],
  [{ depth: 3 }, [garden, hoses, grocery, coffee, beans]],
  [{ parent_path: 'Grocery' }, [coffee]],
  [{ parent_path: 'grocery', depth: 2 }, [coffee, beans]],
  [{ parent_path: 'grocery/coffee/beans', depth: 3 }, []],
])('categories are filtered by %j', async (params, items) => {
  expect(await askPublic('categories', params)).toEqual({ items, total: items.length, limit: 200, offset: 0 })
})

test('a page of categories has the total of all pages', async () => {
  expect(await askPublic('categories', { depth: 3, limit: 2, offset: 1 })).toEqual({
    items: [hoses, grocery],
    total: 5,
    limit: 2,
    offset: 1,
  })
})

test('categories with an unknown parent are refused', async () => {
  await expect(askPublic('categories', { parent_path: 'grocer' })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { parameter: 'parent_path' },
  })
})

test('retailers have their products, countries and newest observation', async () => {
  expect(await askPublic('retailers')).toMatchObject({
    items: [
      { platform: 'alpha', product_count: 27, countries: ['us'], last_observed_at: '2026-11-10T12:00:00Z' },
      { platform: 'beta', product_count: 2, countries: ['ca', 'us'], last_observed_at: '2026-11-10T12:00:00Z' },
    ],
    total: 2,
  })
})

const acme = { brand: 'ACME', brand_norm: 'acme', product_count: 3 }
const bodum = { brand: 'Bodum', brand_norm: 'bodum', product_count: 1 }

test.each([
  [{}, [acme, bodum]],
  [{ q: 'B' }, [bodum]],
  [{ q: 'A.C' }, [acme]],
  [{ q: 'cme' }, []],
  [{ q: 'n/a' }, []],
])('brands are filtered by %j', async (params, items) => {
  expect(await askPublic('brands', params)).toEqual({ items, total: items.length, limit: 100, offset: 0 })
})

// Alpha's 27 listings in grocery: 26 were seen in the last 90 days, and one on 22 August. A brand has 3 of them.
const serving = {
  platform: 'alpha',
  country: 'us',
  category_root: 'grocery',
  priced_product_count: 27,
  recent_priced_product_count: 26,
  known_brand_product_count: 3,
  quality_status: 'serving',
  is_serving_eligible: true,
  last_observed_at: '2026-11-10T12:00:00Z',
}
const thin = {
  ...serving,
  platform: 'beta',
  country: 'ca',
  priced_product_count: 1,
  recent_priced_product_count: 1,
  known_brand_product_count: 1,
  quality_status: 'thin',
  is_serving_eligible: false,
}
const unbranded = { ...thin, country: 'us', category_root: 'garden-and-patio', known_brand_product_count: 0 }

test.each([
  [{}, [serving, thin, unbranded]],
  [{ country: 'us' }, [serving, unbranded]],
  [{ platform: 'BETA' }, [thin, unbranded]],
  [{ category_root: 'Grocery' }, [serving, thin]],
  [{ quality_status: 'stale' }, []],
])('coverage is filtered by %j', async (params, items) => {
  expect(await askPublic('coverage', params)).toEqual({ items, total: items.length, limit: 200, offset: 0 })
})

test.each<Given>([
  {},
  { country: 'us', limit: 1 },
  { country: 'ca', offset: 1 },
  { quality_status: 'thin' },
  { platform: 'nobody' },
])('coverage with %j is the same from memory and from files', async (params) => {
  const answer = JSON.stringify(await askPublic('coverage', params))
  expect(JSON.stringify(await askFiles(engine, 'public/coverage', params))).toBe(answer)
})

// In September only the listing of August had been observed: one is thin.
test('coverage as of the past ignores later observations', async () => {
  const { items } = await askPublic('coverage', {}, '2026-09-01T00:00:00Z')
  const one = { priced_product_count: 1, recent_priced_product_count: 1, known_brand_product_count: 1 }
  const past = { quality_status: 'thin', is_serving_eligible: false, last_observed_at: '2026-08-22T20:30:05Z' }
  expect(items).toEqual([{ ...serving, ...one, ...past }])
})
