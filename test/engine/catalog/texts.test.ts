import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTexts } from '../../../engine/duckdb/texts.ts'

test('the store of texts returns every text as it was added, over many pages', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 40 }), fc.nat(600), (some, times) => {
      const added = Array.from({ length: times }, () => some).flat()
      const texts = createTexts()
      for (const text of added) texts.add(text)
      const kept = texts.end()
      expect(added.map((_, position) => kept.at(position))).toEqual(added)
    }),
    { numRuns: 30 },
  )
})

test('the store of texts throws for a position beyond the last', () => {
  const texts = createTexts()
  texts.add('a')
  expect(() => texts.end().at(1)).toThrow('there is no text 1')
})
