import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, askFiles, type Given, refusalOf } from '../../../support/ask.ts'
import { ensureLake, openEngine } from '../../../support/given.ts'
import type { Row } from '../../../support/rows.ts'

let count = 0
/** An offer of a shop by its name and price; in stock, unless it says otherwise. */
const offer = (platform: string, product_name: string, price: string, more: Row = {}): Row => {
  count += 1
  return {
    platform,
    country: 'us',
    listing_id: `listing-${count}`,
    observed_at: '2026-11-10T12:00:00Z',
    price,
    availability: 'in stock',
    category_path: 'Everything',
    product_name,
    ...more,
  }
}

const GTIN = '4006381333931'

const feed: readonly Row[] = [
  // A text names a thing; others are for it, made of it or taste of it.
  offer('alpha', 'Zelta Nimbus KX-200 Laptop 15.6" 16GB Silver', '899.00', { brand: 'Zelta' }),
  offer('beta', 'Quill 14-Inch Laptop - Grey', '649.00', { brand: 'Quill' }),
  offer('alpha', 'Quill Laptop Backpack 15.6" Black', '39.00', { brand: 'Quill' }),
  offer('beta', 'Laptop Sleeve, Black', '12.00'),
  offer('beta', 'Charger for Zelta Laptops', '19.00'),
  offer('alpha', 'Bananas, per lb', '0.69'),
  offer('beta', 'Organic Bananas', '0.99'),
  offer('beta', 'Strawberry Banana Soft Drink 355 ml', '0.49'),
  offer('alpha', 'Banana Bread', '4.49'),
  offer('alpha', 'CROWN ROYAL', '29.99', { category_path: 'Spirits > Whisky > Canadian Whisky' }),
  offer('beta', 'CROWN ROYAL - PEACH', '27.99', { category_path: 'Spirits > Whisky > Flavoured Whisky' }),
  offer('beta', 'CROWN ROYAL - WHISKY LEMONADE CAN', '3.79', { category_path: 'Coolers > Spirit Coolers' }),
  offer('alpha', 'Sparkling Lemonade 1 L', '2.19'),
  offer('beta', 'Pink Lemonade 1 L', '1.99'),
  offer('beta', 'Peach Tea, Peach Jam and Peach Pie', '9.99'),
  offer('alpha', 'Yellow Peach', '0.99'),
  // Butter is no peanut butter.
  offer('alpha', 'Salted Butter 1 lb', '5.49'),
  offer('beta', 'Unsalted Butter 8 oz', '3.49'),
  offer('beta', 'Creamy Peanut Butter 16 oz', '2.49'),
  offer('beta', 'Peanut Butter Cups', '1.29'),
  offer('alpha', 'Peanuts, Roasted', '2.00'),
  // Sizes.
  offer('alpha', 'Fizz Cola 6 x 355 ml', '4.26'),
  offer('beta', 'Fizz Cola, 6 pack, 12 fl oz', '6.00'),
  offer('beta', 'Fizz Cola 2 L', '2.40'),
  offer('alpha', 'Fizz Cola', '1.00'),
  offer('alpha', 'Fizz Cola 355 ml', '1.19', { availability: 'out of stock' }),
  // One product at two shops, and others like it.
  offer('alpha', 'Orbit Kettle KT-9 1.7 L', '49.99', { gtin: GTIN, category_path: 'Home > Kettles' }),
  offer('beta', 'Kettle by Orbit, KT-9', '44.99', { gtin: GTIN, category_path: 'Home > Kettles' }),
  offer('beta', 'Orbit Kettle KT-9 Travel', '24.99', { category_path: 'Camping > Cooking' }),
  // In French.
  offer('alpha', "Beurre d'arachide crémeux 1 kg", '6.99', { country: 'ca', category_path: 'Épicerie > Tartinades' }),
  offer('alpha', 'Café moulu Crémerie 300 g', '7.99', { country: 'ca', category_path: 'Épicerie > Café' }),
  offer('alpha', 'Crème à café 18 % 1 L', '3.99', { country: 'ca', category_path: 'Épicerie > Crèmes' }),
  offer('beta', 'Yogourt grec à la vanille 750 g', '5.49', { country: 'ca', category_path: 'Épicerie > Yogourts' }),
  offer('beta', 'Gâteau au yogourt', '2.49', { country: 'ca', category_path: 'Épicerie > Gâteaux' }),
]

