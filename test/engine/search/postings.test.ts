import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerBound } from '../../../engine/catalog/lower-bound.ts'
import { includes, intersection, union } from '../../../engine/search/postings.ts'

const SIZE = 200
const numbers = fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: SIZE }).map((list) => list.sort((a, b) => a - b))
const postings = (list: readonly number[]) => Int32Array.from(list)

test('the intersection of two lists has their common values', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      expect([...intersection(postings(a), postings(b))]).toEqual(a.filter((value) => b.includes(value)))
    }),
  )
})

test('the union of lists has the values of each', () => {
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1, maxLength: 4 }), (lists) => {
      const all = [...new Set(lists.flat())].sort((a, b) => a - b)
      expect([...union(lists.map(postings), SIZE)]).toEqual(all)
    }),
  )
})

test('a list includes exactly its values and finds their lower bound', () => {
  fc.assert(
    fc.property(numbers, fc.nat(SIZE), (list, value) => {
      expect(includes(postings(list), value)).toBe(list.includes(value))
      expect(lowerBound(list, value)).toBe(list.filter((other) => other < value).length)
    }),
  )
})
