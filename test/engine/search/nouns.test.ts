import { beforeAll, describe, expect, test } from 'vitest'
import { type Offer, searchAmong } from '../../support/search-among.ts'

describe('the noun of a name', () => {
  const offers: readonly Offer[] = [
    ...['Kombucha', 'Lemon Kombucha', 'Ginger Kombucha', 'Kombucha Blood Orange'],
    ...['Oranges', 'Blood Orange', 'Orange Juice', 'Orange Soda', 'Orange Marmalade', 'Orange Tea'],
    ...[
      'Fruits in the Forest Scented Candle',
      'Candle',
      'Grapefruit',
      'Pink Grapefruit',
      'Strait Cooler - Grapefruit Rosemary',
    ],
    ...['Gnocchi', 'Filled Gnocchi', 'Gnocchi, 500 g', 'Zelta 3 Button 2.4 GHz Mouse', 'Quill 5 Button 2.4 GHz Mouse'],
    ...['Quill GTX 960 Card', 'Zelta GTX 1070 Card', 'Quill 1080p Webcam', 'Skim Milk, 1 gal', 'Skim Milk, 1 qt'],
    ...['Pepperoni Pizza', 'Crust Pepperoni Pizza', 'Pepperoni Pizza Snacks', 'Sliced Pepperoni'],
    ...['Zelta Keyboard 1037 Piano Black', 'Quill Mouse Piano Black', 'Hafer Flocken zart, 500 g', 'Cognac - V.S.O.P.'],
    ...[
      'Penne, 500 g',
      'Penne Pasta, 1 kg',
      'Old Cheddar',
      'Old Cheddar Cheese',
      'Cheddar Cheese Crackers',
      'Blue Cheese',
    ],
    ['Wasabi Almonds', { brand: 'Quill' }],
    ['Wasabi Seaweed Snacks', { brand: 'Zelta' }],
    ...[
      'Lime Sparkling Water',
      'Sparkling Water',
      'Sparkling Water Lime',
      'Still Water',
      'Lime',
      'Key Lime Pie',
      'Lime Soap',
    ],
    ...[
      'Almond Breeze Almond Milk',
      'Almond Milk',
      'Sea Breeze',
      'Land Breeze',
      'Night Breeze',
      'Balsamic Vinegar of Modena',
    ],
    ...[
      'Balsamic Vinegar',
      '100% Whole Grain Quick Oats',
      'Quick Oats',
      'Corn Tortillas Soft Taco Size',
      'Corn Tortillas',
    ],
    ...['Zelta 4GB Stick Drive', 'Quill 8 GB Stick Drive', 'Stick Drive'],
    ...['Paper Shredder', 'Zelta Shredder', 'Quill 18 Sheet Shredder', 'Fitted Sheet', 'Cotton Sheet', 'Waxing Sheet'],
  ]
  let search: ReturnType<typeof searchAmong>
  beforeAll(() => {
    search = searchAmong(offers)
  })

  test.each([
    ['kombucha', ['Ginger Kombucha', 'Kombucha', 'Kombucha Blood Orange', 'Lemon Kombucha'], 'before its flavour'],
    ['candle', ['Candle', 'Fruits in the Forest Scented Candle'], 'after a place in its name'],
    ['gnocchi 500 g', ['Gnocchi, 500 g'], 'with its size'],
    ['shredder', ['Paper Shredder', 'Quill 18 Sheet Shredder', 'Zelta Shredder'], 'after a count'],
    ['pizza pepperoni', ['Crust Pepperoni Pizza', 'Pepperoni Pizza'], 'where the query puts it first'],
    ['flocken', ['Hafer Flocken zart, 500 g'], 'before a German adjective'],
    ['penne pasta', ['Penne Pasta, 1 kg', 'Penne, 500 g'], 'without a word that it implies'],
    ['cheddar', ['Old Cheddar', 'Old Cheddar Cheese'], 'before a word that it implies'],
    ['cheese', ['Blue Cheese', 'Old Cheddar Cheese'], 'after a kind of it'],
    ['cognac vsop', ['Cognac - V.S.O.P.'], 'with initials'],
    ['sparkling water lime', ['Lime Sparkling Water', 'Sparkling Water Lime'], 'where it is before two other words'],
    ['almond milk', ['Almond Breeze Almond Milk', 'Almond Milk'], 'after a line between words of the query'],
    ['balsamic vinegar', ['Balsamic Vinegar', 'Balsamic Vinegar of Modena'], 'before its origin'],
    ['quick oats', ['100% Whole Grain Quick Oats', 'Quick Oats'], 'after what it is made of'],
    ['corn tortillas', ['Corn Tortillas', 'Corn Tortillas Soft Taco Size'], 'before a size in words'],
    ['skim milk gallon', ['Skim Milk, 1 gal'], 'with a measure without a number'],
    ['What is the cheapest price for a gallon of skim milk?', ['Skim Milk, 1 gal'], 'in a question'],
    ['how much does a shredder cost', ['Paper Shredder', 'Quill 18 Sheet Shredder', 'Zelta Shredder'], 'in another'],
  ])('%s is found: %j, %s', async (q, names) => {
    expect(await (await search)(q)).toMatchObject({ names })
  })

  test.each([
    'rosemary',
    'button',
    'gnocchi 20 kg',
    'gtx 1080',
    'gtx 1080 super',
    'piano',
    'wasabi',
    'stick drive 3tb',
  ])(
    '%s is none: a flavour, a feature, a size far from all others, another model, a colour, a flavour of several brands, a capacity',
    async (q) => {
      expect(await (await search)(q)).toMatchObject({ code: 'NO_RESULTS' })
    },
  )
})

