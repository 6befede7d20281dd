import { beforeAll, describe, expect, test } from 'vitest'
import { type Offer, searchAmong } from '../../support/search-among.ts'

const of = (brand: string, ...names: string[]): Offer[] => names.map((name) => [name, { brand }])
const offers: readonly Offer[] = [
  ...['Green Grapes Seedless', 'Green Grapes', 'Pitted Prunes', 'Prunes', 'Unsalted Butter', 'Salted Butter'],
  ...['Boneless Skinless Chicken Breasts', 'Chicken Breasts', 'Pork, Gluten-Free Gravy Mix', 'Pork Gravy Mix'],
  ...['Trauben kernlos', 'Trauben rot', 'Nagellackentferner Acetonfrei', 'Nagellackentferner mild'],
  'Organic Ground Turmeric',
  ...['Corn Chips', 'Potato Chips', 'AAA Batteries', 'AA Batteries', 'D Batteries'],
  ...of('Arm & Hammer', 'Oxi Clean Detergent', 'Oxi Clean Powder'),
  ...of('Scribo', 'Scribo Gel Pen Black', 'Scribo Pencil', 'Scribo Eraser'),
]

let search: ReturnType<typeof searchAmong>
beforeAll(() => {
  search = searchAmong(offers)
})

describe('what a thing is without, in the words of names', () => {
  test.each([
    ['green grapes with no seeds', ['Green Grapes Seedless']],
    ['green grapes without any seeds', ['Green Grapes Seedless']],
    ['prunes without pits', ['Pitted Prunes']],
    ['butter without salt', ['Unsalted Butter']],
    ['chicken breasts without skin or bones', ['Boneless Skinless Chicken Breasts']],
    ['gravy mix for pork without gluten', ['Pork, Gluten-Free Gravy Mix']],
    ['Trauben ohne Kerne', ['Trauben kernlos']],
    ['Nagellackentferner ohne Aceton', ['Nagellackentferner Acetonfrei']],
  ])('%s: %j', async (q, names) => expect(await (await search)(q)).toMatchObject({ names }))

  test.each(['prunes without stems', 'batteries without mercury'])('%s: nothing, since no name says so', async (q) =>
    expect(await (await search)(q)).toMatchObject({ code: 'NO_RESULTS' }),
  )
})

describe('the order and the joints of names', () => {
  test.each([
    ['chips made of corn', ['Corn Chips']],
    ['chips made from corn', ['Corn Chips']],
    ['arm and hammer oxiclean', ['Oxi Clean Detergent', 'Oxi Clean Powder']],
    ['oxiclean detergent', ['Oxi Clean Detergent']],
    ['triple a batteries', ['AAA Batteries']],
    ['double a batteries', ['AA Batteries']],
    ['turmeric powder', ['Organic Ground Turmeric']],
  ])('%s: %j', async (q, names) => expect(await (await search)(q)).toMatchObject({ names }))
})

describe('other orders and forms of names', () => {
  const others: readonly Offer[] = [
    ...['Milk Chocolate Covered Raisins', 'Golden Raisins', 'Milk Chocolate', 'Raisins', 'Garlic Stuffed Olives'],
    ...['Anti-Schuppen Shampoo', 'Shampoo Color', 'Shampoo'],
    ...of('Alba', 'Alba Shampoo', 'Alba Vertical Mouse', 'Alba Q500 Internal Hard Drive', 'Alba Almond Butter'),
    ...of('Fenn', 'Fenn Almond Butter', 'Fenn Coffee Pods', 'Fenn Paper Shredder'),
    ...['Junmai Sake', 'Ginjo Sake', 'Nigori Sake', 'Sake', 'Raw Agave Nectar', 'Horse Shampoo Brush'],
    ...['Seedless Grapes', 'Grapes', 'Trail Mix', 'Firm Tofu', 'Soft Tofu'],
  ]
  let among: ReturnType<typeof searchAmong>
  beforeAll(() => {
    among = searchAmong(others)
  })

  test.each([
    ['raisins coated in chocolate', ['Milk Chocolate Covered Raisins']],
    ['olives stuffed with garlic', ['Garlic Stuffed Olives']],
    ['Shampoo gegen Schuppen', ['Anti-Schuppen Shampoo']],
    ['shampoo alba', ['Alba Shampoo']],
    ['sake junmai', ['Junmai Sake']],
    ['agave syrup', ['Raw Agave Nectar']],
    ['fenn k-cups', ['Fenn Coffee Pods']],
    ['alba q500 ssd', ['Alba Q500 Internal Hard Drive']],
    ['document shredder', ['Fenn Paper Shredder']],
  ])('%s: %j', async (q, names) => expect(await (await among)(q)).toMatchObject({ names }))

  test.each([
    ['vertical mouse for wrist pain', ['Alba Vertical Mouse'], ['for wrist pain']],
    ['fenn almond butter spread', ['Fenn Almond Butter'], ['spread']],
    ['firm tofu block', ['Firm Tofu'], ['block']],
    ['nice seedless grapes', ['Seedless Grapes'], ['nice']],
  ])('%s: %j without %j', async (q, names, dropped_terms) =>
    expect(await (await among)(q)).toMatchObject({ names, dropped_terms }),
  )

  test.each(['alba shampoo for dogs', 'shampoo for wrist pain', 'chocolate raisins coated in tofu', 'alba ssd'])(
    '%s: nothing, since that is another thing',
    async (q) => expect(await (await among)(q)).toMatchObject({ code: 'NO_RESULTS' }),
  )
})

test('where nothing with the name is wanted, such as with a price, another name for the thing is', async () => {
  const among = await searchAmong(['Toilet Paper', 'Bath Tissue', 'Bath Towel'])
  const isWanted = ({ product_name }: { product_name: string | null }): boolean => product_name !== 'Toilet Paper'
  expect(await among('toilet paper')).toMatchObject({ names: ['Toilet Paper'] })
  expect(await among('toilet paper', 'us', isWanted)).toMatchObject({ names: ['Bath Tissue'] })
})

test('a noun of its own is no other kind by a shelf of several', async () => {
  const shelved = (shelf: string, ...names: string[]): Offer[] => names.map((name) => [name, { category_path: shelf }])
  const among = await searchAmong([
    ...shelved(
      'Pasta Rice and Grains',
      'Lentils',
      'Red Lentils',
      'Green Lentils',
      'Penne Pasta',
      'Egg Pasta',
      'Spelt Pasta',
    ),
    ...shelved('Canned Food', 'Steamed Lentils', 'Brown Lentils'),
  ])
  expect(await among('lentil pasta')).toMatchObject({ code: 'NO_RESULTS' })
  expect(await among('green lentils')).toMatchObject({ names: ['Green Lentils'] })
})

describe('the nearest products', () => {
  test('are those of the brand, without what they do not say', async () => {
    const refusal = await (await search)('scribo gel highlighter pens')
    expect(refusal).toHaveProperty('nearest.0', expect.objectContaining({ left_out: ['highlighter'] }))
    expect(await (await search)('scribo corn batteries')).toHaveProperty('nearest.0.left_out', ['corn', 'batteries'])
  })
})
