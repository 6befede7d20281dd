import { describe, expect, test } from 'vitest'
import { send, serveSample } from '../support/http.ts'
import { servePaid, startChains } from './payment/paying.ts'

const PAGE = { origin: 'https://app.example' }
const stats = '/v1/public/stats'
const ALLOWED = 'access-control-allow-origin'

describe('a service without payments', () => {
  test('lets no page of another origin read its answers, refusals and documents', async () => {
    const service = await serveSample()
    for (const path of [stats, '/v1/public/stats?a=b', '/nowhere', '/%E0%A4%A', '/', '/openapi.json'])
      expect((await service.get(path, PAGE)).headers[ALLOWED]).toBeUndefined()
    const preflight = await send(service.port, stats, { method: 'OPTIONS', headers: PAGE })
    expect(preflight.headers[ALLOWED]).toBeUndefined()
  })

  test('lets those of the origins of SHELFMARK_CORS', async () => {
    const service = await serveSample({ SHELFMARK_CORS: 'https://app.example, http://localhost:3000' })
    const { headers } = await service.get(stats, PAGE)
    expect(headers).toMatchObject({ [ALLOWED]: 'https://app.example', vary: expect.stringMatching(/\bOrigin$/) })
    const other = await service.get(stats, { origin: 'https://other.example' })
    expect(other.headers[ALLOWED]).toBeUndefined()
    expect(other.headers.vary).toMatch(/\bOrigin$/)
  })

  test('answers to its own names alone, of which a proxy may have others', async () => {
    const service = await serveSample()
    const own = ['localhost', `127.0.0.1:${service.port}`, '[::1]:80']
    for (const host of own) expect(await service.get(stats, { host })).toMatchObject({ status: 200 })
    const foreign = await service.get(stats, { host: 'rebound.example' })
    expect(foreign.status).toBe(400)
    expect(foreign.body).toContain('Host: expected a name of this service')
    const named = await serveSample({ SHELFMARK_BASE_URL: 'https://prices.example', SHELFMARK_PROXIES: '127.0.0.1' })
    expect(await named.get(stats, { host: 'prices.example' })).toMatchObject({ status: 200 })
    expect(await named.get(stats, { host: 'rebound.example' })).toMatchObject({ status: 400 })
    const proxied = await serveSample({ SHELFMARK_PROXIES: '127.0.0.1' })
    expect(await proxied.get(stats, { host: 'prices.example' })).toMatchObject({ status: 200 })
  })
})

describe('a service that sells answers', () => {
  test('lets every page read them', async () => {
    const service = await servePaid(await startChains())
    expect((await service.get(stats, PAGE)).headers[ALLOWED]).toBe('*')
  })
})

test('the admin listener is for this machine and its names', async () => {
  const service = await serveSample({ SHELFMARK_ADMIN_PORT: '0' })
  expect(await service.watch('/livez')).toMatchObject({ status: 200 })
  expect(await service.watch('/livez', { host: 'rebound.example' })).toMatchObject({ status: 400 })
})
