import { beforeAll, describe, expect, test } from 'vitest'
import { type Offer, searchAmong } from '../../support/search-among.ts'

const of = (brand: string, ...names: string[]): Offer[] => names.map((name) => [name, { brand }])
const on = (category_path: string, ...names: string[]): Offer[] => names.map((name) => [name, { category_path }])

const OFFERS: readonly Offer[] = [
  ...on('produce', 'Apricots', 'Pineapple Chunks', 'Green Grapes'),
  ...on('dried fruit', 'Dried Apricots', 'Dried Figs'),
  ...on('sweets', 'Sour Mints', 'Wintergreen Mints', 'Cinnamon Mints'),
  ...of('Windy', 'Fresh Mint Gum', 'Spearmint Gum', 'Bubble Gum', 'Cherry Gum'),
  ...of('Lagoon', 'Ramen Noodle Soup Chicken', 'Instant Lunch Ramen Noodle Soup Cups', 'Tomato Soup', 'Pea Soup'),
  ...['Miso Ramen Broth', 'Ramen Bowl Kit', 'Beef Broth', 'Chicken Broth', 'Vegetable Broth'],
  'Cork Bulletin Board 48 x 36 Natural Oak Frame',
  'Fabric Bulletin Board',
  'Cutting Board',
  ...['Oak Frame', 'Walnut Frame', 'Silver Frame', 'Gold Frame'],
  ...['Aldo 32 HD TV with table stand', 'Aldo 40 HD TV with table stand', 'Aldo 50 HD TV inc table stand'],
  ...['Aldo 55 HD TV', 'Aldo 65 HD TV', 'Monitor Stand', 'Speaker Stand', 'Plant Stand', 'Cake Stand'],
  ...['Rye Whisky & Maple Syrup', 'Corn Syrup', 'Golden Syrup', 'Agave Syrup'],
  ...[
    'Dish Soap Lime & Bergamot',
    'Hand Soap Pear and Bergamot',
    'Body Soap Plum & Bergamot',
    'Dish Soap',
    'Hand Soap',
  ],
  ...['Caffeine Free Mint Tea', 'Green Tea'],
  ...['Shelled Edamame', 'Black Beans', 'Red Beans'],
  ...['Cashew Beverage', 'Oat Beverage'],
]

describe('a thing in other words', () => {
  let search: ReturnType<typeof searchAmong>
  beforeAll(() => {
    search = searchAmong(OFFERS)
  })

  test.each([
    ['fresh apricots', ['Apricots'], 'what says nothing of how it is kept'],
    [
      'lagoon ramen',
      ['Instant Lunch Ramen Noodle Soup Cups', 'Ramen Noodle Soup Chicken'],
      'a word within the line of a brand',
    ],
    [
      'cork bulletin board',
      ['Cork Bulletin Board 48 x 36 Natural Oak Frame'],
      'the noun before the lengths of its sides',
    ],
    ['edamame beans', ['Shelled Edamame'], 'without a general word'],
    ['cashew milk', ['Cashew Beverage'], 'another name of what plants give'],
  ])('%s: %j, by %s', async (q, names) => {
    expect(await (await search)(q)).toMatchObject({ names })
  })

  test.each([
    ['fresh figs', 'which are dried'],
    ['fresh mint', 'an adjective before another noun, and what is not sold fresh'],
    ['maple syrup', 'one of two things that make another'],
    ['bergamot', 'a scent after another'],
    ['caffeine', 'which a name begins with and the thing is without'],
  ])('%s finds nothing: %s', async (q) => {
    expect(await (await search)(q)).toMatchObject({ code: 'NO_RESULTS' })
  })

  test('what a set comes with is not the set', async () => {
    expect(await (await search)('tv stand')).not.toMatchObject({
      names: expect.arrayContaining(['Aldo 32 HD TV with table stand']),
    })
  })
})

const SPANISH: readonly Offer[] = [
  ...on('huevos', 'Huevos de gallinas camperas', 'Huevos medianos'),
  ...on('especias', 'Romero de la casa', 'Perejil de la casa'),
  ...on('parafarmacia', 'Friegas de romero para masajes'),
  ...on('verdura', 'Espinacas', 'Piña natural de la casa'),
  ...on('congelado', 'Fresas enteras de la casa ultracongeladas', 'Guisantes de la casa ultracongelados'),
  ...on('gel', 'Gel de baño con aloe vera', 'Toallitas con aloe vera', 'Champú suave con aloe vera'),
  ...on('cerveza sin alcohol', 'Cerveza sin alcohol de la casa', 'Cerveza rubia sin alcohol'),
  ...on('carne', 'Burger de pollo', 'Burger de vacuno'),
  ...on('charcuteria', 'Jamón cocido en lonchas', 'Levadura fresca de la casa', 'Levadura fresca con sal'),
  ...Array.from({ length: 12 }, (_, n): Offer => [`Levadura fresca de panadero número ${n}`, { category_path: 'pan' }]),
]

describe('in Spanish', () => {
  let search: ReturnType<typeof searchAmong>
  beforeAll(() => {
    search = searchAmong(SPANISH)
  })

  test.each([
    ['huevos camperos', ['Huevos de gallinas camperas'], 'the other gender'],
    ['hamburguesas de pollo', ['Burger de pollo'], 'another word'],
    ['jamon york', ['Jamón cocido en lonchas'], 'another name, without accents'],
    ['guisantes congelados', ['Guisantes de la casa ultracongelados'], 'another word for how it is kept'],
    ['espinacas frescas', ['Espinacas'], 'what says nothing of how it is kept'],
  ])('%s: %j, by %s', async (q, names) => {
    expect(await (await search)(q)).toMatchObject({ names })
  })

  test.each([
    ['romero fresco', 'a spice'],
    ['aloe vera', 'which others are with'],
    ['alcohol', 'which things on the shelf are without'],
    ['fresas frescas', 'which are frozen, and no word is corrected to the other'],
  ])('%s finds nothing: %s', async (q) => {
    expect(await (await search)(q)).toMatchObject({ code: 'NO_RESULTS' })
  })
})
