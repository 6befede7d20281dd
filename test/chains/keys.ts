import { createHash } from 'node:crypto'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressEncoder,
  getBase58Decoder,
  type KeyPairSigner,
} from '@solana/kit'
import type { Hex } from 'viem'

/** Publicly known, worthless keys of the mnemonic "test test test test test test test test test test test junk". */
export const evmKeys = {
  relayer: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  payer: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  payee: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
} as const satisfies Record<string, Hex>

const seedOf = (role: string): Uint8Array => createHash('sha256').update(`shelfmark test ${role}`).digest()

/** The Solana key of a role, also public and worthless. */
export const solanaSigner = (role: 'fee payer' | 'payer' | 'payee'): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(seedOf(role))

/** The payer's secret key on Solana as wallets export it: its seed and its address, 64 bytes in base58. */
export const solanaPayerKey = async (): Promise<string> => {
  const { address } = await solanaSigner('payer')
  return getBase58Decoder().decode(
    Buffer.concat([seedOf('payer'), Uint8Array.from(getAddressEncoder().encode(address))]),
  )
}
