import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, samplePaths, send, serveSample } from '../support/http.ts'
import { post } from '../support/post.ts'
import { expectPromisedRefusal, expectRefusal } from '../support/refusals.ts'
import { beforeEachRun } from './payment/paying.ts'

const PATH = '/v1/batch'
const all = samplePaths().map(({ path }) => path)
const coffee = { path: '/v1/analyst/category-summary', params: { category: 'coffee' } }

/** What a request of a path is in a batch. */
const requestOf = (path: string) => {
  const [where = '', text] = path.split('?')
  return { path: where, params: Object.fromEntries(new URLSearchParams(text)) }
}

let service: Service
beforeAll(async () => {
  service = await serveSample()
})

const batch = (requests: unknown, headers: Record<string, string> = {}) =>
  post(service.port, PATH, JSON.stringify(requests), { headers })

/** The refusal of each request, by its index. */
const refusedOf = (body: string): { index: number; status: number; code: string; message: string }[] =>
  JSON.parse(body).error.details.refused

describe('a batch', () => {
  test('has the answer of every query in order, each with the bytes of its own request', async () => {
    const singles: Awaited<ReturnType<Service['get']>>[] = []
    // One after another: all at once are more than a busy machine admits.
    for (const path of all) singles.push(await service.get(path))
    const reply = await batch(all.map(requestOf))
    expect(reply.status).toBe(200)
    expect(reply.body).toBe(`[${singles.map(({ body }) => body).join(',')}]`)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.headers['cache-control']).toBe('no-store')
    const ages = singles.map(({ headers }) => Number(headers['x-data-freshness-hours'] ?? 0))
    expect(Number(reply.headers['x-data-freshness-hours'])).toBe(Math.max(...ages))
  })

  test('in an object, in any order and with repeated requests is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 8 }), async (paths) => {
        const singles = await Promise.all(paths.map((path) => service.get(path)))
        const reply = await batch({ requests: paths.map(requestOf) })
        expect(reply.body).toBe(`[${singles.map(({ body }) => body).join(',')}]`)
        // The parameters may also be in the path.
        expect((await batch(paths.map((path) => ({ path })))).body).toBe(reply.body)
      }),
      { numRuns: 15 },
    )
  })

  test('accepts numbers and booleans as parameters, null as absent, as_of and max_age', async () => {
    const params = { q: 'coffee', limit: 3, strict: false, retailer: null, as_of: '2026-11-10', max_age: 9999 }
    const reply = await batch([{ path: '/v1/shopper/best-price', params }])
    const path = '/v1/shopper/best-price?q=coffee&limit=3&strict=false&as_of=2026-11-10&max_age=9999'
    expect(reply.body).toBe(`[${(await service.get(path)).body}]`)
  })

  test('of 100 requests is answered, of 101 or none is not', async () => {
    const reply = await batch(Array(100).fill(coffee))
    expect(JSON.parse(reply.body)).toHaveLength(100)
    for (const count of [0, 101]) {
      const refused = await batch(Array(count).fill(coffee))
      expectPromisedRefusal(PATH, refused, 400, 'INVALID_PARAMS')
      expect(JSON.parse(refused.body).error.message).toBe(`The batch has ${count} requests; send 1 to 100.`)
    }
  })

  test('is compressed', async () => {
    const { headers } = await batch([coffee], { 'accept-encoding': 'br' })
    expect(headers['content-encoding']).toBe('br')
  })

  test('computes a repeated request once, and each answer for later single requests', async () => {
    let runs = 0
    const own = await serveSample({}, (lake) =>
      beforeEachRun(lake, async () => {
        runs += 1
      }),
    )
    const reply = await post(own.port, PATH, JSON.stringify([coffee, coffee, coffee]))
    expect(JSON.parse(reply.body)).toHaveLength(3)
    await own.get('/v1/analyst/category-summary?category=coffee')
    expect(runs).toBe(1)
  })
})

