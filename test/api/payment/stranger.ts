import { generatePrivateKey } from 'viem/accounts'
import { expect } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Reply } from '../../support/http.ts'
import { createPayer, type Payer, requiredOf } from './paying.ts'

/** Another payer, with a dollar on Base from the first one; `unpaid` is a 402. */
export const fundStranger = async (chains: Embedded, payer: Payer, unpaid: Reply): Promise<Payer> => {
  const stranger = await createPayer({ ...chains, payers: { ...chains.payers, base: generatePrivateKey() } })
  const required = requiredOf(unpaid)
  const offered = required.accepts.find(({ network }) => network.startsWith('eip155:'))!
  const gift = { ...offered, payTo: stranger.evm.address, amount: '1000000' }
  const payment = await payer.x402.createPaymentPayload({ ...required, accepts: [gift] })
  expect(await chains.facilitator.settle(payment, gift)).toMatchObject({ success: true })
  return stranger
}
