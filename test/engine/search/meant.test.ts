import { describe, expect, test } from 'vitest'
import { type Offer, searchAmong } from '../../support/search-among.ts'

const groceries: readonly Offer[] = [
  'Salted Butter, 1 lb',
  'Unsalted Butter',
  'Creamy Peanut Butter',
  'Roasted Peanuts',
  'Unsalted Peanuts',
  'Peanut Butter Cups',
  'Garlic Bread',
  'Rye Bread',
  'Chicken in Garlic Sauce',
  'Milk Chocolate',
  'Chocolate Milk',
  'Large Eggs, 12 ct',
  'Brown Eggs, 18 ct',
  'Strawberry Jam',
  'Green Tea',
  'Black Tea',
  'Mint Tea',
  'Green Tea Lemon Ginseng',
]

describe('every word of a query counts', () => {
  test('a word that nothing has refuses, with that word and what is there without it', async () => {
    const search = await searchAmong(groceries)
    expect(await search('rhubarb jam')).toMatchObject({
      code: 'NO_RESULTS',
      unknown_words: ['rhubarb'],
      nearest: [{ left_out: ['rhubarb'], name: 'Strawberry Jam', price: 1, retailer_count: 1 }],
    })
  })

  test('words that are never of one thing refuse, with the thing by what was left out', async () => {
    const search = await searchAmong(groceries)
    const refusal = await search('chocolate bread')
    expect(refusal).toMatchObject({ code: 'NO_RESULTS', unknown_words: [] })
    expect(refusal).toHaveProperty('nearest.0.left_out', ['chocolate'])
    expect(refusal).toHaveProperty('nearest.0.name', expect.stringMatching(/Bread/))
  })

  test('only trailing adjectives and years are dropped', async () => {
    const search = await searchAmong(groceries)
    expect(await search('rye bread large 2027')).toEqual({ names: ['Rye Bread'], dropped_terms: ['large', '2027'] })
    expect(await search('rye bread large 3870')).toMatchObject({ code: 'NO_RESULTS', unknown_words: ['3870'] })
    expect(await search('large rye bread')).toMatchObject({ code: 'NO_RESULTS' })
  })

  test('but for connectives, and how a thing is packed', async () => {
    const search = await searchAmong(groceries)
    for (const q of ['a jar of strawberry jam', 'some jam from strawberry'])
      expect(await search(q)).toEqual({ names: ['Strawberry Jam'], dropped_terms: null })
    expect(await search('one pound of salted butter')).toMatchObject({ names: ['Salted Butter, 1 lb'] })
  })
})

describe('the head noun', () => {
  test.each([
    ['butter', ['Salted Butter, 1 lb', 'Unsalted Butter']],
    ['peanut butter', ['Creamy Peanut Butter']],
    ['chocolate milk', ['Chocolate Milk']],
    ['bread', ['Garlic Bread', 'Rye Bread']],
  ])('of %s is that of the listings', async (q, names) => {
    expect(await (await searchAmong(groceries))(q)).toMatchObject({ names })
  })

  test('is missing where others are only made of what is asked for', async () => {
    const search = await searchAmong(groceries)
    expect(await search('garlic')).toMatchObject({ code: 'NO_RESULTS' })
    expect(await search('ginseng')).toMatchObject({ code: 'NO_RESULTS' })
  })

  test('is before its variety in a catalogue in German', async () => {
    const search = await searchAmong([
      'Alba Duschgel Africa',
      'Fenn Duschgel Sport',
      'Fenn Duschgel mit Aloe',
      'Tarn Duschgel',
      'Tarn Seife mit Honig',
    ])
    const found = (await search('duschgel')) as { names: string[] }
    expect(found.names).toHaveLength(4)
  })

  test('is before its variety in German also if no name ends with it, but not before another noun', async () => {
    const search = await searchAmong([
      ...['Alba Zahnseide antibakteriell', 'Fenn Zahnseide gewachst', 'Tarn Zahnseide mit Minze'],
      ...['Alba Bauernbrot Backmischung', 'Fenn Pizza Backmischung', 'Tarn Backmischung', 'Alba Seife und Creme'],
      ...['Trauben kernlos', 'Trauben rot', 'Fenn Erdbeerkonfitüre', 'Seife für Kinder', 'Tarn Seife mit Honig'],
    ])
    expect(await search('Zahnseide')).toHaveProperty('names.length', 3)
    expect(await search('Bauernbrot')).toMatchObject({ code: 'NO_RESULTS' })
    expect(await search('kernlose Trauben')).toMatchObject({ names: ['Trauben kernlos'] })
    expect(await search('Erdbeermarmelade')).toMatchObject({ names: ['Fenn Erdbeerkonfitüre'] })
  })

  test('is the kind after a dash, before what describes it', async () => {
    const search = await searchAmong([
      'CODOR - CAVA CLASICO BRUT',
      'FREIX - CAVA CORDON BRUT',
      'FREIX - BRUT',
      'MONT BRUT',
    ])
    expect(await search('cava')).toHaveProperty('names.length', 2)
  })

  test('is the first noun in a catalogue in Spanish', async () => {
    const search = await searchAmong([
      'Leche Entera Colún 1 L',
      'Leche con Chocolate Soprole 1 L',
      'Chocolate de Leche Costa',
      'Arroz con Leche Nestlé',
      'Arroz Tucapel para Sushi',
      'Salsa de Tomate',
      'Tomates en Conserva',
      'Limones de Pica',
    ])
    expect(await search('leche')).toMatchObject({
      names: ['Leche Entera Colún 1 L', 'Leche con Chocolate Soprole 1 L'],
    })
    expect(await search('leche entera')).toMatchObject({ names: ['Leche Entera Colún 1 L'] })
    expect(await search('tomate')).toMatchObject({ names: ['Tomates en Conserva'] })
    expect(await search('limon')).toMatchObject({ names: ['Limones de Pica'] })
    expect(await search('conserva de leche')).toMatchObject({ code: 'NO_RESULTS' })
  })
})

