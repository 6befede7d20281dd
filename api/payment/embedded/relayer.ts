import type { Chain, Client, Hex, LocalAccount, Transport } from 'viem'
import { getTransactionCount, sendRawTransaction } from 'viem/actions'

/** Who brings transactions to an EVM chain and pays their gas. */
export type Relayer = {
  /** Returns the hash once the chain has taken the transaction in. */
  send(to: Hex, data: Hex): Promise<Hex>
}

/** Twice what a call to the test dollar needs at most; to estimate it would be to run every call once more. */
const GAS = 200_000n
const FEES = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }

/**
 * Numbers its transactions itself and sends them one after another: side by side, numbered by the chain, many get the
 * same number and all but one of those are lost. After a refusal it asks the chain for the number again.
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
