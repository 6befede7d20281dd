import { beforeAll, describe, expect, test } from 'vitest'
import type { Catalog } from '../../../engine/catalog/catalog.ts'
import { findProduct, type ProductLookup } from '../../../engine/catalog/product.ts'
import { type Engine, EngineError, findQuery } from '../../../engine/index.ts'
import { ensureLake, openEngine } from '../../support/given.ts'
import type { Row } from '../../support/rows.ts'

/** A listing with one price; everything else has nothing to do with how it is found. */
const offer = (listing_id: string, product_name: string, more: Row = {}): Row => ({
  platform: 'alpha',
  country: 'us',
  listing_id,
  observed_at: '2026-11-10T12:00:00Z',
  price: '9.99',
  category_path: 'Things',
  product_name,
  ...more,
})

const HEADPHONES = 'Sony WH-1000XM4 Wireless Headphones, Black'
const BARCODE = '4548736112094'

const offers: readonly Row[] = [
  offer('B08MVGF24M', HEADPHONES, { brand: 'Sony', gtin: BARCODE, review_count: 900 }),
  offer('sku-1', 'Sony WH1000XM4 Headphones Black', { platform: 'beta', brand: 'Sony', gtin: BARCODE }),
  offer('ca-1', 'Sony WH-1000XM4 Casque', { country: 'ca', brand: 'Sony', gtin: BARCODE }),
  offer('case-1', 'Case for Sony WH-1000XM4 Headphones', { category_path: 'Things > Case Parts', review_count: 5000 }),
  offer('tea-1', 'Green Tea Bags, 100 Count', { review_count: 10 }),
  offer('tea-2', 'Green Tea Bags, 100 Count', { platform: 'beta', review_count: 400 }),
  offer('tea-3', 'Green Tea Bags Jasmine, 20 ct', { review_count: 9000 }),
  offer('tea-4', 'Green Tea Bags, 100 Count', {
    platform: 'gamma',
    review_count: 10,
    observed_at: '2026-11-12T12:00:00Z',
  }),
  offer('tea-5', 'Green Tea Bags, 100 Count', {
    platform: 'delta',
    review_count: 99,
    observed_at: '2025-11-12T12:00:00Z',
  }),
  offer('milk-1', 'Organic Whole Milk, 64 fl oz', { url: 'https://www.alpha.example/p/Organic-Milk/4711?lang=en#top' }),
  offer('milk-2', 'Chocolate Milk', {}),
  offer('milk-3', 'Milk Chocolate', { review_count: 50 }),
  offer('creme', 'Crème Brûlée Dessert Mix', { brand: 'Café Bleu', model: 'CB-77' }),
  offer('kettle-1', 'Tamano Kettle 1.7 L', { category_path: 'Things > Kettles', brand: 'Tamano', review_count: 3 }),
  offer('kettle-2', 'Kettle Descaler Tabs', { category_path: 'Things', review_count: 800 }),
  offer('upc-e', 'Orange Soda Can', { gtin: '04252614' }),
  offer('isbn', 'Paperback of Tales', { gtin: '9780306406157' }),
  offer('90210', 'Zip Code Doormat', { url: 'https://alpha.example/dp/90210' }),
]

let lake: string
let engine: Engine
let catalog: Catalog

beforeAll(async () => {
  lake = (await ensureLake({ observations: offers })).lake
  engine = await openEngine(lake, { as_of: new Date('2026-11-20') })
  catalog = await engine.catalog()
})

/** The answer, with each listing by the id its retailer gives it. */
const find = async (lookup: Partial<ProductLookup>) => {
  const product = await findProduct({ country: 'us', ...lookup }, catalog)
  const rows = product.listings.map(({ listing_id }) => listing_id)
  const sql = `SELECT listing_id, product_id FROM listing
    WHERE list_contains(string_split($rows::VARCHAR, ','), listing_id::VARCHAR)`
  const listings = await engine.rows(sql, { rows: rows.join(',') })
  const idOf = new Map(listings.map(({ listing_id, product_id }) => [listing_id, product_id as string]))
  return { ...product, ids: rows.map((row) => idOf.get(row)!) }
}

const refusalOf = (lookup: Partial<ProductLookup>): Promise<EngineError> =>
  find(lookup).then(
    ({ ids }) => {
      throw new Error(`found ${ids.join(', ')}`)
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(EngineError)
      return error as EngineError
    },
  )

