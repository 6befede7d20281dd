import type { Chain, Client, Hex, LocalAccount, Transport } from 'viem'
import { getTransactionCount, sendRawTransaction } from 'viem/actions'

/** Sends transactions to an EVM chain and pays their gas. */
export type Relayer = {
  /** Returns the hash when the chain has accepted the transaction. */
  send(to: Hex, data: Hex): Promise<Hex>
}

/** Twice the maximum of a call; estimating it would run every call twice. */
const GAS = 600_000n
const FEES = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }

/**
 * Assigns nonces itself and sends transactions one after another: sent concurrently with nonces from the chain, many
 * get the same nonce and all but one of those are lost. After a refusal it reads the nonce from the chain again.
 */
export const createRelayer = (client: Client<Transport, Chain, LocalAccount>): Relayer => {
  const { account, chain } = client
  let next: number | null = null
  let last: Promise<unknown> = Promise.resolve()

  const sendNow = async (to: Hex, data: Hex): Promise<Hex> => {
    const nonce = next ?? (await getTransactionCount(client, { address: account.address, blockTag: 'pending' }))
    next = null
    const transaction = { type: 'eip1559', chainId: chain.id, nonce, to, data, gas: GAS, ...FEES } as const
    const serializedTransaction = await account.signTransaction(transaction)
    const hash = await sendRawTransaction(client, { serializedTransaction })
    next = nonce + 1
    return hash
  }

  return {
    send: (to, data) => {
      const sent = last.then(() => sendNow(to, data))
      last = sent.catch(() => {})
      return sent
    },
  }
}
