import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance } from '../../../engine/search/edit-distance.ts'
import { typosOf } from '../../../engine/search/typos.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 7 })

describe('the possible meanings of a mistyped word', () => {
  test('are exactly the words of at least four letters at edit distance one', () => {
    fc.assert(
      fc.property(word, word, (typed, meant) => {
        const isOneAway = typed !== meant && meant.length >= 4 && editDistance(typed, meant, 1) === 1
        expect(typosOf(typed).has(meant)).toBe(isOneAway)
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['coffe', 'coffee'],
    ['coffeee', 'coffee'],
    ['cofeee', 'coffee'],
    ['cfofee', 'coffee'],
    ['ocffee', 'coffee'],
    ['sny', 'sony'],
  ])('of %s include %s', (typed, meant) => {
    expect(typosOf(typed)).toContain(meant)
  })

  test('have the same first letters where that is required', () => {
    expect(typosOf('nike', 1)).not.toContain('bike')
    expect(typosOf('nike', 1)).toContain('nice')
  })

  test.each(['1000', 'xm4', '12oz', 'été', 'a', 'x'.repeat(33)])('are none for %s', (typed) => {
    expect([...typosOf(typed)]).toEqual([])
  })
})