describe('without a listing of that head noun', () => {
  test('a brand or line that leads names of several kinds is meant', async () => {
    const search = await searchAmong([
      ['Zelta Nimbus Laptop', { brand: 'Zelta' }],
      ['Zelta Nimbus Monitor', { brand: 'Zelta' }],
      ['Case for Zelta Nimbus', { brand: 'Quill' }],
    ])
    expect(await search('zelta nimbus')).toMatchObject({ names: ['Zelta Nimbus Laptop', 'Zelta Nimbus Monitor'] })
  })

  test('a shelf of that name is meant', async () => {
    const search = await searchAmong([
      ['Glenorchy 12 Years', { category_path: 'Spirits > Scotch Whisky' }],
      ['Old Tor', { category_path: 'Spirits > Scotch Whisky' }],
      ['Silver', { category_path: 'Spirits > Tequila' }],
      ['Brie', { category_path: 'Cheese & Whisky' }],
    ])
    expect(await search('scotch whisky')).toMatchObject({ names: ['Glenorchy 12 Years', 'Old Tor'] })
    expect(await search('silver tequila')).toMatchObject({ names: ['Silver'] })
  })
})

describe('a name with a number', () => {
  const phones: readonly Offer[] = [
    'Apple iPhone 8 14 cm Display',
    'Apple iPhone 7',
    'Samsung Galaxy S8',
    'Samsung Galaxy S8 Plus',
    'Samsung Galaxy J3 S Line 8 GB',
    'Canon EOS 5Ds R 5 Body',
  ]

  test.each([
    ['iphone 7', ['Apple iPhone 7']],
    ['galaxy s8', ['Samsung Galaxy S8']],
    ['galaxy s8 plus', ['Samsung Galaxy S8 Plus']],
  ])('%s is that model', async (q, names) => {
    expect(await (await searchAmong(phones))(q)).toMatchObject({ names })
  })

  test.each(['iphone 14', 'galaxy s23', 'galaxy j8', 'canon eos r6'])('%s is no other model', async (q) => {
    expect(await (await searchAmong(phones))(q)).toMatchObject({ code: 'NO_RESULTS' })
  })
})

test('a name whose last word is the head noun of hardly any listing is meant whole', async () => {
  const drinks = ['Drink', 'Cola', 'Ginger Ale', 'Lemonade', 'Tonic'].flatMap((kind) =>
    ['Original', 'Sugarfree', 'Tropical'].map((line): Offer => `Red Bull ${line} ${kind}`),
  )
  const search = await searchAmong([...drinks, 'Red Bull', 'Red Cabbage'])
  const found = (await search('red bull')) as { names: string[] }
  expect(found.names).toHaveLength(16)
})

test('listings on a shelf named by the kind are meant, whatever their own names say', async () => {
  const shelf = { category_path: 'Appliances > Dishwashers' }
  const search = await searchAmong([
    ['Bosch SPS40E32', shelf],
    ['Bosch Slimline Dishwasher', shelf],
    ['Miele Dishwasher', shelf],
    ['Bosch Dishwasher Basket', { category_path: 'Spare Baskets' }],
  ])
  expect(await search('bosch dishwasher')).toMatchObject({ names: ['Bosch SPS40E32', 'Bosch Slimline Dishwasher'] })
})

test('an adjective is that of the name where a shelf has several kinds', async () => {
  const shelf = { category_path: 'Queso fresco y rallado' }
  const search = await searchAmong([
    ['Queso rallado Emmental', shelf],
    ['Queso fresco de Burgos', shelf],
  ])
  expect(await search('queso rallado')).toMatchObject({ names: ['Queso rallado Emmental'] })
})

