import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { commandLine } from '../../engine/index.ts'
import { mainnets, type Networks, testnets } from '../ops/networks.ts'
import type { Wallet } from '../pay/connect.ts'
import { ToolError } from './client.ts'

const hex = z.templateLiteral(['0x', z.string()])
const schema = z.object({
  networks: z.enum(['mainnet', 'testnet']).default('testnet'),
  rpc: z.object({ base: z.url(), solana: z.url(), tempo: z.url() }).partial().default({}),
  payers: z.object({ base: hex, solana: z.string(), tempo: hex }).partial(),
})

/**
 * Reads a wallet: keys of payers and nodes by network, as in the test wallet of a service; `networks: mainnet` makes it
 * pay real money. Throws NO_WALLET if there is none.
 */
export const readWallet = async (file: string): Promise<{ wallet: Wallet; networks: Networks }> => {
  try {
    const { networks, ...wallet } = schema.parse(JSON.parse(await readFile(file, 'utf8')))
    return { wallet: wallet as Wallet, networks: networks === 'mainnet' ? mainnets : testnets }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ToolError(
      'NO_WALLET',
      `The answer is paid, and ${isMissing ? `there is no wallet at ${file}` : `${file} is not a wallet`}; nothing was paid. ` +
        `Set SHELFMARK_WALLET to a wallet, or start the service with ${commandLine('serve')}, which writes a test wallet.`,
    )
  }
}
