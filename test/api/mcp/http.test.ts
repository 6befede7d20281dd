import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { x402Client } from '@x402/core/client'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import fc from 'fast-check'
import { McpClient } from 'mppx/mcp/client'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Lake } from '../../../api/ops/lake.ts'
import { methodOf } from '../../../api/pay/tempo.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { type Engine, EngineError, queryId } from '../../../engine/index.ts'
import { sized } from '../../support/full-size.ts'
import { type Service, samplePaths, serveSample } from '../../support/http.ts'
import { type Host, httpHost } from '../../support/mcp.ts'
import { balanceOf } from '../payment/balances.ts'
import { servePaid, startChains } from '../payment/paying.ts'

let service: Service
let host: Host

beforeAll(async () => {
  service = await serveSample()
  host = await httpHost(service.port)
})

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

const post = async ({ method = 'POST', headers = {}, body }: Sent, { port }: Service = service) => {
  const sent = request({ port, host: '127.0.0.1', path: '/mcp', method, headers: { ...protocol, ...headers } })
  sent.end(body)
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  )
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

const protocol = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

describe('/mcp without payments', () => {
  test.each(samplePaths())('answers $path as its route does', async ({ query, path }) => {
    const params = new URLSearchParams(path.split('?')[1])
    const { answer } = await host.ask(queryId(query), Object.fromEntries(params), { fields: ['all'] })
    expect(answer).toEqual(JSON.parse((await service.get(path)).body))
  })

  test('lists queries as free, and finds categories and coverage', async () => {
    const { structuredContent } = await host.call('list_queries', { group: 'analyst' })
    for (const query of structuredContent.queries as object[]) expect(query).toMatchObject({ price_usd: 0 })
    expect((await host.call('find_category', { text: 'coffee' })).structuredContent).toMatchObject({
      category_path: 'grocery/beverages/coffee',
    })
    expect((await host.call('coverage')).structuredContent).toHaveProperty('catalogue.observations')
  })

  test('refuses as the routes do', async () => {
    expect(await host.refused('analyst/inflation', { category: 'zzqq' })).toMatchObject({ code: 'INVALID_PARAMS' })
  })
})