describe('a text finds the listing that it describes', () => {
  test.each([
    ['as written', HEADPHONES, 'B08MVGF24M'],
    ['in any order', 'black headphones wireless sony', 'B08MVGF24M'],
    ['by some of its words', 'sony headphones wireless', 'B08MVGF24M'],
    ['without the hyphen of its model number', 'wh1000xm4 wireless', 'B08MVGF24M'],
    ['with a space in its model number', 'WH 1000 XM4 wireless', 'B08MVGF24M'],
    ['by a singular', 'wireless headphone sony', 'B08MVGF24M'],
    ['by the beginning of a word', 'sony wirel', 'B08MVGF24M'],
    ['with one letter more', 'sonny wireless', 'B08MVGF24M'],
    ['with one letter less', 'sony wirless', 'B08MVGF24M'],
    ['with another letter', 'sony wireleas headphones', 'B08MVGF24M'],
    ['with swapped letters', 'sony wierless headphones', 'B08MVGF24M'],
    ['with a word in two', 'sony head phones wireless', 'B08MVGF24M'],
    ['without accents', 'creme brulee', 'creme'],
    ['by its brand, which its name lacks', 'cafe bleu dessert mix', 'creme'],
    ['by its model, which its name lacks', 'cb77 dessert mix', 'creme'],
    ['by its size in other words', 'whole milk 64 ounces', 'milk-1'],
    ['by its size in one word', 'whole milk 64oz', 'milk-1'],
    ['by just its name, though another has the same words', 'chocolate milk', 'milk-2'],
    ['by just its name, the other way round', 'milk chocolate', 'milk-3'],
  ])('%s: %s', async (_, q, expected) => {
    const { ids, query, dropped_terms } = await find({ q })
    expect(ids[0]).toBe(expected)
    expect(query).toBe(q)
    expect(dropped_terms).toBeNull()
  })

  test('on the shelf it names before more popular ones', async () => {
    expect((await find({ q: 'kettles' })).ids).toEqual(['kettle-1', 'kettle-2'])
  })

  test.each([
    ['a barcode', BARCODE, 'B08MVGF24M'],
    ['a barcode with spaces', '4 548736 112094', 'B08MVGF24M'],
    ['a barcode with leading zeros', `0${BARCODE}`, 'B08MVGF24M'],
    ['a zero-suppressed barcode', '04252614', 'upc-e'],
    ['the barcode that it abbreviates', '042100005264', 'upc-e'],
    ['an ISBN of before 2007', '0-306-40615-2', 'isbn'],
    ["a retailer's id", 'b08mvgf24m', 'B08MVGF24M'],
    ["a retailer's id of digits", '90210', '90210'],
    ['an address', 'https://www.alpha.example/p/Organic-Milk/4711?lang=en', 'milk-1'],
    ['an address without scheme', 'alpha.example/p/organic-milk/4711?lang=en#reviews', 'milk-1'],
    ['an address with a query of its own', 'https://alpha.example/dp/90210?ref=abc', '90210'],
    ['an address that holds the id of its retailer', 'https://www.alpha.com/gp/product/B08MVGF24M/ref=x', 'B08MVGF24M'],
  ])('%s finds its listing', async (_, q, expected) => {
    expect((await find({ q })).ids[0]).toBe(expected)
  })

  test('an address does not find the listing with the same id of another retailer', async () => {
    expect((await refusalOf({ q: 'https://www.omega.com/product/B08MVGF24M' })).code).toBe('NO_RESULTS')
  })

  test('a uid in q finds its listing', async () => {
    const { product_uid, entity_uid } = await find({ q: HEADPHONES })
    expect((await find({ q: product_uid })).ids[0]).toBe('B08MVGF24M')
    if (entity_uid !== null) expect((await find({ q: entity_uid })).ids).toContain('B08MVGF24M')
  })
})

describe('the results are ordered', () => {
  test('by the match of the name, then by reviews, then by date, with outdated prices last', async () => {
    const { ids } = await find({ q: 'green tea bags 100 count' })
    expect(ids).toEqual(['tea-2', 'tea-4', 'tea-1', 'tea-5'])
  })

  test('by the matched share of the name before reviews', async () => {
    // Three of four words against three of five.
    expect((await find({ q: 'green tea bags' })).ids).toEqual(['tea-2', 'tea-4', 'tea-1', 'tea-5', 'tea-3'])
  })

  test('with products before their accessories', async () => {
    const { ids } = await find({ q: 'sony wh-1000xm4 headphones' })
    expect(ids.at(-1)).toBe('case-1')
  })

  test('the same way every time', async () => {
    const q = 'green tea'
    const once = await find({ q })
    for (let again = 0; again < 3; again += 1) expect(await find({ q })).toEqual(once)
  })
})

