import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Service } from '../../support/http.ts'
import { type Balances, balanceOf } from './balances.ts'
import { cheap, createPayer, type Payer, paymentFor, servePaid, startChains } from './paying.ts'

let chains: Embedded
let service: Service
let payer: Payer
let balances: Balances
let settle: Facilitator['settle']

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  const facilitator: Facilitator = { ...chains.facilitator, settle: (...payment) => settle(...payment) }
  service = await servePaid({ ...chains, facilitator }, { SHELFMARK_SETTLE_MS: '500', SHELFMARK_CACHE_MIB: '0' })
})

beforeEach(() => {
  settle = chains.facilitator.settle
})

describe.each(['base', 'solana'] as const)('on %s, a facilitator that reports a settlement', (network) => {
  const claim = (transaction: string) => {
    settle = async (_, { network }) => ({ success: true, transaction, network })
  }
  const absent = network === 'base' ? `0x${'ab'.repeat(32)}` : '5'.repeat(87)

  test.each([
    ['that no block has', async () => absent],
    ['without naming a transaction', async () => ''],
    [
      'by the transaction of another payment',
      async () => {
        let transaction = ''
        settle = async (...payment) => {
          const settled = await chains.facilitator.settle(...payment)
          transaction = settled.transaction
          return settled
        }
        expect((await service.get(cheap, await paymentFor(service, payer, cheap, network))).status).toBe(200)
        return transaction
      },
    ],
  ])('%s gets no answer released, and the payment buys it once it is made', async (_, transactionOf) => {
    claim(await transactionOf())
    const before = await balances(network)
    const headers = await paymentFor(service, payer, cheap, network)
    const first = await service.get(cheap, headers)
    expect(first.status, first.body).toBe(503)
    expect(await balances(network)).toBe(before)
    settle = chains.facilitator.settle
    let reply = await service.get(cheap, headers)
    while (reply.status === 503) reply = await service.get(cheap, headers)
    expect(reply.status, reply.body).toBe(200)
    expect((await balances(network)) - before).toBe(10_000n)
  })
})
