import { z } from 'zod'
import { readCdpSecret } from './facilitator-credentials.ts'
import { type AccountSettings, type NetworkName, networkNames, networkTitles } from './networks.ts'

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

const cdpSecret = z.string().transform((text, context) => {
  const key = readCdpSecret(text)
  if (key) return key
  context.addIssue('send the secret as Coinbase gives it: 88 characters of base64, or the PEM of a P-256 key')
  return z.NEVER
})

const days = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'send a whole number of days from 1 to 99999')
  .transform(Number)

/** Settings of payments; those without a default are for SHELFMARK_PAYMENTS=facilitator. */
export const paymentSettings = {
  SHELFMARK_NETWORKS: z
    .enum(['mainnet', 'testnet'], 'send one of mainnet, testnet')
    .default('mainnet')
    .describe('Networks a facilitator settles on: mainnet (real money) or testnet.'),
  SHELFMARK_FACILITATOR_URL: url.optional().describe('The x402 facilitator that verifies and settles payments.'),
  SHELFMARK_FACILITATOR_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'send the token alone, without spaces and without the word Bearer')
    .optional()
    .describe('Bearer token of the facilitator, where it wants one.'),
  SHELFMARK_CDP_KEY_ID: z
    .string()
    .optional()
    .describe('Id of the API key where Coinbase Developer Platform is the facilitator.'),
  SHELFMARK_CDP_KEY_SECRET: cdpSecret.optional().describe('Secret of that key, as Coinbase gives it.'),
  SHELFMARK_PAY_TO_EVM: evmAddress
    .optional()
    .describe('Address that payments on Base go to. A network is accepted where its payee and its node are set.'),
  SHELFMARK_PAY_TO_SOLANA: solanaAddress.optional().describe('Address that payments on Solana go to.'),
  SHELFMARK_PAY_TO_TEMPO: evmAddress.optional().describe('Address that payments on Tempo go to.'),
  SHELFMARK_BASE_RPC_URL: url.optional().describe('JSON-RPC of Base, asked whether a payment was made.'),
  SHELFMARK_SOLANA_RPC_URL: url.optional().describe('JSON-RPC of Solana, asked whether a payment was made.'),
  SHELFMARK_TEMPO_RPC_URL: url.optional().describe('JSON-RPC of Tempo, which payments are sent to.'),
  SHELFMARK_MPP_SECRET: secrets
    .optional()
    .describe('Secret that signs MPP challenges, 32 characters at least; after a comma the one before it.'),
  SHELFMARK_PAYMENTS_KEPT_DAYS: days
    .default(400)
    .describe('Days for which settled payments are listed by shelfmark-serve payments.'),
}

/** The settings that a network is accepted by: its payee and its node. */
export const accountSettings = {
  base: ['SHELFMARK_PAY_TO_EVM', 'SHELFMARK_BASE_RPC_URL'],
  solana: ['SHELFMARK_PAY_TO_SOLANA', 'SHELFMARK_SOLANA_RPC_URL'],
  tempo: ['SHELFMARK_PAY_TO_TEMPO', 'SHELFMARK_TEMPO_RPC_URL'],
} as const satisfies Record<NetworkName, readonly [payee: string, node: string]>

const isLoopback = (address: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)

const isReadable = (address: unknown): boolean =>
  typeof address === 'string' && address.startsWith('http:') && !isLoopback(address)

type Given = Partial<Record<string, unknown>>
type Rule = [name: string, isBroken: (given: Given) => boolean, advice: string]

const accepts = (given: Given, ...names: NetworkName[]): boolean =>
  names.some((name) => accountSettings[name].every((setting) => given[setting] !== undefined))
const lacks =
  (name: string, isNeeded: (given: Given) => boolean = () => true) =>
  (given: Given): boolean =>
    given[name] === undefined && isNeeded(given)

const credentials = ['SHELFMARK_FACILITATOR_TOKEN', 'SHELFMARK_CDP_KEY_ID', 'SHELFMARK_CDP_KEY_SECRET']

/** What must hold of the settings together where payments go through a facilitator. */
const rules: readonly Rule[] = [
  ['SHELFMARK_BASE_URL', lacks('SHELFMARK_BASE_URL'), 'send it, since SHELFMARK_PAYMENTS is facilitator'],
  [
    'SHELFMARK_BASE_URL',
    ({ SHELFMARK_BASE_URL: base }) => isReadable(base),
    'send an https address, since challenges and payments must not be readable on the way',
  ],
  [
    'SHELFMARK_PAY_TO_EVM',
    (given) => !accepts(given, ...networkNames),
    'send it with SHELFMARK_BASE_RPC_URL, or the payee and the node of Solana or Tempo: one network at least must be set',
  ],
  [
    'SHELFMARK_FACILITATOR_URL',
    lacks('SHELFMARK_FACILITATOR_URL', (given) => accepts(given, 'base', 'solana')),
    'send it, since payments on Base and Solana go through a facilitator',
  ],
  [
    'SHELFMARK_FACILITATOR_URL',
    (given) => isReadable(given.SHELFMARK_FACILITATOR_URL) && credentials.some((name) => given[name] !== undefined),
    'send an https address, since credentials must not be readable on the way',
  ],
  [
    'SHELFMARK_CDP_KEY_ID',
    lacks('SHELFMARK_CDP_KEY_ID', (given) => given.SHELFMARK_CDP_KEY_SECRET !== undefined),
    'send it, since SHELFMARK_CDP_KEY_SECRET is set',
  ],
  [
    'SHELFMARK_CDP_KEY_SECRET',
    lacks('SHELFMARK_CDP_KEY_SECRET', (given) => given.SHELFMARK_CDP_KEY_ID !== undefined),
    'send it, since SHELFMARK_CDP_KEY_ID is set',
  ],
  [
    'SHELFMARK_FACILITATOR_TOKEN',
    (given) => given.SHELFMARK_FACILITATOR_TOKEN !== undefined && given.SHELFMARK_CDP_KEY_ID !== undefined,
    'send either this token or a key of CDP, whichever the facilitator wants',
  ],
  [
    'SHELFMARK_MPP_SECRET',
    lacks('SHELFMARK_MPP_SECRET', (given) => accepts(given, 'tempo')),
    'send it, since it signs the challenges of payments on Tempo',
  ],
]

/** What the settings lack for payments through a facilitator, a line for each. */
export const faultsOfPayments = (given: Given): string[] =>
  given.SHELFMARK_PAYMENTS === 'facilitator'
    ? rules.flatMap(([name, isBroken, advice]) => (isBroken(given) ? [`${name}: ${advice}`] : []))
    : []

/** What to set, or to leave out, for each network of which one setting is there and the other is not. */
export const incompleteAccounts = (config: AccountSettings): string[] => {
  const given: Given = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [`SHELFMARK_${name.toUpperCase()}`, value]),
  )
  return networkNames.flatMap((name) => {
    const [set, ...others] = accountSettings[name].filter((setting) => given[setting] !== undefined)
    const [missing] = accountSettings[name].filter((setting) => given[setting] === undefined)
    if (!set || !missing || others.length > 0) return []
    return [`${missing}: send it too, or leave ${set} out; until then ${networkTitles[name]} is not accepted`]
  })
}
