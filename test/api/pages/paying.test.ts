import type { Browser, Page } from 'playwright-core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { testnets } from '../../../api/ops/networks.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { type Service, send, serveSample } from '../../support/http.ts'
import { type Balances, balanceOf } from '../payment/balances.ts'
import { serveFacilitator } from '../payment/interposed.ts'
import { servePaid, startChains } from '../payment/paying.ts'
import { executablePath, launchChromium, openPage, views, violationsOf } from './chromium.ts'

const PRICE = 20_000n
const path = (days: number) => `/queries/analyst/inflation?category=coffee&days=${days}`

let chains: Embedded
let balances: Balances
let embedded: Service

beforeAll(async () => {
  chains = await startChains()
  balances = balanceOf(chains)
  embedded = await servePaid(chains)
})

/** The receipt of a transaction of the local chain. */
const transactionOf = async (hash: string): Promise<{ status: Hex } | null> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] })
  const response = await fetch(chains.rpc.base, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return ((await response.json()) as { result: { status: Hex } | null }).result
}

/** What an action costs the payer, by what the payee receives. */
const costOf = async (act: () => Promise<unknown>): Promise<bigint> => {
  const before = await balances('base')
  await act()
  return (await balances('base')) - before
}

const postForm = (service: Service, to: string, headers: Record<string, string>) =>
  send(service.port, to, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
  })

test('a form of another origin pays nothing', async () => {
  const ownHost = `127.0.0.1:${embedded.port}`
  const refused: Record<string, string>[] = [
    {},
    { origin: 'https://example.com' },
    { origin: 'null' },
    { origin: `http://localhost:${embedded.port}` },
    { origin: `http://${ownHost}`, 'sec-fetch-site': 'cross-site' },
    { origin: `http://${ownHost}`, 'sec-fetch-site': 'same-site' },
    // A name that is made to resolve to this machine.
    { origin: `http://rebound.example:${embedded.port}`, host: `rebound.example:${embedded.port}` },
  ]
  const cost = await costOf(async () => {
    for (const headers of refused) {
      const { status, body } = await postForm(embedded, path(90), headers)
      expect({ status, body }).toMatchObject({ status: 400, body: expect.stringContaining('sent from another site') })
    }
  })
  expect(cost).toBe(0n)
})

test('a comparison pays each of its answers once, and none that is refused', async () => {
  const origin = `http://127.0.0.1:${embedded.port}`
  const to = '/queries/analyst/inflation?compare=grocery,electronics,zzzz&days=370'
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  const body = 'purchase=3f0c1f64-2f9e-4f0c-9b77-0a3c5d1e2f30'
  const buy = () => send(embedded.port, to, { method: 'POST', headers, body })
  const cost = await costOf(async () => {
    const { status, body } = await buy()
    expect({ status, body }).toMatchObject({ status: 200, body: expect.stringContaining('102 matched listings') })
  })
  expect(cost).toBe(2n * PRICE)
  expect(await costOf(buy)).toBe(0n)
})

