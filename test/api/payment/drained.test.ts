import { decodePaymentResponseHeader } from '@x402/core/http'
import { PaymentRequest } from 'mppx'
import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Reply } from '../../support/http.ts'
import { balanceOf } from './balances.ts'
import {
  beforeEachRun,
  cheap,
  createPayer,
  type Network,
  networks,
  type Payer,
  paymentFor,
  requiredOf,
  servePaid,
  startChains,
} from './paying.ts'

/** Left on Tempo, whose fees are paid in a token too: less than the price. */
const LEFT = 9_000n

/** Has the payer pay all of its money to the payee without the service. */
const drain = async (chains: Embedded, payer: Payer, unpaid: Reply, network: Network): Promise<void> => {
  const owner = { evm: payer.evm.address, solana: payer.solana, tempo: payer.account.address }
  const all = await balanceOf({ rpc: chains.rpc, payTo: owner })(network)
  if (network !== 'tempo') {
    const required = requiredOf(unpaid)
    const kind = network === 'base' ? 'eip155:' : 'solana:'
    const offered = required.accepts.find((offer) => offer.network.startsWith(kind))!
    const whole = { ...offered, amount: String(all) }
    const payment = await payer.x402.createPaymentPayload({ ...required, accepts: [whole] })
    expect(await chains.facilitator.settle(payment, whole)).toMatchObject({ success: true })
    return
  }
  const challenge = String(unpaid.headers['www-authenticate'])
  const [, request = ''] = /request="([^"]+)"/.exec(challenge) ?? []
  const whole = PaymentRequest.serialize({ ...PaymentRequest.deserialize(request), amount: String(all - LEFT) })
  const headers = { 'www-authenticate': challenge.replace(request, whole) }
  const { authorization = '' } = await payer.pay({ ...unpaid, headers }, 'tempo')
  const { payload } = JSON.parse(Buffer.from(authorization.split(' ')[1]!, 'base64url').toString())
  const client = createPublicClient({ transport: http(chains.rpc.tempo) })
  await client.request({ method: 'eth_sendRawTransactionSync' as never, params: [payload.signature] as never })
}

test.each(networks)(
  'a payment on %s whose money is spent elsewhere between verification and settlement buys nothing',
  async (network) => {
    const chains = await startChains()
    const payer = await createPayer(chains)
    let isDraining = false
    const service = await servePaid(chains, { SHELFMARK_CACHE_MIB: '0' }, (lake) =>
      beforeEachRun(lake, async () => {
        if (isDraining) await drain(chains, payer, unpaid, network)
      }),
    )
    const unpaid = await service.get(cheap)
    const headers = await paymentFor(service, payer, cheap, network)
    isDraining = true
    const reply = await service.get(cheap, headers)
    expect([402, 503]).toContain(reply.status)
    expect(JSON.parse(reply.body)).not.toHaveProperty('brands')
    isDraining = false
    expect([402, 503]).toContain((await service.get(cheap, headers)).status)
    if (network === 'base') {
      // The transaction was mined and reverted.
      expect(reply.status).toBe(402)
      expect(reply.headers['www-authenticate']).toMatch(/^Payment /)
      expect(decodePaymentResponseHeader(String(reply.headers['payment-response']))).toMatchObject({ success: false })
    }
  },
)
