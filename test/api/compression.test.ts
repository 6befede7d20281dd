import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { codings } from '../../api/http/compression.ts'
import { type Service, serveSample } from '../support/http.ts'

const path = '/v1/analyst/inflation?category=coffee&granularity=daily'
const small = '/v1/public/stats'

let service: Service
beforeAll(async () => {
  service = await serveSample()
})

/** The response with its body as it was sent. */
const ask = async (acceptEncoding: string | undefined, { method = 'GET', where = path, headers = {} } = {}) => {
  const sent = request({
    port: service.port,
    host: '127.0.0.1',
    path: where,
    method,
    agent: false,
    headers: { ...headers, ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }) },
  }).end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

const decode: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  // Node has it from 22.15.
  zstd: (bytes) => (zlib as unknown as { zstdDecompressSync(bytes: Buffer): Buffer }).zstdDecompressSync(bytes),
}

/** What a body is, but for the time it was computed at. */
const textOf = (bytes: Buffer): string => bytes.toString().replace(/"freshness_seconds":\d+/, '')

describe('a response body', () => {
  test.each(codings)('in %s decodes to the same bytes as the uncompressed body', async (coding) => {
    const plain = await ask(undefined)
    const { status, headers, body } = await ask(coding)
    expect(status).toBe(200)
    expect(headers['content-encoding']).toBe(coding)
    expect(headers['content-type']).toBe(plain.headers['content-type'])
    expect(headers.etag).toBe(plain.headers.etag)
    expect(body.length).toBeLessThan(plain.body.length / 2)
    expect(textOf(decode[coding]!(body))).toBe(textOf(plain.body))
  })

  test('under 1 KiB is sent uncompressed', async () => {
    const { headers, body } = await ask('gzip, br', { where: small })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['content-length']).toBe(String(body.length))
    expect(headers.vary).toMatch(/accept-encoding/i)
  })

  test('is compressed for documents and refusals too', async () => {
    const { headers, body } = await ask('gzip', { where: '/openapi.json' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(body).toString())).toHaveProperty('openapi')
    const long = `/v1/analyst/inflation?category=coffee&${'x'.repeat(2000)}=1`
    const refused = await ask('br', { where: long })
    expect(refused.status).toBe(400)
    const text = refused.headers['content-encoding'] === 'br' ? brotliDecompressSync(refused.body) : refused.body
    expect(JSON.parse(text.toString())).toMatchObject({ status: 400, error: { code: 'INVALID_PARAMS' } })
  })
})

const best = codings[0]
describe('Accept-Encoding', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', undefined],
    ['compress, deflate', undefined],
    ['gzip, deflate, br', 'br'],
    ['gzip, br, zstd', best],
    ['*', best],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0.2, gzip;q=0.9', 'gzip'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['*;q=0', undefined],
    ['br;q=0, zstd;q=0, *', 'gzip'],
    ['gzip;q=0, zstd;q=0, *', 'br'],
    ['gzip;q=0, br;q=0, zstd;q=0, *', undefined],
    ['identity;q=0.5, *;q=0.1', undefined],
    ['gzip;q=nonsense', undefined],
    [';;,,=q', undefined],
  ])('of %j is answered with the coding %s', async (accepted, coding) => {
    const { status, headers } = await ask(accepted)
    expect(status).toBe(200)
    expect(headers['content-encoding']).toBe(coding)
    expect(headers.vary).toMatch(/accept-encoding/i)
  })
})

test('HEAD has the headers of GET and no body', async () => {
  for (const where of ['/openapi.json', '/v1/public/categories']) {
    const get = await ask('gzip', { where })
    const head = await ask('gzip', { where, method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.body).toHaveLength(0)
    for (const name of ['content-encoding', 'content-type', 'vary', 'etag'])
      expect(head.headers[name], name).toBe(get.headers[name])
    // A body that is compressed while it is sent has no length beforehand.
    if (head.headers['content-length'] !== undefined)
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
  }
})

test('an answer that the client already has is 304 in any coding', async () => {
  const { headers } = await ask('gzip')
  for (const coding of ['gzip', 'br', undefined]) {
    const again = await ask(coding, { headers: { 'if-none-match': headers.etag! } })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
    expect(again.headers['content-encoding']).toBeUndefined()
    expect(again.headers.vary).toMatch(/accept-encoding/i)
  }
})

test('a Content-Encoding header of the request is ignored', async () => {
  const { status } = await ask(undefined, { headers: { 'content-encoding': 'nonsense' } })
  expect(status).toBe(200)
})
