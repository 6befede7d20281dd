import { beforeAll, describe, expect, test } from 'vitest'
import { type Offer, searchAmong } from '../../support/search-among.ts'

describe('what people say for what names say', () => {
  const of = (brand: string, ...names: string[]): Offer[] => names.map((name) => [name, { brand }])
  const offers: readonly Offer[] = [
    ...of('Coca-Cola', 'Coca-Cola Zero Sugar, 6 x 710 mL', 'Classic, 2 L'),
    ...of('Red Bull', 'Energy Drink', 'Energy Drink Sugarfree', 'Red Bull Energy Drink, Sugar Free, 250 ml'),
    ...of('Loopios', 'Honey Nut Loopios Cereal', 'Apple Loopios Cereal', 'Loopios Cereal', 'Loopios Honey Bars'),
    ...of('Fizz', 'Fizz, 355mL Cans, 24 Pack', 'Fizz, 2 L'),
    ...['Real Mayonnaise', 'Plain Yogurt', 'Grilled Eggplant', 'Refrigerator', 'Fridge Magnet'],
    ...['Taco Seasoning Mix, 1 oz', 'Trail Mix', 'Italian Seasoning', 'Bath Tissue, 12 Rolls', 'Bath Tissue, 6 Rolls'],
    ...['Cabernet Sauvignon Red Wine, 3 liter', 'Cabernet Sauvignon', 'White Wine'],
    ...['Romaine Lettuce Hearts, Pack of 3', 'Iceberg Lettuce'],
    ...[
      'Brown Eggs, 12 Count',
      'Brown Eggs, 6 Count',
      'Rose Wine',
      'Glenmoor 12 YO',
      'Glenmoor 18 YO',
      'Sourdough Loaf',
    ],
  ]
  let search: ReturnType<typeof searchAmong>
  beforeAll(() => {
    search = searchAmong(offers)
  })

  test.each([
    ['mayo', ['Real Mayonnaise'], 'a short word'],
    ['yoghurt', ['Plain Yogurt'], 'a spelling'],
    ['aubergine', ['Grilled Eggplant'], 'the word of another country'],
    ['coke zero', ['Coca-Cola Zero Sugar, 6 x 710 mL'], 'another name of a brand'],
    ['coca cola classic', ['Classic, 2 L'], 'a brand that the name leaves out'],
    [
      'red bull sugar free',
      ['Energy Drink Sugarfree', 'Red Bull Energy Drink, Sugar Free, 250 ml'],
      'a brand and a modifier',
    ],
    ['loopios honey nut', ['Honey Nut Loopios Cereal'], 'a brand before its variety'],
    ['fizz 24 cans', ['Fizz, 355mL Cans, 24 Pack'], 'a pack by its containers'],
    ['bath tissue 6 rolls', ['Bath Tissue, 6 Rolls'], 'a pack by its pieces'],
    ['taco seasoning', ['Taco Seasoning Mix, 1 oz'], 'without a general word of the name'],
    ['cabernet sauvignon 3 liter', ['Cabernet Sauvignon Red Wine, 3 liter'], 'likewise, with a size'],
    ['brown eggs dozen', ['Brown Eggs, 12 Count'], 'a dozen where names count'],
    ['glenmoor 12 years old', ['Glenmoor 12 YO'], 'an age'],
    ['sourdoe loaf', ['Sourdough Loaf'], 'how it sounds'],
    ['iceberg lettuce for my salads', ['Iceberg Lettuce'], 'without what it is for'],
    ['iceberg lettuce, whatever is cheapest', ['Iceberg Lettuce'], 'without what is said besides'],
    ['iceberg lettuce for the weekend', ['Iceberg Lettuce'], 'likewise with an article'],
    ['24 pack of fizz', ['Fizz, 355mL Cans, 24 Pack'], 'a pack that states its count first'],
    ['romaine', ['Romaine Lettuce Hearts, Pack of 3'], 'without two of them'],
  ])('%s: %j, by %s', async (q, names) => {
    expect(await (await search)(q)).toMatchObject({ names })
  })
})