describe('a refused request', () => {
  test('refuses the batch, which lists all refusals with their index and details', async () => {
    const reply = await batch([
      coffee,
      { path: '/v1/analyst/inflation' },
      { path: '/v1/analyst/inflation', params: { category: 'coffee', retailer: 'nobody' } },
      { path: '/v1/analyst/inflation', params: { category: 'coffee', max_age: 0.1 } },
      { path: '/v1/shopper/best-price', params: { q: 'nothing like it qqqq' } },
    ])
    expectPromisedRefusal(PATH, reply, 422, 'BATCH_REFUSED')
    expect(JSON.parse(reply.body).error.message).toBe(
      '4 of 5 requests are refused, so nothing was charged; request 1: category: required; send category, department or both',
    )
    expect(refusedOf(reply.body)).toMatchObject([
      { index: 1, status: 400, code: 'INVALID_PARAMS' },
      { index: 2, status: 404, code: 'RETAILER_NOT_SERVING_ELIGIBLE' },
      { index: 3, status: 412, code: 'DATA_TOO_OLD' },
      { index: 4, status: 404, code: 'NO_RESULTS' },
    ])
    const single = await service.get('/v1/analyst/inflation?category=coffee&retailer=nobody')
    const { index: _, status: __, ...error } = refusedOf(reply.body)[1]!
    expect(error).toEqual(JSON.parse(single.body).error)
  })

  test.each<[string, unknown, string, RegExp]>([
    ['that is nested', { path: '/v1/batch' }, 'NOT_FOUND', /is not a query/],
    ['of a quote', { path: '/v1/quote?path=/v1/public/stats' }, 'NOT_FOUND', /is not a query/],
    ['of a document', { path: '/openapi.json' }, 'NOT_FOUND', /is not a query/],
    ['with a traversal', { path: '/v1/public/../public/stats' }, 'NOT_FOUND', /is not a query/],
    ['with an encoded slash', { path: '/v1/public%2Fstats' }, 'NOT_FOUND', /is not a query/],
    ['with a fragment', { path: '/v1/public/stats#a' }, 'INVALID_PARAMS', /fragment/],
    ['of another service', { path: 'https://example.com/v1/public/stats' }, 'INVALID_PARAMS', /expected a path/],
    ['without a path', {}, 'INVALID_PARAMS', /^path: required/],
    ['whose path is a number', { path: 3 }, 'INVALID_PARAMS', /^path: required/],
    ['with another member', { ...coffee, method: 'POST' }, 'INVALID_PARAMS', /^method: is not a member/],
    ['that is text', '/v1/public/stats', 'INVALID_PARAMS', /got a string/],
    ['that is null', null, 'INVALID_PARAMS', /got null/],
    ['that is a list', [coffee], 'INVALID_PARAMS', /got a list/],
    ['whose params are a list', { path: coffee.path, params: [] }, 'INVALID_PARAMS', /^params: .*got a list/],
    [
      'with a list as value',
      { path: coffee.path, params: { category: ['a'] } },
      'INVALID_PARAMS',
      /^category: .*a list/,
    ],
    ['with an object as value', { path: coffee.path, params: { category: {} } }, 'INVALID_PARAMS', /got an object/],
    [
      'with a parameter twice',
      { path: `${coffee.path}?category=a`, params: { category: 'b' } },
      'INVALID_PARAMS',
      /once/,
    ],
    ['with an unknown parameter', { path: coffee.path, params: { x: 1 } }, 'INVALID_PARAMS', /^x: is not a parameter/],
    ['with a table', { path: coffee.path, params: { category: 'a', table: 'b' } }, 'INVALID_PARAMS', /^table: is not/],
  ])('%s says so', async (_, request, code, message) => {
    const reply = await batch([request])
    expectRefusal(PATH, reply, 422, 'BATCH_REFUSED')
    expect(refusedOf(reply.body)).toMatchObject([{ index: 0, code, message: expect.stringMatching(message) }])
  })

  test('with __proto__ as a member or parameter is refused by that name', async () => {
    const members = await post(service.port, PATH, '[{"path":"/v1/public/stats","__proto__":{"params":{}}}]')
    expect(refusedOf(members.body)).toMatchObject([{ message: expect.stringMatching(/^__proto__: is not a member/) }])
    const params = await post(service.port, PATH, '[{"path":"/v1/public/stats","params":{"__proto__":"x"}}]')
    expect(refusedOf(params.body)).toMatchObject([{ message: expect.stringMatching(/^__proto__: is not a parameter/) }])
    expect(({} as { params?: unknown }).params).toBeUndefined()
  })
})