describe('/mcp refuses', () => {
  const cases: [what: string, sent: Sent, status: number, message: RegExp][] = [
    ['a page of another origin', { headers: { origin: 'http://evil.example' }, body: ping }, 403, /other origins/],
    ['an opaque origin', { headers: { origin: 'null' }, body: ping }, 403, /other origins/],
    ['another host', { headers: { host: 'evil.example' }, body: ping }, 403, /other hosts/],
    ['a body that is not JSON', { body: '{' }, 400, /not JSON/],
    ['no body', {}, 400, /not JSON/],
    ['a message that is not JSON-RPC', { body: '{"id": 1}' }, 400, /JSON-RPC/],
    ['a batch', { body: `[${ping}]` }, 400, /not a batch/],
    ['a body that is too large', { body: Buffer.alloc(65_537, ' ') }, 413, /at most 65536 bytes/],
    ['another media type', { headers: { 'content-type': 'text/plain' }, body: ping }, 415, /application\/json/],
    ['a client without JSON', { headers: { accept: 'text/html' }, body: ping }, 406, /accept/],
    [
      'an unknown version of the protocol',
      { headers: { 'mcp-protocol-version': '1999-01-01' }, body: ping },
      400,
      /protocol version/i,
    ],
    ['GET', { method: 'GET' }, 405, /send POST/],
    ['DELETE', { method: 'DELETE' }, 405, /send POST/],
  ]
  test.each(cases)('%s', async (_, sent, status, message) => {
    const reply = await post(sent)
    expect(reply).toMatchObject({ status, body: expect.stringMatching(message) })
    expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } })
  })

  test('but answers pages of its own origin and clients without one', async () => {
    for (const origin of [`http://127.0.0.1:${service.port}`, 'http://localhost:6274'])
      expect((await post({ headers: { origin }, body: ping })).status).toBe(200)
    expect((await post({ body: ping })).status).toBe(200)
    expect((await post({ body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' })).status).toBe(202)
    const { status, headers } = await post({ method: 'OPTIONS' })
    expect({ status, methods: headers['access-control-allow-methods'] }).toEqual({
      status: 204,
      methods: 'POST, OPTIONS',
    })
  })

  test('requests beyond the rate of the client, inner ones included', async () => {
    const limited = await serveSample({ SHELFMARK_RATE: '1', SHELFMARK_BURST: '3', SHELFMARK_PROXIES: '127.0.0.1' })
    const ask = (address: string) => {
      const params = { name: 'ask', arguments: { query: 'public/stats' } }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      return post({ headers: { 'x-forwarded-for': address }, body }, limited)
    }
    expect(JSON.parse((await ask('10.0.0.1')).body).result).not.toHaveProperty('isError')
    expect(JSON.parse((await ask('10.0.0.1')).body).result.structuredContent.error).toMatchObject({
      code: 'RATE_LIMITED',
    })
    expect((await ask('10.0.0.1')).status).toBe(429)
    expect(JSON.parse((await ask('10.0.0.2')).body).result).not.toHaveProperty('isError')
  })
})

test('any message is answered without an internal error', async () => {
  const tool = fc.constantFrom('list_queries', 'describe_query', 'ask', 'find_category', 'coverage', 'none')
  const name = fc.oneof(fc.constantFrom(...samplePaths().map(({ query }) => queryId(query))), fc.string())
  const args = fc.record(
    { query: name, params: fc.jsonValue(), fields: fc.jsonValue(), text: fc.jsonValue(), limit: fc.jsonValue() },
    { requiredKeys: [] },
  )
  const call = fc.record(
    { name: tool, arguments: fc.oneof(args, fc.jsonValue()), _meta: fc.jsonValue() },
    { requiredKeys: ['name'] },
  )
  const message = fc.oneof(
    { weight: 5, arbitrary: call.map((params) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })) },
    {
      weight: 1,
      arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(), method: fc.string(), params: fc.jsonValue() }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  await fc.assert(
    fc.asyncProperty(message, async (sent) => {
      const { status, body } = await post({ body: JSON.stringify(sent) })
      expect(status).toBeLessThan(500)
      expect(body).not.toContain('INTERNAL_ERROR')
    }),
    { numRuns: sized(150, 5000) },
  )
  expect(service.log.filter(({ level }) => Number(level) > 40)).toEqual([])
})

/** A lake whose queries run until they are cancelled. */
const endless = (lake: Lake, onRun: (signal: AbortSignal) => void): Lake => ({
  engine: () => {
    const engine = lake.engine()
    const run: Engine['run'] = (_, { signal } = {}) =>
      new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(new EngineError('NOT_READY', 'cancelled')))
        onRun(signal!)
      })
    return (
      engine &&
      new Proxy(engine, {
        get: (target, name) => {
          const value = name === 'run' ? run : Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    )
  },
})

test('a client that disconnects cancels its query', async () => {
  let slow!: Service
  const running = new Promise<AbortSignal>((resolve) => {
    serveSample({}, (lake) => endless(lake, resolve)).then(async (service) => {
      slow = service
      const other = await httpHost(service.port)
      other.call('ask', { query: 'analyst/inflation', params: { category: 'coffee' } }).catch(() => {})
      await running
      await other.client.close()
    })
  })
  const signal = await running
  await expect.poll(() => signal.aborted, { timeout: 10_000 }).toBe(true)
  await expect
    .poll(() => slow.log.some(({ msg, route }) => msg === 'client disconnected' && route === '/mcp'), {
      timeout: 10_000,
    })
    .toBe(true)
  expect(slow.log.filter(({ level }) => Number(level) > 30)).toEqual([])
})

describe('/mcp of a paid service', () => {
  let chains: Embedded
  let paid: Service

  beforeAll(async () => {
    chains = await startChains()
    paid = await servePaid(chains)
  })

  const ask = { name: 'ask', arguments: { query: 'analyst/inflation', params: { category: 'coffee' } } }

  test('never answers a paid query unpaid, and says how to pay', async () => {
    const { call } = await httpHost(paid.port)
    for (const { query, path } of samplePaths()) {
      const params = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
      const result = await call('ask', { query: queryId(query), params })
      expect(result.isError === true, queryId(query)).toBe(query.group !== 'public')
      if (query.group === 'public') continue
      expect(result.structuredContent).toMatchObject({
        x402Version: 2,
        accepts: [{ scheme: 'exact' }, { scheme: 'exact' }],
      })
      expect(result.content[0]?.text).toMatch(/^PAYMENT_REQUIRED: .* It costs 0\.0[123] USD\. /)
    }
    const { structuredContent } = await call('list_queries', { group: 'social' })
    expect(structuredContent.queries).toMatchObject([{ price_usd: 0.03 }, { price_usd: 0.03 }])
  })

  test('takes a payment by x402 in _meta, once', async () => {
    const { client } = await httpHost(paid.port)
    const before = await balanceOf(chains)('base')
    const { structuredContent: required } = await client.callTool(ask)
    const payer = new x402Client().register('eip155:*', new ExactEvmScheme(privateKeyToAccount(chains.payers.base)))
    const offered = required as unknown as PaymentRequired
    const accepts = offered.accepts.filter(({ network }) => network.startsWith('eip155:'))
    const payment = await payer.createPaymentPayload({ ...offered, accepts })
    const pay = (name: string, params: object) =>
      client.callTool({ name: 'ask', arguments: { query: name, params }, _meta: { 'x402/payment': payment } })
    const result = await pay('analyst/inflation', { category: 'coffee' })
    expect(result.structuredContent).toHaveProperty('answer.lfl_change_pct')
    expect(result._meta).toMatchObject({
      'x402/payment-response': { success: true, transaction: expect.stringMatching(/^0x/) },
    })
    expect((await balanceOf(chains)('base')) - before).toBe(20_000n)
    const other = await pay('analyst/inflation', { category: 'laptops' })
    expect(other).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } })
    expect((await balanceOf(chains)('base')) - before).toBe(20_000n)
  })

  test('is paid by the published MCP client of MPP', async () => {
    const { client } = await httpHost(paid.port)
    const before = await balanceOf(chains)('tempo')
    const wrapped = McpClient.wrap(
      client as never,
      { methods: [methodOf(chains)] } as never,
    ) as unknown as typeof client
    const result = await wrapped.callTool(ask)
    expect(result.structuredContent).toHaveProperty('answer.lfl_change_pct')
    expect(result._meta).toMatchObject({ 'org.paymentauth/receipt': { status: 'success', method: 'tempo' } })
    expect((await balanceOf(chains)('tempo')) - before).toBe(20_000n)
  })

  test.each([
    ['x402/payment', 'nonsense'],
    ['x402/payment', { x402Version: 2 }],
    ['x402/payment', { x402Version: 2, payload: 'x'.repeat(20_000) }],
    ['org.paymentauth/credential', 'nonsense'],
    ['org.paymentauth/credential', { challenge: {}, payload: {} }],
  ])('refuses a payment in %s that is none: %#', async (name, payment) => {
    const { client } = await httpHost(paid.port)
    const result = await client.callTool({ ...ask, _meta: { [name]: payment } })
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).not.toContain('INTERNAL_ERROR')
  })
})
