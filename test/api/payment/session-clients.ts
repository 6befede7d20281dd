import { join } from 'node:path'
import { Mppx, tempo } from 'mppx/client'
import { createClient, erc20Abi, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getBlockNumber, readContract } from 'viem/actions'
import { Chain } from 'viem/tempo'
import { testnets } from '../../../api/ops/networks.ts'
import { readSessions, readSettledPayments } from '../../../api/payment/journals.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { evmKeys } from '../../chains/keys.ts'
import { temporaryFolder } from '../../support/given.ts'
import type { Reply } from '../../support/http.ts'
import { type Headers, servePaid } from './paying.ts'

const ALWAYS = { from: 0, to: Number.POSITIVE_INFINITY }

const clientOf = ({ rpc, payers }: Pick<Embedded, 'rpc' | 'payers'>) => {
  const account = privateKeyToAccount(payers.tempo)
  const chain = { ...Chain.testnet, rpcUrls: { default: { http: [rpc.tempo] } } } as const
  return createClient({ account, chain, transport: http(rpc.tempo), pollingInterval: 5 })
}

/** What the token has for an address, and how many transactions the chain has seen. */
export const watchTempo = (chains: Embedded) => {
  const client = clientOf(chains)
  return {
    balance: (address = chains.payTo.tempo): Promise<bigint> =>
      readContract(client, {
        address: testnets.tempo.currency,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      }),
    /** Each transaction has a block of its own. */
    transactions: async (): Promise<number> => Number(await getBlockNumber(client, { cacheTime: 0 })),
  }
}

/** A stock client that opens, pays from and closes sessions by itself. */
export const createSessionClient = (chains: Embedded, maxDeposit = '50') =>
  tempo.session.manager({
    account: privateKeyToAccount(chains.payers.tempo),
    getClient: () => clientOf(chains),
    maxDeposit,
  })

/** The headers that a stock client pays a 402 with, not yet sent; it keeps one session. */
export const createCredentials = (chains: Embedded) => {
  const session = tempo.session({
    account: privateKeyToAccount(chains.payers.tempo),
    getClient: () => clientOf(chains),
    maxDeposit: '50',
  })
  const mpp = Mppx.create({ polyfill: false, methods: [session] })
  return async ({ headers }: Reply): Promise<Headers> => {
    const offered = new Response(null, {
      status: 402,
      headers: { 'www-authenticate': String(headers['www-authenticate']) },
    })
    return { authorization: await mpp.createCredential(offered) }
  }
}

/** What the books of a journal say. */
export const booksOf = (journal: string) => ({
  async total(): Promise<bigint> {
    let sum = 0n
    for await (const { amount } of readSettledPayments({ journal, lake: '' }, ALWAYS)) sum += BigInt(amount)
    return sum
  },
  sessions: () => readSessions({ journal, lake: '' }),
})

/** A service with sessions, its journal and what that says. */
export const serveSessions = async (chains: Embedded, environment: Record<string, string> = {}) => {
  const journal = environment.SHELFMARK_JOURNAL ?? join(await temporaryFolder(), 'payments.jsonl')
  const service = await servePaid(chains, {
    SHELFMARK_SESSION_KEY: evmKeys.relayer,
    SHELFMARK_JOURNAL: journal,
    ...environment,
  })
  return { service, journal, address: `http://127.0.0.1:${service.port}`, ...booksOf(journal) }
}
