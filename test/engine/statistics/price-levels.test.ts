import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceLevels, type SellerCounts } from '../../../engine/statistics/price-levels.ts'
import { mean } from '../../support/oracle.ts'
import { levelsOf } from '../../support/oracle-products.ts'

const SHOPS = ['0', '1', '2', '3', '4']
const products = fc.array(fc.dictionary(fc.constantFrom(...SHOPS), fc.integer({ min: 80, max: 200 }), { minKeys: 1 }), {
  minLength: 3,
  maxLength: 25,
})

const countsOf = (all: readonly Record<string, number>[]): SellerCounts[] =>
  all.flatMap((prices) => {
    const logs = Object.values(prices).map(Math.log)
    return Object.entries(prices).flatMap(([a, price]) =>
      Object.entries(prices).flatMap(([b, other]) => {
        if (Number(a) > Number(b)) return []
        const deviation = a === b ? Math.log(price) - mean(logs) : 0
        const square = BigInt(Math.round(deviation * deviation * 1e12))
        const common = {
          retailer: Number(a),
          other: Number(b),
          sellers: logs.length,
          n: 1,
          equal: Number(price === other),
        }
        return [{ ...common, deviation: BigInt(Math.round(deviation * 1e12)), square }]
      }),
    )
  })

test('levels are the least squares of products and retailers, and do not depend on what only one sells', () =>
  fc.assert(
    fc.property(products, (all) => {
      const shared = all.filter((prices) => Object.keys(prices).length > 1)
      const found = priceLevels(countsOf(all), 1)
      expect(found).toEqual(priceLevels(countsOf(shared), 1))
      const group = [...found.levels.keys()].map(String)
      const linked = shared.filter((prices) => group.includes(Object.keys(prices)[0]!))
      expect(found.prices).toBe(linked.reduce((sum, prices) => sum + Object.keys(prices).length, 0))
      if (group.length < 2) return
      const expected = levelsOf(
        linked.map((prices) => new Map(Object.entries(prices))),
        group,
      )
      const base = mean([...expected.values()])
      for (const [retailer, level] of found.levels)
        expect(Math.log(level!)).toBeCloseTo(expected.get(String(retailer))! - base, 5)
    }),
    { numRuns: 40 },
  ))

test('retailers that share no products have no common level', () => {
  const apart = [
    { 0: 100, 1: 110 },
    { 0: 200, 1: 220 },
    { 2: 300, 3: 310 },
  ]
  const { levels } = priceLevels(countsOf(apart), 1)
  expect([...levels.keys()]).toEqual([0, 1])
  expect(priceLevels(countsOf(apart), 3).levels.get(0)).toBeNull()
})
