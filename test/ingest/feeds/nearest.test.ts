import { expect, test } from 'vitest'
import { didYouMean, nearestName } from '../../../ingest/feeds/nearest.ts'

const candidates = ['product_name', 'brand', 'price', 'list_price', 'gtin']

test.each<[name: string, nearest: string | null]>([
  ['productname', 'product_name'],
  ['Product-Name', 'product_name'],
  ['brnad', 'brand'],
  ['brandd', 'brand'],
  ['pricee', 'price'],
  ['listPrice', 'list_price'],
  ['colour', null],
  ['', null],
])('the nearest name to %j is %s', (name, nearest) => {
  expect(nearestName(name, candidates)).toBe(nearest)
})

test('the suggestion names the nearest candidate, if there is one', () => {
  expect(didYouMean('brandd', candidates)).toBe(' (did you mean brand?)')
  expect(didYouMean('colour', candidates)).toBe('')
})
