import { ConfigError } from '../../config.ts'
import type { Embedded } from './embedded.ts'
import { writeTestWallet } from './test-wallet.ts'

export type { Embedded }

const NOT_INSTALLED =
  'SHELFMARK_PAYMENTS: the local chains are not installed (run npm ci in a checkout, on Linux or macOS); ' +
  'SHELFMARK_PAYMENTS=facilitator takes real payments, SHELFMARK_PAYMENTS=off serves without payments'

/**
 * Starts the chains and a facilitator that settles on them, on free ports of 127.0.0.1. They end with `close`, and when
 * this process ends for any reason. If a file is given, writes what clients in other processes need to pay. Throws
 * ConfigError if the packages of the chains are not installed.
 */
export const startEmbeddedChains = async (walletFile?: string): Promise<Embedded> => {
  // These are large development packages: nothing else may need them.
  const opened = import('./chains.ts').then(({ openChains }) => openChains())
  const chains = await opened.catch((error: NodeJS.ErrnoException) => {
    throw error.code?.endsWith('MODULE_NOT_FOUND') ? new ConfigError(NOT_INSTALLED) : error
  })
  if (walletFile === undefined) return chains
  const removeWallet = await writeTestWallet(walletFile, chains)
  return { ...chains, close: async () => void (await Promise.all([removeWallet(), chains.close()])) }
}