describe('a body', () => {
  test.each([
    ['', /^The body is empty/],
    ['{', /^The body is not valid JSON/],
    ['[{"path":"/v1/public/stats"},]', /^The body is not valid JSON/],
    [Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d), /^The body is not valid JSON/],
    ['"text"', /^The body is not a list/],
    ['null', /^The body is not a list/],
    ['{"requests":[],"other":1}', /^The body is not a list/],
    ['{"path":"/v1/public/stats"}', /^The body is not a list/],
    [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, null],
    [`{"requests":${'{"requests":'.repeat(5000)}[]${'}'.repeat(5001)}`, /^The body is not a list/],
  ])('that is no list of requests is refused with what to send', async (body, message) => {
    const reply = await post(service.port, PATH, body)
    if (message === null) expectRefusal(PATH, reply, 422, 'BATCH_REFUSED')
    else {
      expectPromisedRefusal(PATH, reply, 400, 'INVALID_PARAMS')
      expect(JSON.parse(reply.body).error.message).toMatch(message)
    }
  })

  test('of a repeated key has its last value, as JSON.parse reads it', async () => {
    const reply = await post(service.port, PATH, '[{"path":"/v1/nothing","path":"/v1/public/stats"}]')
    expect(reply.body).toBe(`[${(await service.get('/v1/public/stats')).body}]`)
  })

  test('above 128 KiB is refused, however it is sent', async () => {
    const large = JSON.stringify([{ path: '/v1/public/stats', params: { x: 'a'.repeat(1_000_000) } }])
    expectPromisedRefusal(PATH, await post(service.port, PATH, large), 413, 'BODY_TOO_LARGE')
    const reply = await post(service.port, PATH, large, { headers: { 'transfer-encoding': 'chunked' } })
    expectRefusal(PATH, reply, 413, 'BODY_TOO_LARGE')
  })

  test('of another type is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', 'application/json-patch+json']) {
      const reply = await post(service.port, PATH, '[]', { headers: { 'content-type': type } })
      expectPromisedRefusal(PATH, reply, 415, 'UNSUPPORTED_MEDIA_TYPE')
    }
    const utf8 = { 'content-type': 'application/json; charset=utf-8' }
    expect((await batch([{ path: '/v1/public/stats' }], utf8)).status).toBe(200)
  })

  test('of random JSON is refused or answered, and never fails', async () => {
    const path = fc.constantFrom('/v1/public/stats', '/v1/analyst/inflation', '/v1/batch', '', '/')
    const one = fc.oneof(fc.record({ path, params: fc.jsonValue() }, { requiredKeys: [] }), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(one, { maxLength: 5 }), fc.jsonValue()), async (body) => {
        const reply = await batch(body)
        expect([200, 400, 422]).toContain(reply.status)
      }),
      { numRuns: 150 },
    )
  })
})

describe('the address of batches', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('does not allow %s', async (method) => {
    const reply = await send(service.port, PATH, { method })
    expect(reply.status).toBe(405)
    expect(reply.headers.allow).toBe('POST, OPTIONS')
  })

  test('sends JSON only', async () => {
    const reply = await batch([coffee], { accept: 'text/csv' })
    expectPromisedRefusal(PATH, reply, 406, 'NOT_ACCEPTABLE')
    expect(JSON.parse(reply.body).error.details).toEqual({ available: ['application/json'] })
    expect((await batch([coffee], { accept: 'text/csv, */*;q=0.1' })).status).toBe(200)
  })

  test('is allowed to pages of other origins, with a content type and a payment', async () => {
    const preflight = await send(service.port, PATH, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,payment-signature',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toMatch(/\bPOST\b/)
    expect(preflight.headers['access-control-allow-headers']).toMatch(/\bContent-Type\b/)
  })
})
