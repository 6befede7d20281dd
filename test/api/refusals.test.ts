import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Lake } from '../../api/ops/lake.ts'
import { type Engine, queries } from '../../engine/index.ts'
import { expectPromised } from '../support/contract.ts'
import { temporaryFolder } from '../support/given.ts'
import { pathTo, type Service, samplePaths, send, serveLake, serveSample } from '../support/http.ts'
import { zodWords } from '../support/refusal-words.ts'
import { expectPromisedRefusal, expectRefusal } from '../support/refusals.ts'

const SECRET = 'at run (/work/engine/pool.ts:12:7) SELECT price FROM listing'
const inflation = '/v1/analyst/inflation'

/** A lake in which every query ends in an internal error. */
const faulty = (lake: Lake): Lake => ({
  engine: () => {
    const engine = lake.engine()!
    const run = async () => {
      throw new TypeError(SECRET)
    }
    return {
      manifest: engine.manifest,
      now: () => engine.now(),
      plan: engine.plan.bind(engine),
      run,
    } as unknown as Engine
  },
})

const paths = new Map(samplePaths().map(({ query, path }) => [query, path]))

let served: Service
let broken: Service
let empty: Service
let unpaid: Service

beforeAll(async () => {
  served = await serveSample()
  broken = await serveSample({}, faulty)
  empty = await serveLake(await temporaryFolder())
  unpaid = await serveSample({ SHELFMARK_PAYMENTS: 'embedded' })
})

describe.each(queries.map((query) => [pathTo(query), query] as const))('%s', (path, query) => {
  const isPublic = query.group === 'public'

  test('refuses an unknown parameter and names it', async () => {
    const reply = await served.get(`${path}?sort_by=price`)
    expectPromisedRefusal(path, reply, 400, 'INVALID_PARAMS')
    expect(JSON.parse(reply.body).error.details).toMatchObject({ parameter: 'sort_by' })
  })

  test('refuses a repeated or malformed parameter, and an empty required one', async () => {
    const [name = 'any'] = Object.keys(query.params.shape)
    const { required = [] } = z.toJSONSchema(query.params, { io: 'input' })
    const empty = required.flatMap((parameter) => [`${parameter}=`, parameter])
    for (const queryString of [`${name}=a&${name}=b`, ...empty, `${name}=%ff`, '__proto__=a', 'constructor=a']) {
      const reply = await served.get(`${path}?${queryString}`)
      expectPromisedRefusal(path, reply, 400, 'INVALID_PARAMS')
      expect(JSON.parse(reply.body).error.message).not.toMatch(zodWords)
    }
  })

  test('treats an empty optional parameter as absent', async () => {
    const address = paths.get(query)!
    const plain = await served.get(address)
    const names = Object.keys(query.params.shape).filter((name) => !address.includes(`${name}=`))
    const empty = await served.get(
      `${address}${address.includes('=') ? '&' : ''}${names.map((name) => `${name}=`).join('&')}`,
    )
    expect(plain.status).toBe(200)
    expect(empty.body).toBe(plain.body)
  })

  test('answers other methods with those that it allows', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', ...(isPublic ? [] : ['HEAD'])]) {
      const reply = await send(served.port, path, { method, headers: { 'content-type': 'text/xml' } })
      expect(reply.headers.allow).toBe(isPublic ? 'GET, HEAD, OPTIONS' : 'GET, OPTIONS')
      if (method === 'HEAD') expect(reply).toMatchObject({ status: 405, body: '' })
      else expectRefusal(path, reply, 405, 'METHOD_NOT_ALLOWED')
    }
  })

  test('reveals nothing about an internal error and logs it once with its plan', async () => {
    const before = broken.log.length
    expectPromisedRefusal(path, await broken.get(paths.get(query)!), 500, 'INTERNAL_ERROR')
    const faults = broken.log.slice(before).filter(({ msg }) => msg === 'fault')
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ plan: { query: path.slice('/v1/'.length) }, err: { message: SECRET } })
  })

  test('is not ready without a snapshot and says what to run', async () => {
    const reply = await empty.get(path)
    expectPromisedRefusal(path, reply, 503, 'NOT_READY')
    expect(reply.headers['retry-after']).toMatch(/^\d+$/)
    expect(reply.headers['x-data-freshness-hours']).toBeUndefined()
    expect(JSON.parse(reply.body).error.message).toContain('npm run -s refresh')
  })

  test(isPublic ? 'is free' : 'requires payment', async () => {
    const reply = await unpaid.get(paths.get(query)!)
    if (isPublic) return expect(reply.status).toBe(200)
    expect(reply.status).toBe(402)
    expectPromised(path, 402, reply.headers['content-type'] ?? '', reply.body)
  })

  test('is refused for its parameters before payment is required', async () => {
    expectPromisedRefusal(path, await unpaid.get(`${path}?nonsense=1`), 400, 'INVALID_PARAMS')
  })
})

