import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addUp } from '../../../engine/counts/add-up.ts'
import {
  type PricesByReason,
  priceFloor,
  pricesByReason,
  representativeOf,
  withinFence,
} from '../../../engine/queries/representative.ts'
import { ValueCounts } from '../../../engine/statistics/value-counts.ts'

type Counted = { price: number; is_new?: boolean; is_accessory?: boolean; is_in_scope?: boolean; listings?: number }

/** Rows of counts in any order, as a statement gives them. */
const countsOf = (counted: readonly Counted[]): PricesByReason => {
  const column = (of: (row: Counted) => number) => Float64Array.from(counted, of)
  return addUp(pricesByReason, [
    {
      length: counted.length,
      keys: [
        column(({ is_new = true }) => Number(is_new)),
        column(({ is_accessory = false }) => Number(is_accessory)),
        column(({ is_in_scope = true }) => Number(is_in_scope)),
      ],
      value: column(({ price }) => price),
      n: column(({ listings = 1 }) => listings),
      sums: [],
      min: [column(() => 0)],
      max: [column(() => 0)],
      median: [],
    },
  ])
}

/** 0.50 USD. */
const LOWEST_FLOOR = 50

const sampleOf = (prices: readonly number[]): ValueCounts => ValueCounts.ofSample(Int32Array.from(prices))
const times = (n: number, price: number): number[] => Array.from({ length: n }, () => price)

describe('the floor', () => {
  test.each([
    [30, 1249, 125],
    [30, 1244, 124],
    [30, 1245, 125],
    [29, 100_000, 50],
    [30, 499, 50],
    [0, 0, 50],
  ])('of %d listings at %d cents is %d', (n, price, floor) => {
    expect(priceFloor(sampleOf(times(n, price)), LOWEST_FLOOR)).toBe(floor)
  })

  test('is computed over the whole category, whatever the retailer', () => {
    const category = countsOf([
      { price: 10_000, listings: 40, is_in_scope: false },
      { price: 900, listings: 2 },
      { price: 2000 },
    ])
    expect(representativeOf(category, LOWEST_FLOOR)).toMatchObject({ floor: 1000, excluded: { below_floor: 2 } })
  })
})

describe('the fence', () => {
  test('applies from ten prices on', () => {
    expect(withinFence(sampleOf([...times(8, 1000), 99_999])).n).toBe(9)
    expect(withinFence(sampleOf([...times(9, 1000), 99_999])).n).toBe(9)
  })

  // exp(0.15) = 1.1618.
  test('is 1.5 times 0.10 on logarithms where most prices are equal', () => {
    expect([...withinFence(sampleOf([...times(20, 1000), 860, 861, 1161, 1162])).values]).toEqual([861, 1000, 1161])
  })
})

test('each excluded listing is counted under the first rule that applies', () => {
  const { excluded, kept } = representativeOf(
    countsOf([
      { price: 1000, listings: 20 },
      { price: 10, is_new: false, is_accessory: true, listings: 2 },
      { price: 10, is_accessory: true, listings: 3 },
      { price: 49, listings: 4 },
      { price: 90_000, listings: 5, is_in_scope: false },
    ]),
    LOWEST_FLOOR,
  )
  expect(kept.n).toBe(20)
  expect(excluded).toEqual({ below_floor: 4, refurbished_or_used: 2, accessory_or_parts: 3, price_outliers: 0 })
})

test('the counts of two parts in any order represent the whole when they are joined', () => {
  const counted = fc.record({
    price: fc.integer({ min: 1, max: 5000 }),
    is_new: fc.boolean(),
    is_accessory: fc.boolean(),
    is_in_scope: fc.boolean(),
    listings: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(fc.array(counted), (whole) => {
      const first = whole.map((part) => ({ ...part, listings: Math.floor(part.listings / 3) }))
      const second = whole.map((part, i) => ({ ...part, listings: part.listings - first[i]!.listings }))
      const joined = representativeOf(countsOf([...second.toReversed(), ...first]), LOWEST_FLOOR)
      expect(joined).toEqual(representativeOf(countsOf(whole), LOWEST_FLOOR))
    }),
  )
})
