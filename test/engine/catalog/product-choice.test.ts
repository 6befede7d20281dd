import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../engine/index.ts'
import { ask, refusalOf } from '../../support/ask.ts'
import { ensureLake, openEngine } from '../../support/given.ts'
import type { Row } from '../../support/rows.ts'

const offer = (listing_id: string, product_name: string, brand: string, category_path = 'Grocery > Bacon'): Row => ({
  platform: 'acme',
  country: 'us',
  listing_id,
  observed_at: '2026-11-18T12:00:00Z',
  price: '4.99',
  category_path,
  product_name,
  brand,
})

let engine: Engine
beforeAll(async () => {
  const { lake } = await ensureLake({
    observations: [
      offer('1', 'Mild Sugar-Cured Bacon', 'Maple Grove'),
      offer('2', 'Bacon, Mild Sugar Cured with Reduced Salt', 'Maple Grove'),
      offer('3', 'Thick Sliced Bacon', 'Harvest'),
      offer('4', 'Thick Sliced Bacon', 'Western Family'),
      offer('5', 'Sliced Bacon, Thick', 'Western Family'),
      offer('6', 'Popcorn with Bacon Flavor', 'Harvest', 'Grocery > Snacks'),
    ],
  })
  engine = await openEngine(lake, { as_of: new Date('2026-11-21T00:00:00Z') })
})

test.each([
  ['Mild Sugar-Cured Bacon', 'Mild Sugar-Cured Bacon'],
  ['maple grove mild sugar cured bacon', 'Mild Sugar-Cured Bacon'],
  ['thick sliced bacon from harvest', 'Thick Sliced Bacon'],
])('a text that has the name and brand of one product means it: %s', async (q, product_name) => {
  expect(await ask(engine, 'shopper/price-history', { q })).toMatchObject({ product_name })
})

test('a question lists the products that the text may mean, not others that have its words', async () => {
  const { details } = await refusalOf(engine, 'shopper/price-history', { q: 'bacon' })
  expect(details.products_matched).toBe(5)
  expect((details.alternates as { name: string }[]).map(({ name }) => name)).not.toContain('Popcorn with Bacon Flavor')
})

test.each(['sugar cured bacon', 'thick sliced bacon', 'western family thick sliced bacon', 'bacon'])(
  'a text that names several products, or none, is refused with a question: %s',
  async (q) => {
    const { code, details } = await refusalOf(engine, 'shopper/price-history', { q })
    expect({ code, parameter: details.parameter }).toEqual({ code: 'INVALID_PARAMS', parameter: 'q' })
  },
)
