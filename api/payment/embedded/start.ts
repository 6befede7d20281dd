import { ConfigError } from '../../config.ts'
import type { Facilitator } from '../facilitator.ts'
import type { Payees, RpcUrls } from '../networks.ts'
import { writeTestWallet } from './test-wallet.ts'

/** Chains of this machine alone, with test money, under the names and assets of the testnets. */
export type Embedded = {
  facilitator: Facilitator
  rpc: RpcUrls
  payTo: Payees
  /** Secret keys of payers who own test money: two in hexadecimal, that of Solana in base58 as wallets export it. */
  payers: { base: `0x${string}`; solana: string; tempo: `0x${string}` }
  close(): Promise<void>
}

const NOT_INSTALLED =
  'SHELFMARK_PAYMENTS: the local chains are not installed (npm ci in a checkout does, on Linux and macOS); ' +
  'SHELFMARK_PAYMENTS=facilitator takes real payments, SHELFMARK_PAYMENTS=off serves without'

/**
 * Starts the chains and a facilitator that settles on them, on free ports of 127.0.0.1. They end with `close`, and with
 * this process however it ends. Given a file, writes there what clients in other processes need to pay. Throws ConfigError
 * where the packages of the chains are not installed.
 */
export const startEmbeddedChains = async (walletFile?: string): Promise<Embedded> => {
  // They are packages for development, and heavy: nothing else may need them.
  const opened = import('./chains.ts').then(({ openChains }) => openChains())
  const chains = await opened.catch((error: NodeJS.ErrnoException) => {
    throw error.code?.endsWith('MODULE_NOT_FOUND') ? new ConfigError(NOT_INSTALLED) : error
  })
  if (walletFile === undefined) return chains
  const removeWallet = await writeTestWallet(walletFile, chains)
  return { ...chains, close: async () => void (await Promise.all([removeWallet(), chains.close()])) }
}
