import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../engine/index.ts'
import { ask, refusalOf } from '../../support/ask.ts'
import { ensureLake, openEngine } from '../../support/given.ts'
import type { Row } from '../../support/rows.ts'

const bacon = (listing_id: string, product_name: string, brand: string): Row => ({
  platform: 'acme',
  country: 'us',
  listing_id,
  observed_at: '2026-11-18T12:00:00Z',
  price: '4.99',
  category_path: 'Grocery > Bacon',
  product_name,
  brand,
})

let engine: Engine
beforeAll(async () => {
  const { lake } = await ensureLake({
    observations: [
      bacon('1', 'Mild Sugar-Cured Bacon', 'Maple Grove'),
      bacon('2', 'Bacon, Mild Sugar Cured with Reduced Salt', 'Maple Grove'),
      bacon('3', 'Thick Sliced Bacon', 'Harvest'),
      bacon('4', 'Thick Sliced Bacon', 'Western Family'),
      bacon('5', 'Sliced Bacon, Thick', 'Western Family'),
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

test.each(['sugar cured bacon', 'thick sliced bacon', 'western family thick sliced bacon', 'bacon'])(
  'a text that names several products, or none, is refused with a question: %s',
  async (q) => {
    const { code, details } = await refusalOf(engine, 'shopper/price-history', { q })
    expect({ code, parameter: details.parameter }).toEqual({ code: 'INVALID_PARAMS', parameter: 'q' })
  },
)
