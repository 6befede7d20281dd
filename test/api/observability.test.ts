import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { requestIdOf } from '../../api/http/trace.ts'
import { sampleLake, temporaryFolder } from '../support/given.ts'
import { RELOADED, type Service, send, serveLake, serveSample } from '../support/http.ts'
import { startService } from '../support/process.ts'
import { beforeEachRun, cheap, createPayer, paymentFor, servePaid, startChains } from './payment/paying.ts'

const ADMIN = { SHELFMARK_ADMIN_PORT: '0' }
const inflation = '/v1/analyst/inflation?category=coffee'

/** The value of a metric with these labels, as `/metrics` shows it. */
const metric = async (service: Service, series: string): Promise<number> => {
  const { body } = await service.watch('/metrics')
  const line = body.split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1))
}

describe('/readyz', () => {
  test('is 503 with the reason while there is no snapshot, and /livez is 200', async () => {
    const service = await serveLake(await temporaryFolder(), ADMIN)
    const { status, body } = await service.watch('/readyz')
    expect(status).toBe(503)
    expect(JSON.parse(body)).toMatchObject({
      status: 'not ready',
      reasons: [expect.stringMatching(/^snapshot: There is no snapshot/)],
      snapshot: { snapshot_id: null, pointer: null, lag_seconds: 0 },
    })
    expect(await service.watch('/livez')).toMatchObject({ status: 200, body: '{"status":"ok"}' })
  })

  test('reports the snapshot, the journal and the facilitator', async () => {
    const chains = await startChains()
    const service = await servePaid(chains, ADMIN)
    const { status, headers, body } = await service.watch('/readyz')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const state = JSON.parse(body)
    expect(state).toMatchObject({
      status: 'ready',
      reasons: [],
      snapshot: { age_hours: expect.any(Number), newest_observation_hours: expect.any(Number), lag_seconds: 0 },
      journal: 'ok',
      facilitator: { state: 'up', reason: null },
    })
    expect(state.snapshot.pointer).toBe(state.snapshot.snapshot_id)
  })

  test('reports a cluster that does not answer, without its password, and logs that once', async () => {
    const backend = { SHELFMARK_BACKEND: 'clickhouse://reader:canary@127.0.0.1:2,127.0.0.1:3' }
    const service = await serveSample({ ...ADMIN, ...RELOADED, ...backend })
    await sleep(300)
    const { status, body } = await service.watch('/readyz')
    expect(status).toBe(503)
    expect(JSON.parse(body)).toMatchObject({
      reasons: [
        expect.stringMatching(/^snapshot: The ClickHouse node 127\.0\.0\.1:2 cannot answer: connect ECONNREFUSED/),
      ],
      cluster: { nodes: [] },
    })
    expect(service.log.filter(({ msg }) => msg === 'no new snapshot')).toHaveLength(1)
    expect((await service.get('/v1/public/stats')).status).toBe(503)
    expect(JSON.stringify(service.log) + body).not.toContain('canary')
  })

  test('has a page for proxies that choose by whether prices can be queried', async () => {
    const service = await serveSample(ADMIN)
    const { status, body } = await service.watch('/readyz/prices')
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ status: 'ready', cluster: null })
  })

  test('is served by the admin listener alone, which serves no queries', async () => {
    const service = await serveSample(ADMIN)
    for (const path of ['/livez', '/readyz', '/metrics']) expect((await service.get(path)).status).toBe(404)
    const { status, body } = await service.watch('/v1/public/stats')
    expect(status).toBe(404)
    expect(body).toContain('/readyz')
  })

  test('is not rate limited', async () => {
    const service = await serveSample({ ...ADMIN, SHELFMARK_RATE: '1', SHELFMARK_BURST: '1' })
    for (let i = 0; i < 20; i++) expect((await service.watch('/readyz')).status).toBe(200)
    expect((await service.get('/v1/public/stats')).status).toBe(200)
    expect((await service.get('/v1/public/stats')).status).toBe(429)
  })
})

