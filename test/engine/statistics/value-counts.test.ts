import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ValueCounts } from '../../../engine/statistics/value-counts.ts'

const sorted = (sample: readonly number[]): number[] => sample.toSorted((a, b) => a - b)

/** Type 7 of a sorted sample. */
const quantile = (sample: readonly number[], share: number): number => {
  const place = (sample.length - 1) * share
  const [low, high] = [sample[Math.floor(place)]!, sample[Math.ceil(place)]!]
  return low + (high - low) * (place - Math.floor(place))
}

const countedIn = (sample: readonly number[]): ValueCounts =>
  ValueCounts.of(
    sample,
    sample.map(() => 1),
  )

const pairsOf = (counts: ValueCounts): [number, number][] =>
  Array.from(counts.values, (value, i) => [value, counts.countAt(i)])

const prices = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2_000_000 }))
// Short samples are counted by sorting, long ones by a table of small values.
const samples = fc.oneof(
  fc.array(prices, { minLength: 1, maxLength: 30 }),
  fc.array(prices, { minLength: 1, maxLength: 30 }).map((few) => Array.from({ length: 100 }, () => few).flat()),
)

describe('counts of values', () => {
  test('have the quantiles, sums and counts of the sorted sample, however they were counted', () =>
    fc.assert(
      fc.property(samples, fc.double({ min: 0, max: 1, noNaN: true }), prices, (sample, share, limit) => {
        const values = sorted(sample)
        for (const counts of [countedIn(sample), ValueCounts.ofSample(Int32Array.from(sample))]) {
          expect(counts.n).toBe(sample.length)
          expect(counts.quantile(share)).toBe(quantile(values, share))
          expect(counts.quantile(share, Math.sqrt)).toBe(quantile(values.map(Math.sqrt), share))
          expect(counts.sum).toBe(values.reduce((sum, value) => sum + value, 0))
          expect(counts.squareSum).toBe(values.reduce((sum, value) => sum + BigInt(value) ** 2n, 0n))
          expect(counts.countBelow(limit)).toBe(values.filter((value) => value < limit).length)
          expect(counts.values.at(0)).toBe(values.at(0))
          expect(counts.values.at(-1)).toBe(values.at(-1))
        }
      }),
    ))

  test('of two parts joined together equal those of the whole', () =>
    fc.assert(
      fc.property(samples, fc.nat(), (sample, cut) => {
        const parts = [sample.slice(0, cut % sample.length), sample.slice(cut % sample.length)].map(countedIn)
        const pairs = parts.flatMap(pairsOf)
        const added = ValueCounts.of(
          pairs.map(([value]) => value),
          pairs.map(([, count]) => count),
        )
        expect(pairsOf(added)).toEqual(pairsOf(countedIn(sample)))
      }),
    ))

  test('between two bounds equal those of the values between them', () =>
    fc.assert(
      fc.property(samples, prices, prices, (sample, low, high) => {
        const inside = sample.filter((value) => value >= low && value <= high)
        expect(pairsOf(countedIn(sample).between(low, high))).toEqual(pairsOf(countedIn(inside)))
      }),
    ))

  test('omit values that occur zero times and may be empty', () => {
    expect(pairsOf(ValueCounts.of([3, 1, 2], [1, 0, 2]))).toEqual([
      [2, 2],
      [3, 1],
    ])
    expect(ValueCounts.of([], [])).toMatchObject({ n: 0, sum: 0, squareSum: 0n })
  })
})
