import type { Account, Chain, Client, Hex, Transport } from 'viem'
import { getTransactionCount, sendRawTransaction, signTransaction } from 'viem/actions'

/** Who brings transactions to an EVM chain and pays their gas. */
export type Relayer = {
  /** Returns the hash once the chain has taken the transaction in. */
  send(to: Hex, call: Hex): Promise<Hex>
}

/** What the dearest call to the test token needs, twice over; fixed, for to estimate is to run it once more. */
const GAS = 200_000n
const FEES = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }

/**
 * Numbers its transactions itself and sends them one after another: those numbered by the chain, sent side by side, get
 * the same number, and all but one are lost. After a refusal it asks the chain for the number again.
 */
export const createRelayer = (client: Client<Transport, Chain, Account>): Relayer => {
  const { account, chain } = client
  let next: number | null = null
  let last: Promise<unknown> = Promise.resolve()

  const sendNow = async (to: Hex, data: Hex): Promise<Hex> => {
    const nonce = next ?? (await getTransactionCount(client, { address: account.address, blockTag: 'pending' }))
    next = null
    const type = 'eip1559'
    const serializedTransaction = await signTransaction(client, {
      account,
      chain,
      type,
      to,
      data,
      nonce,
      gas: GAS,
      ...FEES,
    })
    const hash = await sendRawTransaction(client, { serializedTransaction })
    next = nonce + 1
    return hash
  }

  return {
    send: (to, call) => {
      const sent = last.then(() => sendNow(to, call))
      last = sent.catch(() => {})
      return sent
    },
  }
}
