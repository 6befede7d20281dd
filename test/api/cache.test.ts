import { expect, test } from 'vitest'
import { toCachedAnswer } from '../../api/http/answer.ts'
import { createCache, type PlanOutcome } from '../../api/http/cache.ts'
import { EngineError } from '../../engine/index.ts'

/** Takes as many bytes of a cache: 300 are reckoned beside the text. */
const answer = (letter = 'a', bytes = 1000) => ({ answer: toCachedAnswer({ text: letter.repeat(bytes - 300 - 11) }) })
const letterOf = (outcome: PlanOutcome | undefined) =>
  outcome && 'answer' in outcome ? outcome.answer.texts[0]?.[9] : undefined

test('the cache evicts the least recently used answer when it is full', () => {
  const cache = createCache(3000)
  for (const key of ['a', 'b', 'c']) cache.set(key, answer(key))
  cache.get('a')
  cache.set('d', answer('d'))
  expect(['a', 'b', 'c', 'd'].map((key) => letterOf(cache.get(key)))).toEqual(['a', undefined, 'c', 'd'])
})

test('the cache does not store an answer larger than itself, nor evict another for it', () => {
  const cache = createCache(1000)
  cache.set('a', answer())
  cache.set('large', answer('b', 1001))
  expect(cache.get('large')).toBeUndefined()
  expect(cache.get('a')).toBeDefined()
})

test('the cache counts an answer that is set repeatedly only once', () => {
  const cache = createCache(2000)
  for (let i = 0; i < 5; i++) cache.set('a', answer())
  cache.set('b', answer())
  expect(cache.get('a')).toBeDefined()
})

test('a cache of size zero stores nothing', () => {
  const cache = createCache(0)
  cache.set('a', answer())
  expect(cache.get('a')).toBeUndefined()
})

test('the cache stores refusals and counts their size', () => {
  const cache = createCache(1000)
  const refusal = new EngineError('NO_RESULTS', 'No price was observed.', { newest_observed_at: null })
  cache.set('none', { refusal })
  expect(cache.get('none')).toEqual({ refusal })
  expect(cache.counts()).toMatchObject({ entries: 1, bytes: expect.closeTo(357, -2) })
})
