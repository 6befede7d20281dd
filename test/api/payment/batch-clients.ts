import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createClient, erc20Abi, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getBlockNumber, readContract } from 'viem/actions'
import { testnets } from '../../../api/ops/networks.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'

/** What the token has for an address on Base, and how many transactions the chain has seen. */
export const watchBase = ({ rpc, payTo }: Pick<Embedded, 'rpc' | 'payTo'>) => {
  const client = createClient({ transport: http(rpc.base), cacheTime: 0 })
  return {
    balance: (address = payTo.evm): Promise<bigint> =>
      readContract(client, { address: testnets.base.asset, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    blocks: () => getBlockNumber(client),
  }
}

type BatchClient = {
  fetch: typeof fetch
  /** Has the rest of the deposit returned, by the channel of an address. */
  refund: BatchSettlementEvmScheme['refund']
  scheme: BatchSettlementEvmScheme
  payer: Hex
}

/** A stock client that opens and fills a channel by itself, and reads the chain when it is out of sync. */
export const createBatchClient = (
  { rpc, payers }: Pick<Embedded, 'rpc' | 'payers'>,
  options: ConstructorParameters<typeof BatchSettlementEvmScheme>[1] = {},
): BatchClient => {
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
