import { Session as Mpp } from 'mppx/tempo'
import { type Address, createClient, formatLog, type Hex, http, parseEventLogs, type RpcLog, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getBlockNumber } from 'viem/actions'
import { Chain } from 'viem/tempo'
import type { Settlement } from '../journal.ts'
import type { Rails } from '../rails.ts'
import type { Escrow } from './escrow.ts'
import type { TempoSession } from './session.ts'

const { Chain: escrow, escrowAbi, Constants } = Mpp.Precompile

/** The interval between requests for a receipt, in milliseconds. */
const POLLING_MS = 200

export const ESCROW: Address = Constants.tip20ChannelEscrow

/** The channels of Tempo, settled and closed with the key of the operator, who cannot send money elsewhere. */
export const createTempoEscrow = (key: Hex, rpc: string, { networks: { tempo }, settle_ms }: Rails) => {
  const account = privateKeyToAccount(key)
  const chain = tempo.chain_id === Chain.mainnet.id ? Chain.mainnet : Chain.testnet
  const transport = http(rpc, { retryCount: 0, timeout: settle_ms })
  const client = createClient({ account, chain, transport, pollingInterval: POLLING_MS })
  const options = { account, candidateFeeTokens: [tempo.currency] }

  /** What came to the payee, by the events of the channel; the books follow the chain, whoever sent a transaction. */
  const settlementsOf = async ({ channelId, payer, from_block = 0n }: TempoSession) => {
    const filter = {
      address: ESCROW,
      topics: [null, channelId],
      fromBlock: toHex(from_block),
      toBlock: 'latest',
    } as const
    const rpcLogs = (await client.request({ method: 'eth_getLogs', params: [filter] } as never)) as RpcLog[]
    const logs = parseEventLogs({
      abi: escrowAbi,
      logs: rpcLogs.map((log) => formatLog(log)),
      eventName: ['Settled', 'ChannelClosed'],
    })
    const settlements: Settlement[] = []
    let total = 0n
    for (const { eventName, args, transactionHash } of logs) {
      const settled = eventName === 'Settled' ? args.newSettled : args.settledToPayee
      const amount = String(settled - total)
      total = settled
      if (amount !== '0')
        settlements.push({
          at: Date.now(),
          network: 'tempo',
          transaction: transactionHash,
          amount,
          payer,
          is_verified: true,
        })
    }
    const isClosed = logs.some(({ eventName }) => eventName === 'ChannelClosed')
    return { settlements, total, isClosed }
  }

  return {
    account,
    client,
    blockNumber: () => getBlockNumber(client, { cacheTime: 0 }),
    async stateOf({ channelId }: TempoSession) {
      const { settled, deposit, closeRequestedAt } = await escrow.getChannelState(client, channelId, ESCROW)
      return { settled, deposit, closeRequestedAt, isEmpty: deposit === 0n }
    },
    settlementsOf,
    async settle({ descriptor, highestVoucher }: TempoSession): Promise<void> {
      if (!highestVoucher) return
      const { cumulativeAmount, signature } = highestVoucher
      const amount = Constants.uint96(cumulativeAmount)
      const hash = await escrow.settleOnChain(client, descriptor, amount, signature, ESCROW, options)
      await escrow.waitForSuccessfulReceipt(client, hash)
    },
    async close({ descriptor, highestVoucher, spent, settledOnChain }: TempoSession): Promise<void> {
      if (!highestVoucher) return
      const capture = Constants.uint96(spent > settledOnChain ? spent : settledOnChain)
      const amount = Constants.uint96(highestVoucher.cumulativeAmount)
      const hash = await escrow.closeOnChain(
        client,
        descriptor,
        amount,
        capture,
        highestVoucher.signature,
        ESCROW,
        options,
      )
      await escrow.waitForSuccessfulReceipt(client, hash)
    },
  } satisfies Escrow & Record<string, unknown>
}

export type TempoEscrow = ReturnType<typeof createTempoEscrow>