test('a refused request is not paid', async () => {
  const origin = `http://127.0.0.1:${embedded.port}`
  const cost = await costOf(async () => {
    const { status, body } = await postForm(embedded, '/queries/analyst/inflation?category=nonsense', { origin })
    expect(status).toBe(400)
    expect(body).toContain('id="p-category-error"')
  })
  expect(cost).toBe(0n)
})

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })

  test('the form pays with test money, once, without scripts', async () => {
    const { page, context } = await openPage(browser, views[1]!, false)
    await page.goto(`http://127.0.0.1:${embedded.port}/queries/analyst/inflation`)
    for (const name of ['from', 'to']) await page.fill(`#p-${name}`, '')
    await page.fill('#p-days', '200')
    await page.click('form.form button[type=submit]')
    expect(await page.textContent('.quote')).toContain('grocery/beverages/coffee')
    const cost = await costOf(() => page.click('text=Pay $0.02 of test money and answer'))
    expect(cost).toBe(PRICE)
    expect(await page.textContent('h2#result')).toContain('days=200')
    expect(await page.textContent('.headline-value')).toMatch(/^[+−]?\d+\.\d\d%$/)
    const [hash = ''] = (await page.textContent('section[aria-labelledby=result]'))!.match(/0x[0-9a-f]{64}/) ?? []
    expect(await transactionOf(hash)).toMatchObject({ status: '0x1' })
    expect(await costOf(() => page.reload())).toBe(0n)
    expect(await page.textContent('section[aria-labelledby=result]')).toContain(hash)
    await context.close()
  })

  test('the page with a quote has no violation of accessibility', async () => {
    const { page, messages, context } = await openPage(browser, views[0]!)
    await page.goto(`http://127.0.0.1:${embedded.port}${path(60)}`)
    expect({ messages, violations: await violationsOf(page) }).toEqual({ messages: [], violations: [] })
    await context.close()
  })

  describe('with a wallet', () => {
    let selling: Service
    const { base } = testnets

    beforeAll(async () => {
      selling = await serveSample({
        SHELFMARK_PAYMENTS: 'facilitator',
        SHELFMARK_NETWORKS: 'testnet',
        SHELFMARK_BASE_URL: 'http://127.0.0.1',
        SHELFMARK_FACILITATOR_URL: await serveFacilitator(chains.facilitator, {}),
        SHELFMARK_PAY_TO_EVM: chains.payTo.evm,
        SHELFMARK_BASE_RPC_URL: chains.rpc.base,
      })
    })

    /** A provider by EIP-1193 whose key stays in the test; the user refuses to sign where `isWilling` is false. */
    const provideWallet = async (page: Page, calls: string[], isWilling = true): Promise<void> => {
      const account = privateKeyToAccount(chains.payers.base)
      await page.exposeFunction('callWallet', async (method: string, params: unknown[]) => {
        calls.push(method)
        if (method === 'eth_requestAccounts') return [account.address]
        if (method === 'wallet_switchEthereumChain') {
          expect(params).toEqual([{ chainId: `0x${base.chain_id.toString(16)}` }])
          return null
        }
        if (!isWilling) throw new Error('User rejected the request.')
        const { domain, types, primaryType, message } = JSON.parse(String(params[1]))
        return account.signTypedData({ domain, types, primaryType, message })
      })
      await page.addInitScript('globalThis.ethereum = { request: ({ method, params }) => callWallet(method, params) }')
    }

    test('a browser wallet pays and the page shows the answer', async () => {
      const watched = await openPage(browser, views[1]!)
      const { page, messages, hosts, context } = watched
      const calls: string[] = []
      await provideWallet(page, calls)
      await page.goto(`http://127.0.0.1:${selling.port}${path(300)}`)
      const cost = await costOf(async () => {
        await page.click('#pay')
        await page.waitForSelector('h2#result')
      })
      expect(cost).toBe(PRICE)
      expect(calls).toEqual(['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_signTypedData_v4'])
      expect(await page.textContent('h2#result')).toContain('days=300')
      const [hash = ''] = (await page.textContent('section[aria-labelledby=result]'))!.match(/0x[0-9a-f]{64}/) ?? []
      expect(await transactionOf(hash)).toMatchObject({ status: '0x1' })
      // Chromium reports the 402 itself.
      expect(messages.filter((message) => !message.includes('402'))).toEqual([])
      expect([...hosts]).toEqual([`127.0.0.1:${selling.port}`])
      await context.close()
    })

    test('a user who refuses to sign pays nothing and may try again', async () => {
      const { page, context } = await openPage(browser, views[0]!)
      await provideWallet(page, [], false)
      await page.goto(`http://127.0.0.1:${selling.port}${path(310)}`)
      const cost = await costOf(async () => {
        await page.click('#pay')
        await page.waitForSelector('text=User rejected the request.')
      })
      expect(cost).toBe(0n)
      expect(await page.isEnabled('#pay')).toBe(true)
      await context.close()
    })

    test('without a wallet or without scripts the page says how to pay', async () => {
      const { page, context } = await openPage(browser, views[0]!, false)
      await page.goto(`http://127.0.0.1:${selling.port}${path(320)}`)
      expect(await page.isVisible('#pay')).toBe(false)
      expect(await page.textContent('#wallet-status')).toContain('pays the request')
      await context.close()
    })
  })
})
