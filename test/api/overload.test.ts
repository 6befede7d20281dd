import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Lake } from '../../api/ops/lake.ts'
import type { Plan } from '../../engine/index.ts'
import { sized } from '../support/full-size.ts'
import { type Service, send, serveSample } from '../support/http.ts'
import { expectPromisedRefusal } from '../support/refusals.ts'

type Options = { signal?: AbortSignal }
type Run = (run: () => Promise<unknown>, options: Options, plan: Plan) => Promise<unknown>

/** The same lake, its engine's `run` observed or delayed. */
const around =
  (wrapped: Run) =>
  (lake: Lake): Lake => ({
    engine: () => {
      const engine = lake.engine()
      if (!engine) return undefined
      const run = (plan: Plan, options: Options) => wrapped(() => engine.run(plan, options), options, plan)
      return new Proxy(engine, {
        get: (_, name) => {
          const member: unknown = Reflect.get(engine, name, engine)
          return name === 'run' ? run : typeof member === 'function' ? member.bind(engine) : member
        },
      })
    },
  })

/** Clients that disconnect. */
const CLIENTS = sized(200, 1000)

const path = '/v1/analyst/inflation'
/** A query that is not cached. */
const pathFor = (days: number): string => `${path}?category=coffee&days=${days}`

describe('a client beyond its rate limit', () => {
  test('is refused with the seconds to wait, after which a retry succeeds', async () => {
    const service = await serveSample({ SHELFMARK_RATE: '60', SHELFMARK_BURST: '3' })
    const replies: Awaited<ReturnType<Service['get']>>[] = []
    for (let i = 0; i < 5; i++) replies.push(await service.get(`${path}?category=coffee`))
    expect(replies[0]?.headers).toMatchObject({ 'ratelimit-policy': '"client";q=3;w=3', ratelimit: '"client";r=2;t=1' })
    const refused = replies.find(({ status }) => status !== 200)!
    expectPromisedRefusal(path, refused, 429, 'RATE_LIMITED')
    expect(refused.headers['ratelimit-policy']).toBe('"client";q=3;w=3')
    expect(refused.headers.ratelimit).toBe('"client";r=0;t=1')
    expect(refused.headers['x-data-freshness-hours']).toMatch(/^\d/)
    await sleep(1000 * Number(refused.headers['retry-after']))
    expect((await service.get(path)).status).toBe(400)
  })

  test('is identified by what a trusted proxy says, never by its own headers', async () => {
    const limits = { SHELFMARK_RATE: '1', SHELFMARK_BURST: '1' }
    const proxied = await serveSample({ ...limits, SHELFMARK_PROXIES: '127.0.0.1' })
    const bare = await serveSample(limits)
    const requests = (service: Service) =>
      [1, 2, 3].map((i) => service.get('/v1/public/stats', { 'x-forwarded-for': `192.0.2.${i}` }))
    expect((await Promise.all(requests(proxied))).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await Promise.all(requests(bare))).map(({ status }) => status).sort()).toEqual([200, 429, 429])
  })
})

describe('a service with more queries than it can queue', () => {
  let service: Service
  let release = () => {}

  beforeAll(async () => {
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const wait: Run = async (run) => {
      await released
      return run()
    }
    service = await serveSample({ SHELFMARK_CONNECTIONS: '1', SHELFMARK_QUEUE: '2' }, around(wait))
  })

  test('refuses the rest at once, still refuses invalid queries, and answers all that it has queued', async () => {
    const requests = [31, 32, 33, 34].map((days) => service.get(pathFor(days)))
    // One is computed and two wait: only the fourth is answered now.
    const refused = await Promise.race(requests)
    expectPromisedRefusal(path, refused, 503, 'NOT_READY')
    expect(refused.headers['retry-after']).toBe('1')
    expectPromisedRefusal(path, await service.get(`${path}?category=coffee&days=0`), 400, 'INVALID_PARAMS')
    expect((await service.get('/openapi.json')).status).toBe(200)
    release()
    expect((await Promise.all(requests)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 503])
    expect((await service.get(pathFor(35))).status).toBe(200)
  })
})

