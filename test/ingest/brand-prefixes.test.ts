import { beforeAll, describe, expect, test } from 'vitest'
import { query, runFiles, single, table } from './feeds.ts'

const HEADING = 'platform,country,listing_id,observed_at,price,product_name,brand,category_path'

type Line = readonly [name: string, brand?: string, category?: string]

/** A refresh of one listing a line under a description. */
const refreshed = (description: object, lines: readonly Line[]) => {
  const rows = lines.map(
    ([name, brand = '', category = ''], i) => `shop,us,${i},2026-10-01T00:00:00Z,1.00,"${name}",${brand},${category}`,
  )
  return runFiles({
    'price_observations/a.csv': `${[HEADING, ...rows].join('\n')}\n`,
    'price_observations/feed.json': JSON.stringify(description),
  })
}

/** The brand of each listing by its key, in the order of the lines. */
const brandsOf = async (brand_prefixes: readonly string[], lines: readonly Line[]) => {
  const report = await refreshed({ brand_prefixes }, lines)
  const keys = await query(
    `SELECT brand_norm FROM ${table(report, 'listings')} LEFT JOIN ${single(report, 'brands')} USING (brand_id)
     ORDER BY product_id::INTEGER`,
  )
  return keys.map(({ brand_norm }) => brand_norm)
}

describe('a brand that begins a name', () => {
  const names: [name: string, brand: string | null][] = [
    ['Cooler Master Hyper 212', 'coolermaster'],
    ['COOLER MASTER Hyper 212', 'coolermaster'],
    ['Cooler Master', 'coolermaster'],
    ['Cooler Masterly 5', 'cooler'],
    ['Cooler-Master 5', 'cooler'],
    ['be quiet! Pure Rock', 'bequiet'],
    ['be quiet!Pure', 'be'],
    ['PC Power & Cooling 500', 'pcpowerandcooling'],
    ['Pcie riser', null],
    ['My Cooler Master fan', null],
  ]
  let brands: unknown[]
  beforeAll(async () => {
    const prefixes = ['PC', 'Cooler', 'be', 'Cooler Master', 'be quiet!', 'PC Power & Cooling']
    brands = await brandsOf(
      prefixes,
      names.map(([name]) => [name]),
    )
  })

  test.each(names.map(([name, brand], index) => ({ name, brand, at: index })))(
    'of "$name" is $brand',
    ({ brand, at }) => {
      expect(brands[at]).toBe(brand)
    },
  )

  test('is any first word where the list contains an asterisk', async () => {
    const names: Line[] = [['ASRock B650M'], ['Lian Li O11'], ['  NZXT H5'], ['N/A thing'], ['']]
    expect(await brandsOf(['*', 'Lian Li'], names)).toEqual(['asrock', 'lianli', 'nzxt', null, null])
  })

  test('is overridden by a brand that the feed states, even a placeholder', async () => {
    const lines: Line[] = [
      ['Asus PRIME', 'Asustek'],
      ['Asus PRIME', 'Generic'],
      ['Asus PRIME', ' '],
    ]
    expect(await brandsOf(['Asus'], lines)).toEqual(['asustek', null, 'asus'])
  })
})

test('category_root is placed above every category and contains listings without one', async () => {
  const lines: Line[] = [
    ['a', '', 'cpu'],
    ['b', '', 'Case > Mini'],
    ['c', '', ''],
  ]
  const report = await refreshed({ category_root: 'Computer Parts' }, lines)
  const nodes = `SELECT path, department, product_count FROM ${single(report, 'categories')} ORDER BY category_id`
  expect(await query(nodes)).toEqual([
    { path: 'computer-parts', department: 'computer-parts', product_count: 3 },
    { path: 'computer-parts/case', department: 'computer-parts', product_count: 1 },
    { path: 'computer-parts/case/mini', department: 'computer-parts', product_count: 1 },
    { path: 'computer-parts/cpu', department: 'computer-parts', product_count: 1 },
  ])
})

describe('a description is refused', () => {
  test.each([
    [{ brand_prefixes: [] }, /brand_prefixes/],
    [{ brand_prefixes: [' '] }, /brand_prefixes.*blank|blank.*brand_prefixes/],
    [{ category_root: ' > ' }, /category_root|a letter or digit/],
  ])('with %j', async (description, message) => {
    await expect(refreshed(description, [['a']])).rejects.toThrow(message)
  })

  test('that looks for brands in product_name where the file has no such column', async () => {
    const refused = await runFiles({
      'price_observations/a.csv': 'platform,country,listing_id,observed_at,price\n',
      'price_observations/feed.json': '{"brand_prefixes": ["*"]}',
    })
    expect(refused.status).toBe('refused')
    expect(refused.reasons).toEqual([expect.stringMatching(/a\.csv has no column product_name/)])
  })
})
