import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Service } from '../../support/http.ts'
import { type Balances, balanceOf } from './balances.ts'
import { type Client, type Pay, pairs } from './browser-page.ts'
import { type Network, servePaid, startChains } from './paying.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!executablePath) console.warn('skipped: no Chromium here; on Debian: apt-get install chromium')

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [new URL('browser-page.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    define: { global: 'globalThis' },
  })
  return outputFiles[0]!.text
}

/** Serves the page from an origin of its own. */
const servePage = async (script: string): Promise<Server> => {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/page.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script : '<!doctype html><title>A customer</title><script src="/page.js"></script>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

describe.skipIf(!executablePath)('a page of another origin, in Chromium', () => {
  let chains: Embedded
  let service: Service
  let balances: Balances
  let server: Server
  let browser: Browser
  let page: Page
  const failed: string[] = []

  beforeAll(async () => {
    chains = await startChains()
    balances = balanceOf(chains)
    service = await servePaid(chains)
    server = await servePage(await bundle())
    browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] })
    page = await browser.newPage()
    page.on('requestfailed', (request) => failed.push(`${request.method()} ${request.url()}`))
    // The service is on 127.0.0.1: a name of this machine is another origin.
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  })

  afterAll(async () => {
    await browser.close()
    server.close()
  })

  /** A new query: a browser may repeat a query that it has cached free of charge. */
  const paths = Array.from({ length: 10 }, (_, i) => `/v1/shopper/deal-finder?category=coffee&limit=${i + 1}`)
  const newUrl = () => `http://127.0.0.1:${service.port}${paths.pop()}`

  const pay = (client: Client, network: Network, url = newUrl()) => {
    const { payers, rpc } = chains
    return page.evaluate(([pay, ...given]) => (globalThis as unknown as Record<string, Pay>)[pay]!(...given), [
      'pay',
      client,
      network,
      url,
      { payers, rpc },
    ] as const)
  }

  test.each(pairs)('pays with %s on %s exactly once', async (client, network) => {
    const before = await balances(network)
    const { status, body, receipt } = await pay(client, network)
    expect({ status, failed }).toEqual({ status: 200, failed: [] })
    expect(body).toHaveProperty('meta.schema_version', '1.0')
    expect(receipt).toMatch(/^[A-Za-z0-9+/_=-]{50,}$/)
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test('revalidates its cached copy with the service rather than answer from it', async () => {
    const url = newUrl()
    await pay('fetch', 'base', url)
    const seen = service.log.length
    expect(await page.evaluate(async (url) => (await fetch(url)).status, url)).toBe(200)
    expect(service.log.slice(seen)).toMatchObject([{ msg: 'answered', status: 304 }])
  })

  test('can read why a payment was refused', async () => {
    const [status, receipt, retry] = await page.evaluate(async (url) => {
      const { status, headers } = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': 'nonsense' } })
      return [status, headers.get('payment-response'), headers.get('payment-required')]
    }, newUrl())
    expect(status).toBe(402)
    expect(JSON.parse(Buffer.from(String(receipt), 'base64').toString())).toMatchObject({ success: false })
    expect(retry).toMatch(/^ey/)
  })
})
