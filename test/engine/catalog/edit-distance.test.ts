import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance } from '../../../engine/search/edit-distance.ts'

/** The recurrence of optimal string alignment, as it is defined. */
const oracle = (from: string, to: string): number => {
  if (from === '' || to === '') return from.length + to.length
  const [a, b] = [from.at(-1), to.at(-1)]
  const steps = [
    oracle(from.slice(0, -1), to) + 1,
    oracle(from, to.slice(0, -1)) + 1,
    oracle(from.slice(0, -1), to.slice(0, -1)) + (a === b ? 0 : 1),
  ]
  if (from.length > 1 && to.length > 1 && a === to.at(-2) && b === from.at(-2)) {
    steps.push(oracle(from.slice(0, -2), to.slice(0, -2)) + 1)
  }
  return Math.min(...steps)
}

it.each([
  ['headphne', 'headphone', 1],
  ['sneeker', 'sneaker', 1],
  ['lpatop', 'laptop', 1],
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
  ['same', 'same', 0],
])('from %s to %s the edit distance is %i', (from, to, steps) => expect(editDistance(from, to, 9)).toBe(steps))

it('the edit distance agrees with its definition up to the limit', () => {
  const word = fc.stringMatching(/^[abc]{0,6}$/)
  fc.assert(
    fc.property(word, word, fc.nat(7), (from, to, limit) => {
      expect(editDistance(from, to, limit)).toBe(Math.min(oracle(from, to), limit + 1))
    }),
  )
})