describe('a size', () => {
  const bottles: readonly Offer[] = [
    ['Crown Whisky', { size_value: '0.75', size_unit: 'l' }],
    ['Crown Whisky', { size_value: '0.05', size_unit: 'l', platform: 'beta' }],
    ['Crown Whisky, 6 x 355 ml', { platform: 'gamma' }],
  ]
  test('is that of the title, else of the columns', async () => {
    const search = await searchAmong(bottles)
    expect((await search('crown whisky 50 ml')) as object).toMatchObject({ names: ['Crown Whisky'] })
    expect(await search('crown whisky 6 x 355 ml')).toMatchObject({ names: ['Crown Whisky, 6 x 355 ml'] })
    expect(await search('crown whisky 750')).toMatchObject({ names: ['Crown Whisky'] })
  })

  test('that no listing has refuses where sizes are known, and names what there is without it', async () => {
    const refusal = await (await searchAmong(bottles))('crown whisky 20 l')
    expect(refusal).toMatchObject({ code: 'NO_RESULTS', unknown_words: [] })
    expect(refusal).toHaveProperty('nearest.0.left_out', ['20l'])
  })

  const pods = ['Acme Coffee Pods, 12 ct', 'Acme Coffee Pods, 24 ct', 'Acme Coffee Pods, 48 ct'] as const
  test('of what is counted is the number', async () => {
    const search = await searchAmong(pods)
    expect(await search('coffee pods 24 ct')).toMatchObject({ names: [pods[1]] })
    expect(await search('coffee pods 36 ct')).toMatchObject({ code: 'NO_RESULTS' })
  })

  test('that only listings without a price have means these', async () => {
    const search = await searchAmong(pods)
    const isPriced = ({ product_name }: { product_name: string | null }): boolean => product_name !== pods[2]
    expect(await search('coffee pods', 'us', isPriced)).toMatchObject({ names: [pods[0], pods[1]] })
    expect(await search('coffee pods 48 ct', 'us', isPriced)).toMatchObject({ names: [pods[2]] })
  })
})

test('what has the number of a model only as a measure is not it', async () => {
  const search = await searchAmong(['Acme Phone 12', 'Acme Phone X 12 mp', 'Acme Phone Y, 6x zoom'])
  expect(await search('phone 12')).toMatchObject({ names: ['Acme Phone 12'] })
  expect(await search('phone 6')).toMatchObject({ code: 'NO_RESULTS' })
})

test('what few sell by volume is made of what most sell by weight', async () => {
  const weighed = [1, 2, 3, 4, 5].map((at): Offer => [`Honey ${at}`, { size_value: '250', size_unit: 'g' }])
  const search = await searchAmong([...weighed, ['Honey 6', { size_value: '500', size_unit: 'ml' }]])
  expect(await search('honey')).not.toMatchObject({ names: expect.arrayContaining(['Honey 6']) })
})

test('a part of the name of a brand does not mean its products', async () => {
  const search = await searchAmong([['Chili Paste Sambal', { brand: 'Flying Goose' }], 'Rye Bread'])
  expect(await search('goose')).toMatchObject({ code: 'NO_RESULTS' })
  expect(await search('flying goose')).toMatchObject({ names: ['Chili Paste Sambal'] })
})

describe('the spelling', () => {
  test('is corrected only if nothing has the word, and by its first letter', async () => {
    const search = await searchAmong(['Broccoli', 'Berry Mix', 'Perry Cider', 'Mozzarella', 'Mozarella Sticks'])
    expect(await search('brocoli')).toMatchObject({ names: ['Broccoli'] })
    expect(await search('xerry mix')).toMatchObject({ code: 'NO_RESULTS', unknown_words: ['xerry'] })
    expect(await search('mozarella sticks')).toMatchObject({ names: ['Mozarella Sticks'] })
  })

  test('is corrected by two letters where the words sound alike, and first by a doubled letter', async () => {
    const search = await searchAmong([
      'White Vinegar',
      'Lettuce',
      'Black Pepper',
      'Paper Cups',
      'Paper Plates',
      'Office Paper',
    ])
    expect(await search('vinager')).toMatchObject({ names: ['White Vinegar'] })
    expect(await search('lettus')).toMatchObject({ names: ['Lettuce'] })
    expect(await search('peper')).toMatchObject({ names: ['Black Pepper'] })
  })

  test('is corrected where few listings share the error and none has all words', async () => {
    const jams = Array.from({ length: 20 }, (_, number) => `Raspberry Jam, ${number + 100} g`)
    const search = await searchAmong([...jams, 'Rasberry Tea', 'Diced Tomatoes', 'Tomato Soup'])
    expect(await search('rasberry jam')).toMatchObject({ names: expect.arrayContaining(jams.slice(0, 3)) })
    expect(await search('rasberry tea')).toMatchObject({ names: ['Rasberry Tea'] })
    expect(await search('diced tomato')).toMatchObject({ names: ['Diced Tomatoes'] })
    expect(await search('tomatoe soup')).toMatchObject({ names: ['Tomato Soup'] })
  })
})

const milks = ['Γάλα Πλήρες 1 L', 'Молоко цельное 1 л', '全脂牛奶', 'حليب كامل الدسم', '우유 1리터']
test.each(milks)('a name in another script is found: %s', async (name) => {
  const search = await searchAmong([...milks, 'Whole Milk'])
  expect(await search(name)).toMatchObject({ names: [name] })
})
