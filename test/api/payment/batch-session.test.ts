import { beforeAll, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { sized } from '../../support/full-size.ts'
import { createBatchClient, watchBase } from './batch-clients.ts'
import { cheap, startChains } from './paying.ts'
import { serveSessions } from './session-clients.ts'

const PRICE = 10_000n
const ANSWERS = sized(30, 1000)
const PAID = BigInt(ANSWERS) * PRICE

let chains: Embedded
let base: ReturnType<typeof watchBase>
beforeAll(async () => {
  chains = await startChains()
  base = watchBase(chains)
})

test('a stock client opens a channel by itself, buys many answers, and gets the rest back', async () => {
  const { address, total, sessions, service } = await serveSessions(chains, { SHELFMARK_SESSION_EXPOSURE: '10' })
  const client = createBatchClient(chains)
  const before = { payee: await base.balance(), payer: await base.balance(client.payer), blocks: await base.blocks() }
  for (let count = 0; count < ANSWERS; count += 1) {
    const response = await client.fetch(`${address}${cheap}`)
    expect(response.status, await response.clone().text()).toBe(200)
    expect(await response.json()).toHaveProperty('category')
  }
  console.log(await sessions(), await base.blocks() - before.blocks)
  console.log(await client.refund(`${address}${cheap}`))
  console.log(await sessions(), await base.blocks() - before.blocks)
  expect((await base.balance()) - before.payee).toBe(PAID)
  expect(before.payer - (await base.balance(client.payer))).toBe(PAID)
  expect(await total()).toBe(PAID)
  console.log(service.log.slice(-5))
})