let engine: Engine
const best = (given: Given) => ask(engine, 'shopper/best-price', given)
beforeAll(async () => {
  const { lake } = await ensureLake({ observations: feed })
  engine = await openEngine(lake, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const names = (rows: readonly { product_name: string }[]) => rows.map(({ product_name }) => product_name)

describe('best-price compares the product itself rather than cheaper accessories:', () => {
  test.each<[string, readonly string[], number]>([
    ['laptop', ['Quill 14-Inch Laptop - Grey', 'Zelta Nimbus KX-200 Laptop 15.6" 16GB Silver'], 3],
    ['laptop backpack', ['Quill Laptop Backpack 15.6" Black'], 0],
    ['bananas', ['Bananas, per lb', 'Organic Bananas'], 2],
    ['crown royal', ['CROWN ROYAL', 'CROWN ROYAL - PEACH'], 1],
    ['butter', ['Unsalted Butter 8 oz', 'Salted Butter 1 lb'], 2],
    ['peanut butter', ['Creamy Peanut Butter 16 oz'], 1],
    ['zelta laptop', ['Zelta Nimbus KX-200 Laptop 15.6" 16GB Silver'], 1],
  ])('%s', async (q, expected, left_out) => {
    const answer = await best({ q })
    expect(names(answer.prices)).toEqual(expected)
    expect(answer.left_out).toBe(left_out)
    expect(answer.best_price).toEqual(answer.prices[0])
    expect(answer.product_name).toBe(expected[0])
  })

  test('price_summary covers only the compared offers', async () => {
    expect(await best({ q: 'bananas' })).toMatchObject({
      retailer_count: 2,
      products_matched: 4,
      ambiguous: true,
      price_summary: { min: 0.69, max: 0.99, avg: 0.84, median: 0.84 },
    })
  })

  test('alternatives name what is left out, one of each kind with its cheapest price', async () => {
    const { alternatives } = await best({ q: 'laptop' })
    expect(alternatives).toHaveLength(3)
    expect(alternatives).toContainEqual({
      product_uid: expect.stringMatching(/^p_/),
      product_name: 'Quill Laptop Backpack 15.6" Black',
      brand: 'Quill',
      price: 39,
      retailer: 'alpha',
    })
    expect((await best({ q: 'laptop backpack' })).alternatives).toEqual([])
    expect((await best({ product_uid: alternatives[0].product_uid })).best_price).toMatchObject({
      price: alternatives[0].price,
    })
  })
})

test('match_confidence is higher for a better match and 1 only for verified products or equal names', async () => {
  const { prices } = await best({ q: 'bananas' })
  const [plain, organic] = prices.map(({ match_confidence }: { match_confidence: number }) => match_confidence)
  expect(plain).toBe(1)
  expect(organic).toBeGreaterThan(0)
  expect(organic).toBeLessThan(1)
  const kettles = await best({ q: 'orbit kettle kt-9 1.7 l' })
  for (const { match_type, match_confidence } of kettles.prices)
    expect(match_confidence === 1).toBe(match_type === 'entity')
})

describe('the size of a product', () => {
  const units = async (given: Given) =>
    (await best(given)).prices.map(({ product_name, unit_price }: Record<string, unknown>) => [
      product_name,
      unit_price,
    ])

  // 4.26 / 2.13 L, 6.00 / (72 x 29.5735 ml), 2.40 / 2 L; in stock first.
  test('gives unit prices, by which offers can be sorted', async () => {
    expect(await units({ q: 'fizz cola' })).toEqual([
      ['Fizz Cola', null],
      ['Fizz Cola 2 L', { value: 0.12, per: '100 ml' }],
      ['Fizz Cola 6 x 355 ml', { value: 0.2, per: '100 ml' }],
      ['Fizz Cola, 6 pack, 12 fl oz', { value: 0.2818, per: '100 ml' }],
      ['Fizz Cola 355 ml', { value: 0.3352, per: '100 ml' }],
    ])
    const answer = await best({ q: 'fizz cola', sort: 'unit_price' })
    expect(names(answer.prices)).toEqual([
      'Fizz Cola 2 L',
      'Fizz Cola 6 x 355 ml',
      'Fizz Cola, 6 pack, 12 fl oz',
      'Fizz Cola',
      'Fizz Cola 355 ml',
    ])
    expect(answer.best_price).toMatchObject({ price: 2.4 })
    expect(answer.price_summary).toMatchObject({ min: 1, max: 6 })
  })

  test('in the text is compared with that of the offers, even in different units', async () => {
    expect(await best({ q: 'fizz cola 2000 ml' })).toMatchObject({
      product_name: 'Fizz Cola 2 L',
      dropped_terms: null,
      left_out: 4,
    })
    expect(names((await best({ q: 'fizz cola 355 ml' })).prices)).toEqual(['Fizz Cola 355 ml'])
  })
})

describe('a French product is found with or without accents:', () => {
  test.each([
    ['café moulu', 'Café moulu Crémerie 300 g'],
    ['CAFE MOULU', 'Café moulu Crémerie 300 g'],
    ['crème à café', 'Crème à café 18 % 1 L'],
    ['creme a cafe', 'Crème à café 18 % 1 L'],
    ['yogourt', 'Yogourt grec à la vanille 750 g'],
    ["beurre d'arachide", "Beurre d'arachide crémeux 1 kg"],
    ['beurre d’arachide', "Beurre d'arachide crémeux 1 kg"],
  ])('%s', async (q, expected) => {
    expect(names((await best({ q, country: 'ca' })).prices)).toEqual([expected])
  })
})

describe('the parameter category', () => {
  test('narrows the search, however it is spelt', async () => {
    expect((await best({ q: 'orbit kettle' })).prices).toHaveLength(2)
    expect(names((await best({ q: 'orbit kettle', category: 'Camping' })).prices)).toEqual(['Orbit Kettle KT-9 Travel'])
    expect(names((await best({ q: 'creme', country: 'ca', category: 'epicerie > cremes' })).prices)).toEqual([
      'Crème à café 18 % 1 L',
    ])
  })

  test.each(['best-price', 'price-history', 'price-drop-alert'])(
    'narrows %s and is refused as in other queries',
    async (name) => {
      const within = (category: string) => ask(engine, `shopper/${name}`, { q: 'orbit kettle', category })
      const window = { q: 'orbit kettle', category: 'camping' }
      expect((await ask(engine, `shopper/${name}`, window)).product_name).toBe('Orbit Kettle KT-9 Travel')
      await expect(within('qqqqzzzz')).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        details: expect.objectContaining({ parameter: 'category' }),
      })
      const refusal = await refusalOf(engine, `shopper/${name}`, { q: 'bananas', category: 'camping' })
      expect(refusal).toMatchObject({ code: 'NO_RESULTS', message: expect.stringContaining('category camping') })
    },
  )
})

test.each<Given>([
  { q: 'laptop' },
  { q: 'bananas', strict: true },
  { q: 'fizz cola', sort: 'unit_price' },
  { q: 'orbit kettle', category: 'home' },
])('best-price with %o is the same from memory and from files', async (given) => {
  expect(JSON.stringify(await askFiles(engine, 'shopper/best-price', given))).toBe(JSON.stringify(await best(given)))
})
