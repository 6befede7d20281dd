import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstFrom, holds, intersection, union } from '../../../engine/catalog/search-postings.ts'

const SIZE = 200
const numbers = fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: SIZE }).map((list) => list.sort((a, b) => a - b))
const postings = (list: readonly number[]) => Int32Array.from(list)

test('both hold what each holds', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      expect([...intersection(postings(a), postings(b))]).toEqual(a.filter((value) => b.includes(value)))
    }),
  )
})

test('any holds what one holds', () => {
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1, maxLength: 4 }), (lists) => {
      const all = [...new Set(lists.flat())].sort((a, b) => a - b)
      expect([...union(lists.map(postings), SIZE)]).toEqual(all)
    }),
  )
})

test('a list holds its values, each at the first position that is not below it', () => {
  fc.assert(
    fc.property(numbers, fc.nat(SIZE), (list, value) => {
      expect(holds(postings(list), value)).toBe(list.includes(value))
      expect(firstFrom(list, value)).toBe(list.filter((other) => other < value).length)
    }),
  )
})
