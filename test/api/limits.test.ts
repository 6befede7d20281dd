import { describe, expect, test } from 'vitest'
import { clientOf, createHold, createPace, createRateLimit } from '../../api/http/limits.ts'

/** Two requests at once, one more every second. */
const createLimit = () => createRateLimit({ rate: 60, burst: 2 })
const refusal = expect.objectContaining({
  status: 429,
  code: 'RATE_LIMITED',
  headers: { 'ratelimit-policy': '"client";q=2;w=2', ratelimit: '"client";r=0;t=1', 'retry-after': '1' },
})

describe('the rate limit', () => {
  test('allows a burst, then refuses with the seconds to wait', () => {
    const take = createLimit()
    expect(take('a', 0)).toEqual({ 'ratelimit-policy': '"client";q=2;w=2', ratelimit: '"client";r=1;t=1' })
    expect(take('a', 0).ratelimit).toBe('"client";r=0;t=2')
    expect(() => take('a', 0)).toThrow(refusal)
    expect(() => take('a', 0.9)).toThrow(refusal)
  })

  test('refills over time up to one burst, and charges nothing for a refusal', () => {
    const take = createLimit()
    take('a', 0)
    take('a', 0)
    for (const now of [0.1, 0.5, 0.9]) expect(() => take('a', now)).toThrow(refusal)
    take('a', 1)
    expect(() => take('a', 1)).toThrow(refusal)
    take('a', 100)
    take('a', 100)
    expect(() => take('a', 100)).toThrow(refusal)
  })

  test('counts each client separately', () => {
    const take = createLimit()
    take('a', 0)
    take('a', 0)
    expect(take('b', 0).ratelimit).toBe('"client";r=1;t=1')
  })

  test('forgets the least recently active client beyond a hundred thousand', () => {
    const take = createRateLimit({ rate: 1, burst: 1 })
    take('first', 0)
    take('second', 0)
    expect(() => take('first', 0)).toThrow()
    for (let i = 0; i < 99_999; i++) take(`client ${i}`, 0)
    expect(() => take('first', 0)).toThrow()
    expect(() => take('second', 0)).not.toThrow()
  })
})

test('a client that was just refused waits before its next refusal, and no other client does', async () => {
  const hold = createHold()
  const order: string[] = []
  const refuse = (client: string) => hold(client).then(() => order.push(client))
  await refuse('a')
  const again = refuse('a')
  await refuse('b')
  await again
  expect(order).toEqual(['a', 'b', 'a'])
})

test('a request of one client starts before those that another client sent at once', async () => {
  const pace = createPace()
  const order: string[] = []
  const start = (client: string) => pace(client).then(() => order.push(client))
  const flood = [1, 2, 3].map(() => start('a'))
  await Promise.all([...flood, start('b')])
  expect(order).toEqual(['a', 'b', 'a', 'a'])
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the address %s counts as the client %s', (address, client) => {
  expect(clientOf(address)).toBe(client)
})