describe('a query is refused', () => {
  test.each([
    ['a parameter is missing', inflation, 400, 'INVALID_PARAMS', { parameter: 'category' }],
    ['a choice is unknown', `${inflation}?category=coffee&country=mx`, 400, 'INVALID_PARAMS', { parameter: 'country' }],
    ['a category cannot be resolved', `${inflation}?category=zzxxqq`, 400, 'INVALID_PARAMS', { parameter: 'category' }],
    [
      'a window ends before it starts',
      `${inflation}?category=coffee&from=2026-11-02&to=2026-11-01`,
      400,
      'INVALID_PARAMS',
      {},
    ],
    [
      'a retailer is unknown',
      `${inflation}?category=coffee&retailer=nobody`,
      404,
      'RETAILER_NOT_SERVING_ELIGIBLE',
      { quality_status: null },
    ],
    ['a brand is unknown', '/v1/marketing/brand-tracker?brand=zzxxqq', 404, 'NO_RESULTS', {}],
    ['nothing was observed', `${inflation}?category=coffee&from=2024-01-01&to=2024-02-01`, 404, 'NO_RESULTS', {}],
  ])('because %s', async (_, path, status, code, details) => {
    const reply = await served.get(path)
    expectPromisedRefusal(path, reply, status, code)
    expect(JSON.parse(reply.body).error.details).toMatchObject(details)
    expect(reply.headers['x-data-freshness-hours']).toMatch(/^\d+\.\d$/)
  })

  test('with the headers of every response', async () => {
    for (const path of ['/nowhere', inflation, '/v1/public/stats?a=b']) {
      const { headers } = await served.get(path)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
      expect(headers.ratelimit).toMatch(/^"client";r=\d+;t=\d+$/)
    }
  })
})

describe('a query whose window starts after the newest observation', () => {
  const path = '/v1/analyst/inflation?category=coffee&from=2026-12-01&to=2026-12-31'

  test('is refused before payment is required, with the newest observation', async () => {
    for (const service of [served, unpaid]) {
      const reply = await service.get(path)
      expectPromisedRefusal(path, reply, 404, 'NO_RESULTS')
      expect(JSON.parse(reply.body).error.details.newest_observed_at).toMatch(/^2026-11-\d\dT\d\d:\d\d:\d\dZ$/)
    }
  })

  test.each([
    ['a retailer that is unknown', '/v1/analyst/retailer-index?retailer=nobody', expect.stringMatching(/^2026-11-/)],
    ['a brand that is unknown', '/v1/marketing/brand-tracker?brand=zzxxqq', expect.stringMatching(/^2026-11-/)],
    ['a product that is unknown', '/v1/shopper/best-price?q=zzxxqq', expect.stringMatching(/^2026-11-/)],
    ['a window before the data', `${inflation}?category=coffee&from=2024-01-01&to=2024-02-01`, expect.any(String)],
  ])('is refused with the newest observation, as is %s', async (_, path, newest_observed_at) => {
    const reply = await served.get(path)
    expect(reply.status).toBe(404)
    expect(JSON.parse(reply.body).error.details).toMatchObject({ newest_observed_at })
  })
})

describe('an invalid address is refused', () => {
  test.each(['/v1', '/v1/', '/v1/analyst', '/v1/analyst/inflatio', '/v1/analyst/inflation/', '/V1/analyst/inflation'])(
    'as not found: %s',
    async (path) => {
      expectRefusal(path, await served.get(path), 404, 'NOT_FOUND')
      expectRefusal(path, await send(served.port, path, { method: 'POST' }), 404, 'NOT_FOUND')
    },
  )

  test.each(['/v1/public/nothing', `/v1/public/${'a'.repeat(5000)}`])(
    'as not found below /v1/public: %s',
    async (path) => {
      expectRefusal(path, await served.get(path), 404, 'NOT_FOUND')
    },
  )

  test.each(['/v1/%', '/v1/analyst/%zz', '/%C3'])('as malformed: %s', async (path) => {
    expectRefusal(path, await served.get(path), 400, 'INVALID_PARAMS')
  })

  test.each(['/v1/%70ublic/stats', 'http://elsewhere.example/v1/public/stats', '/v1/public/stats#'])(
    'like the query that it means, if it is spelt differently: %s',
    async (address) => {
      expectPromisedRefusal('/v1/public/stats', await served.get(`${address}?a=b`), 400, 'INVALID_PARAMS')
    },
  )

  test.each([inflation, '/v1/public/stats', '/nowhere'])('as too long: %s', async (path) => {
    const address = `${path}?${'a'.repeat(8192)}`
    expectRefusal(path, await served.get(address), 414, 'URI_TOO_LONG')
  })
})