test('concurrent identical queries are computed once', async () => {
  let runs = 0
  const service = await serveSample(
    { SHELFMARK_CONNECTIONS: '2' },
    around((run) => {
      runs += 1
      return run()
    }),
  )
  const replies = await Promise.all(Array.from({ length: 20 }, () => service.get(pathFor(41))))
  expect(new Set(replies.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
  expect(runs).toBe(1)
})

test('slow queries of one group leave a connection to the other groups', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const service = await serveSample(
    { SHELFMARK_CONNECTIONS: '3', SHELFMARK_QUEUE: '2' },
    around(async (run, _, { query }) => {
      if (query.startsWith('analyst/')) await released
      return run()
    }),
  )
  const slow = Array.from({ length: 30 }, (_, i) => service.get(pathFor(200 + i)))
  await Promise.race(slow)
  for (let offset = 0; offset < 20; offset++)
    expect((await service.get(`/v1/public/brands?offset=${offset}`)).status).toBe(200)
  release()
  const statuses = (await Promise.all(slow)).map(({ status }) => status)
  // One computed and two in the queue, of which the older is refused where the others take long to arrive.
  const answered = statuses.filter((status) => status === 200).length
  expect([2, 3]).toContain(answered)
  expect(statuses.filter((status) => status === 503)).toHaveLength(30 - answered)
})

test('a repeated query is not computed again', async () => {
  let runs = 0
  const service = await serveSample(
    {},
    around((run) => {
      runs += 1
      return run()
    }),
  )
  const bodies = new Set<string>()
  for (let i = 0; i < 5; i++) bodies.add((await service.get(pathFor(40))).body)
  expect(runs).toBe(1)
  expect(bodies.size).toBe(1)
})

test('an answer is the same whether or not it is cached', async () => {
  const [kept, forgotten] = await Promise.all(['64', '0'].map((size) => serveSample({ SHELFMARK_CACHE_MIB: size })))
  const ask = async (service: Service) => {
    const { body, headers } = await service.get(pathFor(50))
    return { body, etag: headers.etag, freshness: headers['x-data-freshness-hours'] }
  }
  const first = await ask(kept!)
  for (const service of [kept!, forgotten!, forgotten!]) expect(await ask(service)).toEqual(first)
})

test('a query that takes too long is cancelled and refused', async () => {
  const untilWithdrawn: Run = async (run, { signal }) => {
    await once(signal!, 'abort')
    return run()
  }
  const service = await serveSample({ SHELFMARK_TIMEOUT_MS: '100' }, around(untilWithdrawn))
  const refused = await service.get(pathFor(60))
  expectPromisedRefusal(path, refused, 503, 'NOT_READY')
  expect(refused.headers['retry-after']).toBe('1')
  const page = await service.get('/queries/analyst/inflation?category=coffee&days=61', { accept: 'text/html' })
  expect(page).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
})

test('the engine is idle after many clients disconnected', async () => {
  let running = 0
  let started = 0
  let finished = 0
  const counted: Run = async (run) => {
    running += 1
    started += 1
    try {
      const answer = await run()
      finished += 1
      return answer
    } finally {
      running -= 1
    }
  }
  const service = await serveSample({ SHELFMARK_CONNECTIONS: '2', SHELFMARK_QUEUE: '1000' }, around(counted))
  const leave = async (days: number) => {
    const client = new AbortController()
    const slow = `${path}?department=grocery&granularity=daily&days=${days}`
    const request = send(service.port, slow, { signal: client.signal, agent: new Agent() })
    while (running === 0) await sleep(1)
    client.abort()
    await expect(request).rejects.toThrow()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => leave(800 + i)))
  while (running > 0) await sleep(1)
  // What waited was never started: whoever left before their turn cost nothing.
  expect(started).toBeLessThan(CLIENTS)
  const [startedBefore, finishedBefore] = [started, finished]
  const requests = Array.from({ length: 10 }, (_, i) => service.get(pathFor(90 + i)))
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect([started - startedBefore, finished - finishedBefore]).toEqual([10, 10])
})

test('a query whose client disconnected is cancelled and frees its place for others', async () => {
  const withdrawn: AbortSignal[] = []
  let started = () => {}
  const untilWithdrawn: Run = async (run, { signal }) => {
    if (withdrawn.length === 3) return run()
    started()
    await once(signal!, 'abort')
    withdrawn.push(signal!)
    return run()
  }
  const service = await serveSample({ SHELFMARK_CONNECTIONS: '1', SHELFMARK_QUEUE: '2' }, around(untilWithdrawn))
  for (let i = 1; i <= 3; i++) {
    const isStarted = new Promise<void>((resolve) => {
      started = resolve
    })
    const client = new AbortController()
    const request = send(service.port, pathFor(70 + i), { signal: client.signal, agent: new Agent() })
    await isStarted
    client.abort()
    await expect(request).rejects.toThrow()
    while (withdrawn.length < i) await sleep(1)
  }
  while ((await service.get(pathFor(80))).status === 503) await sleep(1)
  expect(service.log.filter(({ msg }) => msg === 'client disconnected')).toMatchObject(Array(3).fill({ route: path }))
})
