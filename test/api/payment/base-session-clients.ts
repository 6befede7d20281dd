import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { BatchSettlementEvmScheme, computeChannelId, signVoucher } from '@x402/evm/batch-settlement/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createClient, erc20Abi, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { getTransactionCount, readContract } from 'viem/actions'
import { testnets } from '../../../api/ops/networks.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { evmKeys } from '../../chains/keys.ts'
import type { Reply } from '../../support/http.ts'
import { type Headers, requiredOf } from './paying.ts'

/** What the token has for an address on Base, and how many transactions the chain has seen. */
export const watchBase = ({ rpc, payTo }: Pick<Embedded, 'rpc' | 'payTo'>) => {
  const client = createClient({ transport: http(rpc.base), cacheTime: 0 })
  return {
    balance: (address = payTo.evm): Promise<bigint> =>
      readContract(client, { address: testnets.base.asset, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    /** Those of the facilitator, who sends all. */
    transactions: () => getTransactionCount(client, { address: privateKeyToAddress(evmKeys.relayer) }),
  }
}

export type BaseClient = {
  fetch: typeof fetch
  /** Has the rest of the deposit returned, by the channel of an address. */
  refund: BatchSettlementEvmScheme['refund']
  scheme: BatchSettlementEvmScheme
  payer: Hex
}

/** A stock client that opens and fills a channel by itself, and reads the chain when it is out of sync. */
export const createBaseClient = (
  { rpc, payers }: Pick<Embedded, 'rpc' | 'payers'>,
  options: ConstructorParameters<typeof BatchSettlementEvmScheme>[1] = {},
): BaseClient => {
  const account = privateKeyToAccount(payers.base)
  const { readContract: read } = createClient({ transport: http(rpc.base), cacheTime: 0 }).extend(publicActions)
  const signer = {
    address: account.address,
    signTypedData: (typed: Parameters<typeof account.signTypedData>[0]) => account.signTypedData(typed),
    readContract: (call: Parameters<typeof read>[0]) => read(call),
  }
  const scheme = new BatchSettlementEvmScheme(signer as never, options)
  // What is at stake is test money: no cap on spending.
  const x402 = x402Client.fromConfig({ schemes: [], spendControls: false }).register('eip155:*', scheme)
  return {
    fetch: wrapFetchWithPayment(fetch, x402),
    refund: (url, refundOptions) => scheme.refund(url, refundOptions),
    scheme,
    payer: account.address,
  }
}

type BasePayment = { type: 'deposit' | 'voucher' | 'refund'; [member: string]: unknown }

/** The offer of a session in a 402. */
export const sessionOfferOf = (reply: Reply): PaymentRequirements =>
  requiredOf(reply).accepts.find(({ scheme }) => scheme === 'batch-settlement')!

/** The header of a payment for the offer of a 402, with a payload of its own. */
export const baseHeader = (reply: Reply, payload: BasePayment, others: object = {}): Headers => {
  const payment = {
    x402Version: 2,
    accepted: sessionOfferOf(reply),
    payload,
    resource: requiredOf(reply).resource,
    ...others,
  }
  return { 'payment-signature': encodePaymentSignatureHeader(payment as PaymentPayload) }
}

/** Signs vouchers of the channel of a client, for any sum. */
export const createSigner = ({ payers }: Pick<Embedded, 'payers'>, { scheme }: BaseClient) => {
  const account = privateKeyToAccount(payers.base)
  const payloadFor = async (reply: Reply, sum: bigint, type: BasePayment['type'] = 'voucher') => {
    const channelConfig = scheme.buildChannelConfig(sessionOfferOf(reply))
    const id = computeChannelId(channelConfig, testnets.base.caip2)
    return { type, channelConfig, voucher: await signVoucher(account, id, String(sum), testnets.base.caip2) }
  }
  return {
    payloadFor,
    voucher: async (reply: Reply, sum: bigint): Promise<Headers> => baseHeader(reply, await payloadFor(reply, sum)),
  }
}
