import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../ops/config.ts'
import type { Payees } from '../ops/networks.ts'
import type { Facilitator } from './facilitator.ts'
import { type TestWallet, writeTestWallet } from './test-wallet.ts'

/** Local chains with test money, under the names and assets of the testnets. */
export type Embedded = TestWallet & {
  facilitator: Facilitator
  payTo: Payees
  close(): Promise<void>
}

const NOT_INSTALLED =
  'SHELFMARK_PAYMENTS: the local chains of embedded are part of a checkout with its development packages, and not ' +
  'installed here; facilitator takes payments, off serves without payments on this machine'

/** Loaded by its path, since packages do not contain it: it is for development, and so are the libraries it needs. */
const CHAINS = new URL(`../../test/chains/chains${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/** Throws ConfigError in a package, whatever else is installed there. */
export const requireLocalChains = (): void => {
  if (!existsSync(CHAINS)) throw new ConfigError(NOT_INSTALLED)
}

/** Loads what starts the chains. Throws ConfigError if it or one of its packages is not installed. */
export const loadLocalChains = async (): Promise<{ openChains(): Promise<Embedded> }> => {
  requireLocalChains()
  try {
    return await import(CHAINS.href)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.endsWith('MODULE_NOT_FOUND') ? new ConfigError(NOT_INSTALLED) : error
  }
}

/**
 * Starts the chains and a facilitator that settles on them, on free ports of 127.0.0.1. They end with `close`, and when
 * this process ends for any reason. If a file is given, writes what clients in other processes need to pay. Throws
 * ConfigError if they are not installed.
 */
export const startEmbeddedChains = async (walletFile?: string): Promise<Embedded> => {
  const { openChains } = await loadLocalChains()
  const chains = await openChains()
  if (walletFile === undefined) return chains
  const removeWallet = await writeTestWallet(walletFile, chains)
  return { ...chains, close: async () => void (await Promise.all([removeWallet(), chains.close()])) }
}
