import { beforeAll, describe, expect, test } from 'vitest'
import { queryId } from '../../engine/index.ts'
import { runCli } from '../../engine/show/cli.ts'
import { expectPromised } from '../support/contract.ts'
import { type Reply, type Service, samplePaths, send, serveSample } from '../support/http.ts'
import { strict } from '../support/strict.ts'

const paths = samplePaths()

const aboutPrices = paths.filter(({ query }) => query.group !== 'reference')

let service: Service
const inflation = '/v1/analyst/inflation?category=coffee'

beforeAll(async () => {
  service = await serveSample()
})

describe.each(paths.map(({ query, path }) => [queryId(query), query, path] as const))('%s', (id, query, path) => {
  let reply: Reply
  beforeAll(async () => {
    reply = await service.get(path)
  })

  test('answers exactly as its schema says, without missing or additional keys', () => {
    expect(reply.status).toBe(200)
    strict(query.answer).parse(JSON.parse(reply.body))
    expectPromised(path.split('?')[0]!, 200, reply.headers['content-type'] ?? '', reply.body)
  })

  test('sends headers with the age and hash of the answer and who may cache it', () => {
    const isReference = query.group === 'reference'
    if (isReference) {
      expect(reply.headers['x-data-freshness-hours']).toBeUndefined()
      expect(reply.headers['x-gpc-release']).toMatch(/^v\d{8}$/)
      expect(reply.headers['x-map-version']).toMatch(/^map-\d{8}\.\d+$/)
    } else expect(reply.headers['x-data-freshness-hours']).toMatch(/^\d+\.\d$/)
    expect(reply.headers.etag).toMatch(/^W\/"[\w-]{43}"$/)
    expect(reply.headers['cache-control']).toBe(
      `${id.startsWith('public/') ? 'public' : 'private'}, max-age=${isReference ? 86400 : 60}`,
    )
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.headers['server-timing']).toMatch(/^plan;dur=[\d.]+, wait;dur=[\d.]+, run;dur=[\d.]+$/)
  })

  test('sends the same bytes when the request is repeated', async () => {
    const again = await service.get(path)
    expect(again.body).toBe(reply.body)
    expect(again.headers.etag).toBe(reply.headers.etag)
    expect(again.headers['x-data-freshness-hours']).toBe(reply.headers['x-data-freshness-hours'])
  })

  test('sends the same bytes as the command line prints', async () => {
    const given = [...new URLSearchParams(path.split('?')[1])].flatMap(([name, value]) => [`--${name}`, value])
    const written: string[] = []
    const stdout = {
      write: (chunk: string | Uint8Array) => written.push(String(chunk)),
      isTerminal: false,
      hasColours: false,
      columns: 80,
    }
    const { lake, as_of } = service.config
    const settings = { lake, as_of: as_of?.toISOString() }
    expect(await runCli([...id.split('/'), ...given, '--json'], { stdout, stderr: stdout }, settings)).toBe(0)
    expect(written.join('')).toBe(`${reply.body}\n`)
  })
})

describe('the freshness header', () => {
  test('has the age of the observations that the answer uses', async () => {
    const { headers, body } = await service.get(inflation)
    const { freshness_seconds } = JSON.parse(body).meta
    expect(headers['x-data-freshness-hours']).toBe((freshness_seconds / 3600).toFixed(1))
  })

  test('has the age of the whole snapshot where the response contains no prices', async () => {
    const newest = Math.min(
      ...(await Promise.all(
        aboutPrices.map(async ({ path }) => Number((await service.get(path)).headers['x-data-freshness-hours'])),
      )),
    )
    for (const path of ['/v1/public/stats', '/openapi.json', '/nowhere', '/v1/%zz'])
      expect(Number((await service.get(path)).headers['x-data-freshness-hours']), path).toBe(newest)
  })
})

describe('a client that already has the answer', () => {
  test.each([
    ['its tag', (etag: string) => etag],
    ['its tag, strong', (etag: string) => etag.replace('W/', '')],
    ['its tag among others', (etag: string) => `"other", ${etag}`],
    ['anything', () => '*'],
  ])('gets a 304 without a body when If-None-Match is %s', async (_, held) => {
    const { headers } = await service.get(inflation)
    const again = await service.get(inflation, { 'if-none-match': held(headers.etag ?? '') })
    expect(again).toMatchObject({ status: 304, body: '' })
    for (const name of ['etag', 'cache-control', 'x-data-freshness-hours'])
      expect(again.headers[name]).toBe(headers[name])
  })

  test('gets the full answer when its tag is that of a different query', async () => {
    const { headers } = await service.get('/v1/analyst/inflation?category=coffee&country=us&days=60')
    const reply = await service.get(inflation, { 'if-none-match': headers.etag ?? '' })
    expect(reply.status).toBe(200)
    expect(reply.headers.etag).not.toBe(headers.etag)
  })
})

test('a query has one hash, however its parameters are ordered and encoded', async () => {
  const replies = await Promise.all(
    [
      '?category=coffee&country=us',
      '?country=us&category=coffee',
      '?c%61tegory=c%6Fffee&country=us',
      '?category=coffee',
    ].map((parameters) => service.get(`/v1/analyst/inflation${parameters}`)),
  )
  expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1)
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
})

describe('a page of another origin', () => {
  test('may send requests and read the headers that it needs', async () => {
    const open = await serveSample({ SHELFMARK_CORS: '*' })
    const { headers } = await open.get('/v1/public/stats', { origin: 'https://elsewhere.example' })
    expect(headers['access-control-allow-origin']).toBe('*')
    for (const name of [
      'PAYMENT-REQUIRED',
      'PAYMENT-RESPONSE',
      'Payment-Receipt',
      'WWW-Authenticate',
      'X-Data-Freshness-Hours',
    ])
      expect(headers['access-control-expose-headers']).toContain(name)
  })

  test('is informed by a preflight which methods and headers it may send', async () => {
    const { status, headers, body } = await send(service.port, '/v1/shopper/best-price?q=tv', {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    })
    expect({ status, body }).toEqual({ status: 204, body: '' })
    expect(headers['access-control-allow-methods']).toBe('GET, POST, OPTIONS')
    expect(headers['access-control-allow-headers']).toMatch(/PAYMENT-SIGNATURE.*X-PAYMENT/)
  })
})

test('HEAD is answered without a body on free routes and refused on paid ones', async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => send(service.port, '/v1/public/stats', { method })),
  )
  expect(head).toMatchObject({ status: 200, body: '' })
  expect(head?.headers['content-length']).toBe(get?.headers['content-length'])
  expect((await send(service.port, inflation, { method: 'HEAD' })).status).toBe(405)
})

test.each(['/openapi.json', '/openapi.full.json'])('%s names the address that it is served from', async (path) => {
  const { status, headers, body } = await service.get(path)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.parse(body).servers).toEqual([{ url: `http://127.0.0.1:${service.port}` }])
})

test('the guide for language models names both contract documents', async () => {
  const { body } = await service.get('/llms.txt')
  for (const path of ['/openapi.json', '/openapi.full.json']) expect(body).toContain(`:${service.port}${path})`)
})
