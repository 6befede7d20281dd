import { expect, test } from 'vitest'
import { createCache } from '../../api/cache.ts'

/** Takes 1000 bytes of a cache: 300 are reckoned beside the body. */
const answer = (letter = 'a') => ({ body: Buffer.alloc(700, letter), freshness_seconds: 0 })

test('forgets the least recently asked when full', () => {
  const cache = createCache(3000)
  for (const key of ['a', 'b', 'c']) cache.set(key, answer(key))
  cache.get('a')
  cache.set('d', answer('d'))
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key)?.body[0])).toEqual(
    ['a', undefined, 'c', 'd'].map((letter) => letter?.charCodeAt(0)),
  )
})

test('keeps no answer larger than itself, and loses none for it', () => {
  const cache = createCache(1000)
  cache.set('a', answer())
  cache.set('large', { body: Buffer.alloc(701), freshness_seconds: 0 })
  expect(cache.get('large')).toBeUndefined()
  expect(cache.get('a')).toBeDefined()
})

test('an answer set again counts once', () => {
  const cache = createCache(2000)
  for (let i = 0; i < 5; i++) cache.set('a', answer())
  cache.set('b', answer())
  expect(cache.get('a')).toBeDefined()
})

test('of no size keeps nothing', () => {
  const cache = createCache(0)
  cache.set('a', answer())
  expect(cache.get('a')).toBeUndefined()
})
