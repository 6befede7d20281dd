import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWordFilter } from '../../../engine/search/word-filter.ts'

const bytesOf = (word: string): Buffer => Buffer.from(word)

const filterOf = (words: readonly string[]) => {
  const filter = createWordFilter(words.length)
  // Each among other bytes, as in a file.
  for (const word of words.map(bytesOf)) filter.add(Buffer.concat([bytesOf('é'), word]), 2, 2 + word.length)
  return filter
}

test('a filter passes every word that was added', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
      const filter = filterOf(words)
      expect(words.filter((word) => !filter.mayHave(bytesOf(word)))).toEqual([])
    }),
  )
})

test('a filter passes few other words', () => {
  const filter = filterOf(Array.from({ length: 10_000 }, (_, i) => `word${i}`))
  const others = Array.from({ length: 10_000 }, (_, i) => `other${i}`)
  expect(others.filter((word) => filter.mayHave(bytesOf(word))).length).toBeLessThan(500)
})

test('a filter without words passes none', () => {
  expect(createWordFilter(0).mayHave(bytesOf('coffee'))).toBe(false)
})
