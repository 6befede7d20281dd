import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const hex = z.templateLiteral(['0x', z.string()])
/** Two keys are in hexadecimal, that of Solana in base58 as wallets export it. */
const schema = z.object({
  rpc: z.object({ base: z.url(), solana: z.url(), tempo: z.url() }),
  payers: z.object({ base: hex, solana: z.string(), tempo: hex }),
})

/** What a client needs to pay on local chains: their addresses, and keys of payers with test money. */
export type TestWallet = z.output<typeof schema>

/** The path of the wallet file, next to the lake. */
export const testWallet = ({ lake }: { lake: string }): string => join(dirname(lake), 'test-wallet.json')

/** Writes the wallet of running chains, for clients in other processes. Returns a function that removes it. */
export const writeTestWallet = async (file: string, { rpc, payers }: TestWallet): Promise<() => Promise<void>> => {
  await writeFile(file, `${JSON.stringify({ rpc, payers }, null, 2)}\n`, { mode: 0o600 })
  return () => rm(file, { force: true })
}

/** The wallet of the running chains; null if there is none. */
export const readTestWallet = async (file: string): Promise<TestWallet | null> => {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
