import { z } from 'zod'

// Their checksums are checked where the libraries of the chains are at hand, which take a second to load.
const evmAddress = z.custom<`0x${string}`>(
  (text) => /^0x[0-9a-fA-F]{40}$/.test(String(text)),
  'send an address, 0x and 40 hexadecimal digits',
)
const solanaAddress = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'send a Solana address, 32 to 44 characters of base58')
const url = z.url({ protocol: /^https?$/, error: 'send an address such as https://rpc.example.com' })

/** What an HMAC key needs at least, draft-httpauth-payment-00. */
const SECRET_LENGTH = 32
const secrets = z
  .string()
  .transform((list) => list.split(','))
  .refine(
    (list) => list.every((secret) => secret.length >= SECRET_LENGTH),
    `send a secret of at least ${SECRET_LENGTH} characters, and after a comma the one before it`,
  )

/** Settings of payments; those without a default are needed with SHELFMARK_PAYMENTS=facilitator, and with it alone. */
export const paymentSettings = {
  SHELFMARK_NETWORKS: z
    .enum(['mainnet', 'testnet'], 'send one of mainnet, testnet')
    .default('mainnet')
    .describe('Networks a facilitator settles on: mainnet (real money) or testnet.'),
  SHELFMARK_FACILITATOR_URL: url.optional().describe('The x402 facilitator that verifies and settles payments.'),
  SHELFMARK_PAY_TO_EVM: evmAddress.optional().describe('Address that payments on Base go to.'),
  SHELFMARK_PAY_TO_SOLANA: solanaAddress.optional().describe('Address that payments on Solana go to.'),
  SHELFMARK_PAY_TO_TEMPO: evmAddress.optional().describe('Address that payments on Tempo go to.'),
  SHELFMARK_BASE_RPC_URL: url.optional().describe('JSON-RPC of Base, asked whether a payment was made.'),
  SHELFMARK_SOLANA_RPC_URL: url.optional().describe('JSON-RPC of Solana, asked whether a payment was made.'),
  SHELFMARK_TEMPO_RPC_URL: url.optional().describe('JSON-RPC of Tempo, which payments are sent to.'),
  SHELFMARK_MPP_SECRET: secrets
    .optional()
    .describe('Secret that signs MPP challenges, 32 characters at least; after a comma the one before it.'),
}

const needed = [
  'SHELFMARK_BASE_URL',
  'SHELFMARK_FACILITATOR_URL',
  'SHELFMARK_PAY_TO_EVM',
  'SHELFMARK_PAY_TO_SOLANA',
  'SHELFMARK_PAY_TO_TEMPO',
  'SHELFMARK_BASE_RPC_URL',
  'SHELFMARK_SOLANA_RPC_URL',
  'SHELFMARK_TEMPO_RPC_URL',
  'SHELFMARK_MPP_SECRET',
]

const isLoopback = (address: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)

/** What the settings lack for payments through a facilitator, a line for each. */
export const faultsOfPayments = (given: Partial<Record<string, unknown>>): string[] => {
  if (given.SHELFMARK_PAYMENTS !== 'facilitator') return []
  const faults = needed
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: send it, since SHELFMARK_PAYMENTS is facilitator`)
  const { SHELFMARK_BASE_URL: base } = given
  if (typeof base === 'string' && base.startsWith('http:') && !isLoopback(base))
    faults.push(
      'SHELFMARK_BASE_URL: send an https address, since challenges and payments must not be readable on the way',
    )
  return faults
}