describe('/metrics', () => {
  test('counts requests by query and status, their steps and the cached answers', async () => {
    const service = await serveSample(ADMIN)
    for (let i = 0; i < 3; i++) await service.get(inflation)
    await service.get(`${inflation}&days=0`)
    await service.get('/nowhere')
    expect(await metric(service, 'shelfmark_requests_total{query="analyst/inflation",status="200"}')).toBe(3)
    expect(await metric(service, 'shelfmark_requests_total{query="analyst/inflation",status="400"}')).toBe(1)
    expect(await metric(service, 'shelfmark_requests_total{query="other",status="404"}')).toBe(1)
    expect(await metric(service, 'shelfmark_plan_seconds_count')).toBe(4)
    expect(await metric(service, 'shelfmark_run_seconds_count')).toBe(1)
    expect(await metric(service, 'shelfmark_cache_requests_total{outcome="hit"}')).toBe(2)
    expect(await metric(service, 'shelfmark_cache_entries')).toBe(1)
    expect(await metric(service, 'shelfmark_queue_running')).toBe(0)
    expect(await metric(service, 'shelfmark_coverage_cells{country="us",quality_status="serving"}')).toBeGreaterThan(0)
    expect(await metric(service, 'shelfmark_snapshots_refused_total')).toBe(0)
  })

  test('has every metric that the dashboard and the alerts use', async () => {
    const service = await servePaid(await startChains(), ADMIN)
    await service.get(inflation)
    const { headers, body } = await service.watch('/metrics')
    expect(headers['content-type']).toContain('text/plain')
    const exported = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const files = ['dashboard.json', 'alerts.yml'].map((name) =>
      readFileSync(new URL(`../../api/operations/${name}`, import.meta.url), 'utf8'),
    )
    const used = new Set(
      files.flatMap((text) => [...text.matchAll(/\b(?:shelfmark|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name)),
    )
    expect(used.size).toBeGreaterThan(20)
    for (const name of used) expect(exported, name).toContain(name.replace(/_(bucket|sum|count)$/, ''))
    expect(JSON.parse(files[0]!).panels.length).toBeGreaterThan(10)
  })
})

describe('the request id', () => {
  test.each(['3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'A.b:c_d-1'])('is the one the client sends: %s', async (id) => {
    const service = await serveSample()
    for (const path of [inflation, '/nowhere', `${inflation}&days=0`])
      expect((await service.get(path, { 'x-request-id': id })).headers['x-request-id']).toBe(id)
    expect(service.log.filter(({ msg }) => msg === 'answered')).toMatchObject(Array(3).fill({ reqId: id }))
  })

  test.each(['', 'a b', '"x"', 'é', '-x', 'a'.repeat(129)])('is replaced where it is not valid: %s', (id) => {
    expect(requestIdOf({ headers: { 'x-request-id': id } })).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is generated for requests without one, including those that are not queries', async () => {
    const service = await serveSample()
    const ids = await Promise.all(
      [inflation, '/nowhere', '/openapi.json', '/v1/%zz'].map(
        async (path) => (await service.get(path)).headers['x-request-id'],
      ),
    )
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the log', () => {
  test('has one line per request, with the plan, the duration of each step and the size of the response', async () => {
    const service = await serveSample({ SHELFMARK_SLOW_MS: '600000' })
    const { headers, body } = await service.get(inflation)
    await service.get(inflation)
    const lines = service.log.filter(({ reqId }) => reqId !== undefined)
    expect(lines).toMatchObject([
      {
        msg: 'answered',
        query: 'analyst/inflation',
        snapshot_id: JSON.parse(body).meta.snapshot_id,
        plan: String(headers.etag).slice(3, -1),
        cache: 'miss',
        status: 200,
        bytes: Buffer.byteLength(body),
        plan_ms: expect.any(Number),
        wait_ms: expect.any(Number),
        run_ms: expect.any(Number),
      },
      { msg: 'answered', cache: 'hit', plan_ms: expect.any(Number) },
    ])
  })

  test('contains the plan of a slow query', async () => {
    const service = await serveSample({ SHELFMARK_SLOW_MS: '0' })
    await service.get(inflation)
    const slow = service.log.filter(({ msg }) => msg === 'slow query')
    expect(slow).toMatchObject([
      { level: 40, query: 'analyst/inflation', run_ms: expect.any(Number), plan: { params: { category: 'coffee' } } },
    ])
  })

  test('identifies a payment by its transaction and its payer by a hash', async () => {
    const chains = await startChains()
    const service = await servePaid(chains, ADMIN)
    const payer = await createPayer(chains)
    for (const network of ['base', 'solana', 'tempo'] as const) {
      const header = await paymentFor(service, payer, cheap, network)
      expect((await service.get(cheap, header)).status).toBe(200)
      const line = service.log.filter(({ msg }) => msg === 'answered').at(-1)
      expect(line).toMatchObject({
        verify_ms: expect.any(Number),
        settle_ms: expect.any(Number),
        payment: {
          network,
          payer: expect.stringMatching(/^[0-9a-f]{16}$/),
          outcome: 'settled',
          transaction: expect.stringMatching(/\w{40}/),
        },
      })
      expect(await metric(service, `shelfmark_payments_total{network="${network}",outcome="settled"}`)).toBe(1)
    }
    expect(JSON.stringify(service.log)).not.toMatch(new RegExp(payer.evm.address, 'i'))
  })

  test('contains no error where a client disconnected', async () => {
    let start: (value?: unknown) => void
    let end: (value?: unknown) => void
    const started = new Promise((resolve) => (start = resolve))
    const ended = new Promise((resolve) => (end = resolve))
    const beforeRun = async () => {
      start()
      await ended
    }
    // However slow this machine is, a slow query is not what is tested.
    const service = await serveSample({ ...ADMIN, SHELFMARK_SLOW_MS: '600000' }, (lake) =>
      beforeEachRun(lake, beforeRun),
    )
    const client = new AbortController()
    const request = send(service.port, inflation, { signal: client.signal, agent: new Agent() })
    await started
    expect(await metric(service, 'shelfmark_queue_running')).toBe(1)
    client.abort()
    await expect(request).rejects.toThrow()
    end!()
    while (!service.log.some(({ msg }) => msg === 'client disconnected')) await sleep(1)
    expect(service.log.filter(({ level }) => Number(level) > 30)).toEqual([])
    expect(service.log.filter(({ reqId }) => reqId !== undefined)).toMatchObject([{ status: 499 }])
  })
})

test('a service whose admin port is in use exits and names the setting to change', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { lake } = await sampleLake()
  const served = startService({ SHELFMARK_LAKE: lake, SHELFMARK_ADMIN_PORT: String(port) })
  expect(await served.exited).toBe(2)
  expect(served.errors).toEqual([
    'SHELFMARK_ADMIN_PORT: the port is in use; set SHELFMARK_ADMIN_PORT to a free port, or leave it empty to disable the admin listener',
  ])
  taken.close()
})