describe('a brand', () => {
  const of = (brand: string, ...names: string[]): Offer[] => names.map((name) => [name, { brand }])
  const offers: readonly Offer[] = [
    ...of('Pepo', 'Pepo Zero Sugar, 1 L', 'Soda', 'Diet Soda', 'Pepo Cans'),
    ...of('Fizz', 'Pepo Flavour for Fizz'),
    ...of('Cherry', 'Cherry JM-0300', 'Cherry G84-4100'),
    ...of('Alba', 'Dark Cherries', 'Potatoes'),
    ...of('Fenn', 'Cherries', 'Sweet Potatoes'),
    ...of('Tarn', 'Sour Cherries'),
  ]

  test.each([
    [
      'pepo',
      ['Diet Soda', 'Pepo Cans', 'Pepo Zero Sugar, 1 L', 'Soda'],
      'is meant by its name, whatever its listings are',
    ],
    ['cherries', ['Cherries', 'Dark Cherries', 'Sour Cherries'], 'is none of what others sell under its name'],
  ])('%s: %j, %s', async (q, names) => {
    expect(await (await searchAmong(offers))(q)).toMatchObject({ names })
  })
})

describe('in another language', () => {
  const names = {
    jp: [
      '明治おいしい牛乳 900ml',
      '牛乳石鹸 赤箱',
      '森永ヨーグルト 400g',
      'ヨーグルトチョコ',
      '伊藤園緑茶 2L',
      '緑茶アイス',
    ],
    kr: ['서울우유 1L', '우유식빵'],
    es: ['Nueces Peladas 200 g', 'Pan de Molde', 'Leche en Polvo', 'Chocolate con Nueces'],
    pt: ['Limões do Algarve', 'Pão de Forma', 'Leite com Chocolate', 'Sumo de Limão'],
    fr: ['Couches Taille 3', 'Gâteaux au Chocolat', 'Lait en Poudre'],
    de: ['Windel mit Klett', 'Nuss mit Honig', 'Keks und Nuss'],
    us: ['Vegetable Quiches', 'Milk with Honey'],
  }
  const offers = Object.entries(names).flatMap(([country, own]) =>
    own.map((name): Offer => [name, { country, ...(country === 'us' ? {} : { currency: 'EUR' }) }]),
  )

  let search: ReturnType<typeof searchAmong>
  beforeAll(() => {
    search = searchAmong(offers)
  })

  test.each([
    ['jp', '牛乳', '明治おいしい牛乳 900ml'],
    ['jp', 'ヨーグルト', '森永ヨーグルト 400g'],
    ['jp', '茶', '伊藤園緑茶 2L'],
    ['kr', '우유', '서울우유 1L'],
    ['es', 'nuez', 'Nueces Peladas 200 g'],
    ['pt', 'limao', 'Limões do Algarve'],
    ['fr', 'couche', 'Couches Taille 3'],
    ['fr', 'gateau', 'Gâteaux au Chocolat'],
    ['de', 'windeln', 'Windel mit Klett'],
    ['us', 'quiche', 'Vegetable Quiches'],
  ])('%s: %s is the last or first word of names, in any number', async (country, q, name) => {
    expect(await (await search)(q, country)).toEqual({ names: [name], dropped_terms: null })
  })

  test('a word without spaces is named whole where nothing has it', async () => {
    const refusal = await (await search)('豆乳飲料', 'jp')
    expect(refusal).toMatchObject({ code: 'NO_RESULTS', unknown_words: ['豆乳飲料'] })
  })
})