describe('what is said in other words where nothing is what it says', () => {
  const of = (brand: string, ...names: string[]): Offer[] => names.map((name) => [name, { brand }])
  const offers: readonly Offer[] = [
    ...['Whole Truffles', 'Coconut Milk, 13 fl oz', 'Oat Milk, 1 L', 'String Cheese', 'Cheddar Cheese', 'Swiss Cheese'],
    ...['Crushed Tomatoes, 28 oz', 'Diced Tomatoes, 28 oz', 'Olive Oil, 64 fl oz', 'Olive Oil, 16 fl oz'],
    ...['Fat Free Half & Half', 'Bath Tissue', 'Paper Towels', 'Dark Soy Sauce', 'Tomato Sauce', 'Chili Sauce'],
    ...['Corn Flakes Cereal', 'Oat Cereal', 'Garlic Flakes', 'Parsley Flakes', 'Camera', 'Digital Camera'],
    ...["FIFTH GENERATION - TITO'S HANDMADE", 'Polar Vodka', 'Fizz Party Vodka'],
    ...of('Pringles', 'Sour Cream & Onion Pringles Party Stacks'),
    ...of('Nabisco', 'Golden Oreo Sandwich Cookies', 'Mint Oreo Sandwich Cookies', 'Lemon Oreo Sandwich Cookies'),
    ...of('Mills', 'Apple Loopios Cereal', 'Honey Nut Loopios Cereal', 'Loopios Oat Cereal'),
    ...['Sour Cream', 'Chocolate Cookies', 'Mozzarella Sticks', 'Vista 32 Full HD TV', 'Vista 40 Full HD TV'],
    ...['Scout Walkie Talkie', 'Scout Two Way Radio', 'Ranger Two Way Radio', 'Polar Vodka, 50 ml', 'Meat Slice'],
  ]
  let search: ReturnType<typeof searchAmong>
  beforeAll(() => {
    search = searchAmong(offers)
  })

  test.each([
    ['canned coconut milk', ['Coconut Milk, 13 fl oz'], 'without how it is kept'],
    ['coconut milk canned', ['Coconut Milk, 13 fl oz'], 'likewise at the end'],
    ['string cheese sticks', ['String Cheese'], 'without the pieces'],
    ['crushed tomatoes can', ['Crushed Tomatoes, 28 oz'], 'without what it is packed in'],
    ['olive oil 64floz', ['Olive Oil, 64 fl oz'], 'a size in one word'],
    ['half n half', ['Fat Free Half & Half'], 'a letter for a word'],
    ['toilet paper', ['Bath Tissue'], 'other words for it'],
    [
      'walkie talkies',
      ['Ranger Two Way Radio', 'Scout Two Way Radio', 'Scout Walkie Talkie'],
      'the more usual words, too',
    ],
    ['polar vodka miniature', ['Polar Vodka, 50 ml'], 'a bottle by its name'],
    ['mozarella sticks', ['Mozzarella Sticks'], 'the usual spelling'],
    ['32 inch tv', ['Vista 32 Full HD TV'], 'inches without their unit'],
    ['dark soya sauce', ['Dark Soy Sauce'], 'another word for a part of it'],
    ['corn flakes', ['Corn Flakes Cereal'], 'a kind without its general word'],
    ['titos', ["FIFTH GENERATION - TITO'S HANDMADE"], 'the possessive after a dash'],
    ['pringles sour cream', ['Sour Cream & Onion Pringles Party Stacks'], 'a brand and the first words of a name'],
    ['mint oreo', ['Mint Oreo Sandwich Cookies'], 'the first words of a name with a line'],
    ['loopios', ['Apple Loopios Cereal', 'Honey Nut Loopios Cereal', 'Loopios Oat Cereal'], 'a line of one brand'],
  ])('%s: %j, by %s', async (q, names) => {
    const { names: means } = (await (await search)(q)) as { names: string[] }
    expect(means.toSorted()).toEqual(names)
  })

  test.each([
    'whole frozen fresh truffles black white',
    'digital camera bag',
    'frozen cookie sheets',
    'canned waffles',
    'meat slicer',
    'dark soy sauce for the Fizz',
  ])('%s: nothing, since what is left is less or another thing', async (q) =>
    expect(await (await search)(q)).not.toHaveProperty('names'),
  )
})

describe('what a thing is without, and the thing before its brand', () => {
  const of = (brand: string, ...names: string[]): Offer[] => names.map((name) => [name, { brand }])
  const offers: readonly Offer[] = [
    ...['Oat Crackers Gluten Free', 'Oat Crackers', 'Salted Butter', 'Mixed Nuts', 'Nut Granola'],
    ...['Green Olives, 300 g', 'Black Olives, 300 g', 'Cola No Sugar', 'Cola'],
    ...[
      'Alba Kapern in Essig',
      'Fenn Kapern',
      'Oberarm Messgerät',
      'Messgerät',
      'Tarn Pils 24 x 0,5 l',
      'Tarn Pils 0,5 l',
    ],
    ...of('Scribo', 'Scribo Gel Pen Black', 'Scribo Pencil', 'Scribo Eraser'),
  ]
  let search: ReturnType<typeof searchAmong>
  beforeAll(() => {
    search = searchAmong(offers)
  })

  test.each([
    ['oat crackers without gluten', ['Oat Crackers Gluten Free']],
    ['oat crackers that are gluten free', ['Oat Crackers Gluten Free']],
    ['cola without sugar', ['Cola No Sugar']],
    ['green olives in a jar', ['Green Olives, 300 g']],
    ['Kapern im Glas', ['Alba Kapern in Essig', 'Fenn Kapern']],
    ['Glas Kapern', ['Alba Kapern in Essig', 'Fenn Kapern']],
    ['Messgerät für den Oberarm', ['Oberarm Messgerät']],
    ['Kasten Tarn Pils 24 x 0,5', ['Tarn Pils 24 x 0,5 l']],
    ['pens scribo black', ['Scribo Gel Pen Black']],
  ])('%s: %j', async (q, names) => expect(await (await search)(q)).toMatchObject({ names }))

  test.each(['butter salt free', 'granola nut free', 'oat crackers without salt'])(
    '%s: nothing, since what lacks the word may be the opposite',
    async (q) => expect(await (await search)(q)).not.toHaveProperty('names'),
  )
})
