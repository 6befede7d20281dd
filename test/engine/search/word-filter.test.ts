import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWordFilter } from '../../../engine/search/word-filter.ts'

test('a filter passes every word that was added', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), async (words) => {
      const filter = createWordFilter()
      for (const word of words) filter.add(word)
      const mayHave = await filter.end()
      expect(words.filter((word) => !mayHave(word))).toEqual([])
    }),
  )
})

test('a filter passes few other words', async () => {
  const filter = createWordFilter()
  for (let i = 0; i < 10_000; i += 1) filter.add(`word${i}`)
  const mayHave = await filter.end()
  const passed = Array.from({ length: 10_000 }, (_, i) => `other${i}`).filter(mayHave)
  expect(passed.length).toBeLessThan(500)
})

test('a filter without words passes none', async () => {
  const mayHave = await createWordFilter().end()
  expect(mayHave('coffee')).toBe(false)
})
