import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerBound } from '../../../engine/search/lower-bound.ts'
import {
  includes,
  intersection,
  marksOf,
  numbersIn,
  type Postings,
  postingsOf,
  union,
} from '../../../engine/search/postings.ts'

const SIZE = 200
const numbers = fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: SIZE }).map((list) => list.sort((a, b) => a - b))
/** Numbers far apart, so that a union has several windows. */
const FAR = 20_000
const scales = fc.constantFrom(1, FAR)

/** A list that is read in pieces of at most three numbers, as from blocks of a file. */
const inPieces = (list: readonly number[]): Postings => ({
  length: list.length,
  from: (least) => Int32Array.from(list.filter((value) => value >= least).slice(0, 3)),
  has: (value) => list.includes(value),
})

/** Lists in memory and in pieces. */
const lists = fc
  .tuple(fc.array(numbers, { minLength: 1, maxLength: 4 }), scales)
  .map(([of, scale]) => of.map((list) => list.map((value) => value * scale)))
const ways = [(list: readonly number[]) => postingsOf(Int32Array.from(list)), inPieces]

test.each(ways)('an intersection has the first accepted values that all lists have', (postings) => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: SIZE }), fc.integer({ min: 1, max: 3 }), (of, limit, divisor) => {
      const accepts = (value: number) => value % divisor === 0
      const common = of[0]!.filter((value) => of.every((list) => list.includes(value)))
      expect([...intersection(of.map(postings), null, SIZE)]).toEqual(common)
      expect([...intersection(of.map(postings), accepts, limit)]).toEqual(common.filter(accepts).slice(0, limit))
    }),
  )
})

test.each(ways)('a union has the values of each list, read from any of them on', (postings) => {
  fc.assert(
    fc.property(lists, fc.array(fc.nat(SIZE * FAR), { maxLength: 3 }), (of, starts) => {
      const all = [...new Set(of.flat())].sort((a, b) => a - b)
      const joined = union(of.map(postings))
      expect([...numbersIn(joined)]).toEqual(all)
      for (const start of starts) {
        const piece = [...joined.from(start)]
        const later = all.filter((value) => value >= start)
        expect(piece).toEqual(later.slice(0, piece.length))
        expect(piece.length > 0).toBe(later.length > 0)
      }
    }),
  )
})

test('an intersection with a union has the values of any of its lists', () => {
  fc.assert(
    fc.property(lists, numbers, (of, list) => {
      const joined = of.flat()
      const common = intersection([union(of.map(inPieces)), postingsOf(Int32Array.from(list))], null, SIZE)
      expect([...common]).toEqual(list.filter((value) => joined.includes(value)))
    }),
  )
})

test('a list includes exactly its values and finds their lower bound', () => {
  fc.assert(
    fc.property(numbers, fc.nat(SIZE), (list, value) => {
      expect(includes(Int32Array.from(list), value)).toBe(list.includes(value))
      expect(lowerBound(list, value)).toBe(list.filter((other) => other < value).length)
    }),
  )
})

test.each(ways)('marks are of the numbers that a list has, and a union has those of its lists', (postings) => {
  fc.assert(
    fc.property(lists, (of) => {
      const [first = [], ...others] = of
      const all = union(of.map(postings))
      for (const list of others)
        expect([...marksOf(Int32Array.from(first), postings(list))]).toEqual(
          first.map((value) => +list.includes(value)),
        )
      for (const value of first.toReversed())
        expect([all.has(value), all.has(value + 1)]).toEqual([true, of.some((list) => list.includes(value + 1))])
    }),
  )
})
