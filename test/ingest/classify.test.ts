import { beforeAll, describe, expect, test } from 'vitest'
import { barcodesIn } from '../../ingest/catalogue/classify.ts'
import { csv, type Lake, query, runFiles, single, table } from './feeds.ts'

const TAXONOMY = `path,name,parent_path,aliases,is_accessory,gpc_codes
home,Home & Kitchen,,,,
home/drinkware,Drinkware,home,"Cups|Glasses",,
home/drinkware/mugs,Mugs,home/drinkware,Coffee Cups,,10001145
home/parts,Lids,home,,true,
garden,Garden,,,,
`

type Attributes = Readonly<Record<string, string>>

const listings = (rows: readonly Attributes[]): string =>
  rows
    .map((row, index) => ({
      platform: 'acme',
      country: 'us',
      listing_id: String(index),
      observed_at: '2026-01-05',
      price: '1',
      ...row,
    }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('')

const together: Attributes[][] = []
let report: Lake

beforeAll(async () => {
  const rows = together.flatMap((all, group) => all.map((row, index) => ({ listing_id: `${group} ${index}`, ...row })))
  report = await runFiles({ 'price_observations/a.jsonl': listings(rows) })
})

const columnOf = async (lake: Lake, column: string): Promise<Map<unknown, unknown>> => {
  const classified = await query(`
    SELECT product_id, ${column} AS text FROM ${table(lake, 'listings')} AS listing
    JOIN ${single(lake, 'categories')} AS category USING (category_id)`)
  return new Map(classified.map(({ product_id, text }) => [product_id, text]))
}

/** Adds listings to the one refresh without a taxonomy, with brands of their own; a column of them, in their order. */
const reading = (rows: Attributes[], column: string): (() => Promise<unknown[]>) => {
  const group = together.push(rows) - 1
  return async () => {
    const texts = await columnOf(report, column)
    return rows.map((_, index) => texts.get(`${group} ${index}`))
  }
}

describe('a category path', () => {
  test('is assigned to its node in the taxonomy, else to the longest matching part of its path, else to none', async () => {
    const texts = [
      'Home & Kitchen > Drinkware > Mugs',
      'home/drinkware/mugs',
      'Home and Kitchen > Drinkware > Mug',
      'Home & Kitchen > Coffee Cups',
      'Home & Kitchen > Napkins',
      'Home & Kitchen > Drinkware > Steins > Bavarian',
      'Toys > Dolls',
      '',
      'GARDEN',
    ]
    const rows = texts.map((category_path) => ({ category_path }))
    const files = { 'price_observations/a.jsonl': listings(rows), 'category_taxonomy/t.csv': TAXONOMY }
    const paths = await columnOf(await runFiles(files), 'path')
    expect(texts.map((_, index) => paths.get(String(index)))).toEqual([
      'home/drinkware/mugs',
      'home/drinkware/mugs',
      'home/drinkware/mugs',
      'home/drinkware/mugs',
      'home',
      'home/drinkware',
      'uncategorized',
      'uncategorized',
      'garden',
    ])
  })

  const withoutTaxonomy = ['Home > Mugs & Cups', 'HOME > mugs and cups', '***', 'A > B']
  const ownPaths = reading(
    withoutTaxonomy.map((category_path) => ({ category_path })),
    'path',
  )
  test('creates its own nodes where there is no taxonomy', async () => {
    expect(await ownPaths()).toEqual(['home/mugs-and-cups', 'home/mugs-and-cups', 'uncategorized', 'a/b'])
  })

  test('has the number of listings in its whole subtree', async () => {
    const report = await runFiles({
      'price_observations/a.jsonl': listings(
        ['Home & Kitchen', 'Home & Kitchen > Drinkware > Mugs', 'Home & Kitchen > Drinkware', 'Garden'].map(
          (category_path) => ({ category_path }),
        ),
      ),
      'category_taxonomy/t.csv': TAXONOMY,
    })
    const counts = await query(`SELECT path, product_count, aliases, gpc_codes FROM ${single(report, 'categories')}`)
    expect(counts).toMatchObject([
      { path: 'garden', product_count: 1, aliases: [] },
      { path: 'home', product_count: 3 },
      { path: 'home/drinkware', product_count: 2, aliases: ['Cups', 'Glasses'] },
      { path: 'home/drinkware/mugs', product_count: 1, gpc_codes: ['10001145'] },
      { path: 'home/parts', product_count: 0 },
    ])
  })

  test('is matched with the taxonomy of an earlier refresh', async () => {
    const files = { 'price_observations/a.jsonl': listings([{ category_path: 'Coffee Cups' }]) }
    const first = await runFiles({ ...files, 'category_taxonomy/t.csv': TAXONOMY })
    const later = listings([{ category_path: 'Glasses', observed_at: '2026-01-06' }])
    const second = await runFiles({ 'price_observations/b.jsonl': later }, { lake: first.lake })
    const paths = `SELECT path FROM ${table(second, 'listings')} JOIN ${single(second, 'categories')} USING (category_id)`
    expect(await query(paths)).toEqual([{ path: 'home/drinkware' }])
  })
})

describe('a brand', () => {
  const spellings = reading(
    [
      { brand: 'Kiln & Co.' },
      { brand: 'KILN' },
      { brand: 'KILN' },
      { brand: 'Zed' },
      { brand: 'ZED' },
      { brand: 'n/a' },
      { brand: '' },
      { brand: 'No Name' },
      { brand: 'No Name', country: 'ca' },
      {},
    ],
    'brand',
  )
  test('has its most frequent spelling, and placeholders of its country are not brands', async () => {
    expect(await spellings()).toEqual(['KILN', 'KILN', 'KILN', 'ZED', 'ZED', null, null, null, 'No Name', null])
  })

  const wordings = reading([{ brand: 'Visit the Oven &  Co.® Store' }, { brand: 'Brand: Zip' }], 'brand')
  test('is stored without the wording of a shop or trademark signs', async () => {
    expect(await wordings()).toEqual(['Oven & Co.', 'Zip'])
  })

  test('keeps its number in later refreshes', async () => {
    const first = await runFiles({ 'price_observations/a.jsonl': listings([{ brand: 'Mid' }, { brand: 'Zed' }]) })
    const more = listings([{ brand: 'Zed', observed_at: '2026-02-01' }, {}, { brand: 'Ash' }])
    const second = await runFiles({ 'price_observations/b.jsonl': more }, { lake: first.lake })
    const brands = `SELECT brand_id, brand_norm, product_count FROM ${single(second, 'brands')}`
    expect(await query(brands)).toEqual([
      { brand_id: 2, brand_norm: 'zed', product_count: 2 },
      { brand_id: 3, brand_norm: 'ash', product_count: 1 },
    ])
  })
})

describe('a barcode', () => {
  test.each([
    ['036000291452', ['036000291452']],
    ['["036000291452", "4006381333931"]', ['036000291452', '4006381333931']],
    ["['08033413003063']", ['08033413003063']],
    ['[036000291452, 4006381333931]', ['036000291452', '4006381333931']],
    ['036000291452|4006381333931;87000007604', ['036000291452', '4006381333931', '87000007604']],
    ['0 36000 29145 2', ['0 36000 29145 2']],
    ['[]', []],
  ])('in %s is split into its codes', (text, codes) => {
    expect(barcodesIn(text)).toEqual(codes)
  })

  const smallest = reading(
    [
      { gtin: '036000291452' },
      { gtin: '4006381333931|036000291452' },
      { gtin: '200000000004|4006381333931' },
      { gtin: '200000000004' },
      { gtin: '3.76002E+12' },
      { gtin: '036000291453' },
    ],
    'gtin14',
  )
  test('is the smallest of several that identifies a product, else the smallest valid one', async () => {
    expect(await smallest()).toEqual([
      '00036000291452',
      '00036000291452',
      '04006381333931',
      '00200000000004',
      null,
      null,
    ])
  })

  test('that is invalid is counted by reason, once per listing', async () => {
    const rows = [{ gtin: '3.76002E+12' }, { gtin: '3.76002E+12' }, { gtin: '036000291453' }, { gtin: '12' }]
    const report = await runFiles({ 'price_observations/a.jsonl': listings(rows) })
    expect(report.dropped_barcodes).toEqual({ bad_check_digit: 1, bad_length: 1, not_digits: 2 })
  })
})

const conditions = reading(
  [
    { condition: 'new' },
    { condition: 'NewCondition', product_name: 'Laptop (Renewed)' },
    { product_name: 'Laptop, refurbished' },
    { condition: 'used', product_name: 'Laptop' },
    { product_name: 'Oil filter used with mowers' },
    {},
  ],
  'condition',
)
test('the condition of a listing is read from its field and title', async () => {
  expect(await conditions()).toEqual(['new', 'refurbished', 'refurbished', 'used', 'new', 'new'])
})

test('a listing that is only in the catalogue has no price', async () => {
  const report = await runFiles({
    'price_observations/a.csv': csv('acme,us,1,2026-01-05,1.00,USD'),
    'product_catalogue/a.jsonl': `${JSON.stringify({ platform: 'acme', country: 'us', listing_id: '2', product_name: 'Vase', brand: 'Kiln' })}\n`,
  })
  const listing = `SELECT product_name, brand, price, first_day, observed_at FROM ${table(report, 'listings')} WHERE product_id = '2'`
  expect(await query(listing)).toEqual([
    { product_name: 'Vase', brand: 'Kiln', price: null, first_day: null, observed_at: null },
  ])
  expect(report.files).toMatchObject([{}, { feed: 'product_catalogue', rows_read: 1, kept: 1 }])
  expect(report.counts).toMatchObject({ listings: 2, observations: 1 })
})
