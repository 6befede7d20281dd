import { expect, test } from 'vitest'
import { serveSample } from '../support/http.ts'
import { post } from '../support/post.ts'
import { expectPromisedRefusal } from '../support/refusals.ts'
import { beforeEachRun } from './payment/paying.ts'

const PATH = '/v1/batch'
const coffee = { path: '/v1/analyst/category-summary', params: { category: 'coffee' } }

test('the rate limit counts every request of a batch, at most one full bucket', async () => {
  const own = await serveSample({ SHELFMARK_RATE: '60', SHELFMARK_BURST: '10' })
  const stats = { path: '/v1/public/stats' }
  const sendBatch = (count: number) => post(own.port, PATH, JSON.stringify(Array(count).fill(stats)))
  const first = await sendBatch(6)
  expect(first.headers.ratelimit).toMatch(/^"client";r=4;/)
  const second = await sendBatch(6)
  expectPromisedRefusal(PATH, second, 429, 'RATE_LIMITED')
  expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
  const large = await serveSample({ SHELFMARK_RATE: '60', SHELFMARK_BURST: '10' })
  expect((await post(large.port, PATH, JSON.stringify(Array(100).fill(stats)))).status).toBe(200)
})

test('a client that disconnects cancels its batch, which is logged once', async () => {
  let runs = 0
  const controller = new AbortController()
  const own = await serveSample({ SHELFMARK_CACHE_MIB: '0' }, (lake) =>
    beforeEachRun(lake, async () => {
      runs += 1
      if (runs === 2) controller.abort()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }),
  )
  const days = Array.from({ length: 20 }, (_, i) => ({
    path: coffee.path,
    params: { category: 'coffee', days: i + 40 },
  }))
  const reply = post(own.port, PATH, JSON.stringify(days), { signal: controller.signal })
  await expect(reply).rejects.toThrow()
  await expect.poll(() => own.log.filter(({ msg }) => msg === 'client disconnected')).toHaveLength(1)
  const ended = runs
  expect(ended).toBeLessThan(6)
  await own.get('/v1/public/stats')
  expect(runs).toBe(ended + 1)
  expect(own.log.filter(({ query }) => query === 'batch')).toHaveLength(1)
})

test('a batch that takes too long is refused as a whole, and continues where it stopped when it is sent again', async () => {
  const own = await serveSample({ SHELFMARK_TIMEOUT_MS: '500' }, (lake) =>
    beforeEachRun(lake, () => new Promise((resolve) => setTimeout(resolve, 60))),
  )
  const days = Array.from({ length: 16 }, (_, i) => ({
    path: coffee.path,
    params: { category: 'coffee', days: i + 40 },
  }))
  const statuses: number[] = []
  while (statuses.at(-1) !== 200 && statuses.length < 20)
    statuses.push((await post(own.port, PATH, JSON.stringify(days))).status)
  expect(statuses[0]).toBe(503)
  expect(statuses.at(-1)).toBe(200)
})

test('single requests are answered while a batch is computed', async () => {
  const ended: string[] = []
  const own = await serveSample({ SHELFMARK_CACHE_MIB: '0', SHELFMARK_CONNECTIONS: '2' }, (lake) =>
    beforeEachRun(lake, () => new Promise((resolve) => setTimeout(resolve, 20))),
  )
  const days = Array.from({ length: 30 }, (_, i) => ({
    path: coffee.path,
    params: { category: 'coffee', days: i + 40 },
  }))
  const whole = post(own.port, PATH, JSON.stringify(days)).then(({ status }) => ended.push(`batch ${status}`))
  const singles = Promise.all(
    [1, 2, 3].map((i) => own.get(`/v1/analyst/category-summary?category=coffee&days=${i + 100}`)),
  ).then((replies) => ended.push(`singles ${replies.map(({ status }) => status)}`))
  await Promise.all([whole, singles])
  expect(ended).toEqual(['singles 200,200,200', 'batch 200'])
})