describe('terms that match nothing are dropped', () => {
  test('from the end, and only as many as necessary', async () => {
    const { ids, dropped_terms } = await find({ q: 'Sony wireless headphones gold edition 2027' })
    expect(ids[0]).toBe('B08MVGF24M')
    expect(dropped_terms).toEqual(['gold', 'edition', '2027'])
  })

  test('and if nothing remains, the refusal names the closest brands', async () => {
    const { details, message } = await refusalOf({ q: 'tomono qwertz' })
    expect(details).toMatchObject({ query: 'tomono qwertz', closest_brands: ['Tamano'] })
    expect(message).toContain('Closest brands: Tamano.')
  })

  test('but never from the beginning', async () => {
    expect((await refusalOf({ q: 'gold sony wireless headphones' })).code).toBe('NO_RESULTS')
  })
})

describe('only listings are found', () => {
  test('of the requested country', async () => {
    expect((await find({ q: 'sony wh-1000xm4', country: 'ca' })).ids).toEqual(['ca-1'])
    expect((await refusalOf({ q: 'green tea', country: 'ca' })).code).toBe('NO_RESULTS')
  })

  test('of the requested retailer', async () => {
    expect((await find({ q: 'sony wh-1000xm4', retailer: 'beta' })).ids).toEqual(['sku-1'])
    expect((await find({ q: BARCODE, retailer: 'beta' })).ids).toEqual(['sku-1'])
    expect((await refusalOf({ q: 'whole milk', retailer: 'beta' })).code).toBe('NO_RESULTS')
  })
})

describe('a uid', () => {
  test('selects its listing, whatever q says', async () => {
    const { product_uid } = await find({ q: 'case for sony wh-1000xm4 headphones' })
    const pinned = await find({ product_uid, q: 'green tea' })
    expect(pinned).toMatchObject({ ids: ['case-1'], product_uid, query: 'green tea', dropped_terms: null })
    expect(pinned.listings[0]?.match_type).toBe('entity')
  })

  test('of an entity finds its listings in the requested country', async () => {
    const { entity_uid } = await find({ q: HEADPHONES })
    if (entity_uid === null) throw new Error('no entity')
    const { ids, listings } = await find({ entity_uid })
    expect(ids).toEqual(['B08MVGF24M', 'sku-1'])
    expect(listings.every(({ match_type }) => match_type === 'entity')).toBe(true)
    expect((await find({ entity_uid, country: 'ca' })).ids).toEqual(['ca-1'])
    expect((await find({ entity_uid, retailer: 'beta' })).ids).toEqual(['sku-1'])
  })

  test.each(['p_UNKNOWN', 'e_UNKNOWN', '', "' OR 1=1 --", `gtin 0${BARCODE}`, 'name chocolate milk'])(
    '%s that does not exist is refused',
    async (uid) => {
      expect((await refusalOf({ product_uid: uid })).code).toBe('NO_RESULTS')
      expect((await refusalOf({ entity_uid: uid })).code).toBe('NO_RESULTS')
    },
  )
})

test('a plan is answered by an engine that has not searched before', async () => {
  const query = findQuery('shopper', 'best-price')!
  const plan = await engine.plan(query, query.params.parse({ q: HEADPHONES }))
  const another = await openEngine(lake, { as_of: new Date('2026-11-20') })
  expect(await another.run(plan)).toEqual(await engine.run(plan))
})

test('a text of more than fifty words is refused, unless it is the name of a listing', async () => {
  const words = Array.from({ length: 51 }, (_, i) => `word${i}`).join(' ')
  await expect(find({ q: words })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: 'q: has more than 50 words; send the name of a product',
  })
})

describe('a hostile text is answered or refused in the ordinary way:', () => {
  test.each([
    ['ten thousand letters', 'a'.repeat(10_000)],
    ['ten thousand short words', 'a b '.repeat(2500)],
    ['forty words', Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ')],
    ['words that all begin many others', 'gre tea bag cou son wir hea '.repeat(9)],
    ['emoji', '🎉🥑👩‍👩‍👧‍👦'],
    ['SQL', "'; DROP TABLE listing; -- $q::VARCHAR"],
    ['a regular expression', '(a+)+$ [[:alpha:]]* .{1000000} \\p{L}'],
    ['control characters', '\u0000\u0001\n\t\r\u202e\ufeff'],
    ['half a surrogate pair', '\ud83d tea \udc00'],
    ['marks', 'e\u0301'.repeat(3000)],
    ['digits', '9'.repeat(5000)],
    ['names of object members', '__proto__ constructor toString'],
    ['an address of nothing', `https://${'a.'.repeat(2000)}com/`],
    ['slashes', '/'.repeat(5000)],
    ['white space', ' '.repeat(5000)],
  ])('%s', async (_, q) => {
    const answer = await find({ q }).catch((error: unknown) => error)
    if (answer instanceof Error) expect(answer).toMatchObject({ name: 'EngineError', code: 'NO_RESULTS' })
    else expect((answer as { ids: string[] }).ids.length).toBeLessThanOrEqual(200)
  })
})
