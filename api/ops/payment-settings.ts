import { z } from 'zod'
import { readCdpSecret } from './facilitator-credentials.ts'
import { type AccountSettings, mainnets, type NetworkName, networkNames, networkTitles, testnets } from './networks.ts'

// Checksums are checked later, by the libraries of the chains, which take a second to load.
const evmAddress = z.custom<`0x${string}`>(
  (text) => /^0x[0-9a-fA-F]{40}$/.test(String(text)),
  'expected an address, 0x and 40 hexadecimal digits',
)
const solanaAddress = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'expected a Solana address, 32 to 44 characters of base58')
const url = z.url({ protocol: /^https?$/, error: 'expected an address such as https://rpc.example.com' })

/** The minimum length of an HMAC key, draft-httpauth-payment-00. */
const MIN_SECRET_LENGTH = 32
const secrets = z
  .string()
  .transform((list) => list.split(','))
  .refine(
    (list) => list.every((secret) => secret.length >= MIN_SECRET_LENGTH),
    `expected a secret of at least ${MIN_SECRET_LENGTH} characters, optionally followed by a comma and the previous one`,
  )

const cdpSecret = z.string().transform((text, context) => {
  const key = readCdpSecret(text)
  if (key) return key
  context.addIssue('expected the secret as issued by Coinbase: 88 characters of base64, or the PEM of a P-256 key')
  return z.NEVER
})

const sessionKey = z.custom<`0x${string}`>(
  (text) => /^0x[0-9a-fA-F]{64}$/.test(String(text)),
  'expected a private key, 0x and 64 hexadecimal digits',
)

/** A number above 0 that a pattern allows. */
export const positive = (pattern: RegExp, message: string) =>
  z
    .string()
    .regex(pattern, message)
    .transform(Number)
    .refine((number) => number > 0, message)

const days = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'expected a whole number of days from 1 to 99999')
  .transform(Number)

/** Settings of payments; those without a default are for SHELFMARK_PAYMENTS=facilitator. */
export const paymentSettings = {
  SHELFMARK_NETWORKS: z
    .enum(['mainnet', 'testnet'], 'expected one of mainnet, testnet')
    .default('mainnet')
    .describe('Networks a facilitator settles on: mainnet (real money) or testnet.'),
  SHELFMARK_FACILITATOR_URL: url.optional().describe('The x402 facilitator that verifies and settles payments.'),
  SHELFMARK_FACILITATOR_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected only the token, without spaces and without the word Bearer')
    .optional()
    .describe('Bearer token of the facilitator, if it needs one.'),
  SHELFMARK_CDP_KEY_ID: z
    .string()
    .optional()
    .describe('Id of the API key if the facilitator is Coinbase Developer Platform.'),
  SHELFMARK_CDP_KEY_SECRET: cdpSecret.optional().describe('Secret of that key, as issued by Coinbase.'),
  SHELFMARK_PAY_TO_EVM: evmAddress
    .optional()
    .describe('Address that payments on Base go to. A network is accepted where its payee and its node are set.'),
  SHELFMARK_PAY_TO_SOLANA: solanaAddress.optional().describe('Address that payments on Solana go to.'),
  SHELFMARK_PAY_TO_TEMPO: evmAddress.optional().describe('Address that payments on Tempo go to.'),
  SHELFMARK_BASE_RPC_URL: url.optional().describe('JSON-RPC node of Base, used to look payments up.'),
  SHELFMARK_SOLANA_RPC_URL: url.optional().describe('JSON-RPC node of Solana, used to look payments up.'),
  SHELFMARK_TEMPO_RPC_URL: url.optional().describe('JSON-RPC node of Tempo, which payments are sent to.'),
  SHELFMARK_MPP_SECRET: secrets
    .optional()
    .describe('Secret that signs MPP challenges, at least 32 characters; after a comma the previous one.'),
  SHELFMARK_SESSION_KEY: sessionKey
    .optional()
    .describe(
      'Key that settles and closes sessions, which are offered with it on Tempo and Base: 0x and 64 hexadecimal digits.',
    ),
  SHELFMARK_SESSION_EXPOSURE: positive(/^\d{1,6}(\.\d{1,6})?$/, 'expected dollars, such as 1.00')
    .default(1)
    .describe('Maximum that a payer of a session may owe, in dollars; beyond it what is owed is settled first.'),
  SHELFMARK_SESSION_IDLE_MINUTES: positive(/^\d{1,5}(\.\d{1,4})?$/, 'expected minutes, such as 60')
    .default(60)
    .describe('Minutes after the last answer in which a session is closed, and the rest of its deposit returned.'),
  SHELFMARK_PAYMENTS_KEPT_DAYS: days
    .default(400)
    .describe('Days for which shelfmark-serve payments lists settled payments.'),
}

/** The settings that make a network accepted: its payee and its node. */
export const accountSettings = {
  base: ['SHELFMARK_PAY_TO_EVM', 'SHELFMARK_BASE_RPC_URL'],
  solana: ['SHELFMARK_PAY_TO_SOLANA', 'SHELFMARK_SOLANA_RPC_URL'],
  tempo: ['SHELFMARK_PAY_TO_TEMPO', 'SHELFMARK_TEMPO_RPC_URL'],
} as const satisfies Record<NetworkName, readonly [payee: string, node: string]>

const isLoopback = (address: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)

const isUnencrypted = (address: unknown): boolean =>
  typeof address === 'string' && address.startsWith('http:') && !isLoopback(address)

type GivenSettings = Partial<Record<string, unknown>>
type SettingRule = [name: string, isBroken: (given: GivenSettings) => boolean, advice: string]

const accepts = (given: GivenSettings, ...names: NetworkName[]): boolean =>
  names.some((name) => accountSettings[name].every((setting) => given[setting] !== undefined))
const isMissing =
  (name: string, isNeeded: (given: GivenSettings) => boolean = () => true) =>
  (given: GivenSettings): boolean =>
    given[name] === undefined && isNeeded(given)

const payees = ['SHELFMARK_PAY_TO_EVM', 'SHELFMARK_PAY_TO_SOLANA', 'SHELFMARK_PAY_TO_TEMPO']
const credentials = ['SHELFMARK_FACILITATOR_TOKEN', 'SHELFMARK_CDP_KEY_ID', 'SHELFMARK_CDP_KEY_SECRET']

/** Addresses from which nobody can move a payment: those of nobody, and the contracts of the tokens. */
const unusablePayees = new Set([
  `0x${'0'.repeat(40)}`,
  '1'.repeat(32),
  ...[mainnets, testnets].flatMap(({ base, solana, tempo }) =>
    [base.asset, solana.asset, tempo.currency].map((address) => address.toLowerCase()),
  ),
])
const isUnusable =
  (name: string) =>
  (given: GivenSettings): boolean =>
    unusablePayees.has(String(given[name]).toLowerCase())
const UNUSABLE =
  'expected an address whose key you have, not the zero address or that of a token: payments would be lost'

/** Conditions on combinations of settings for payments through a facilitator. */
const rules: readonly SettingRule[] = [
  ['SHELFMARK_BASE_URL', isMissing('SHELFMARK_BASE_URL'), 'required, since SHELFMARK_PAYMENTS is facilitator'],
  [
    'SHELFMARK_BASE_URL',
    ({ SHELFMARK_BASE_URL: base }) => isUnencrypted(base),
    'expected an https address, since challenges and payments must be encrypted in transit',
  ],
  [
    'SHELFMARK_PAY_TO_EVM',
    (given) => !accepts(given, ...networkNames),
    'required with SHELFMARK_BASE_RPC_URL, unless the payee and node of Solana or Tempo are set: at least one network must be accepted',
  ],
  ...payees.map((name): SettingRule => [name, isUnusable(name), UNUSABLE]),
  [
    'SHELFMARK_FACILITATOR_URL',
    isMissing('SHELFMARK_FACILITATOR_URL', (given) => accepts(given, 'base', 'solana')),
    'required, since payments on Base and Solana go through a facilitator',
  ],
  [
    'SHELFMARK_FACILITATOR_URL',
    (given) => isUnencrypted(given.SHELFMARK_FACILITATOR_URL) && credentials.some((name) => given[name] !== undefined),
    'expected an https address, since credentials must be encrypted in transit',
  ],
  [
    'SHELFMARK_CDP_KEY_ID',
    isMissing('SHELFMARK_CDP_KEY_ID', (given) => given.SHELFMARK_CDP_KEY_SECRET !== undefined),
    'required, since SHELFMARK_CDP_KEY_SECRET is set',
  ],
  [
    'SHELFMARK_CDP_KEY_SECRET',
    isMissing('SHELFMARK_CDP_KEY_SECRET', (given) => given.SHELFMARK_CDP_KEY_ID !== undefined),
    'required, since SHELFMARK_CDP_KEY_ID is set',
  ],
  [
    'SHELFMARK_FACILITATOR_TOKEN',
    (given) => given.SHELFMARK_FACILITATOR_TOKEN !== undefined && given.SHELFMARK_CDP_KEY_ID !== undefined,
    'expected either this token or a CDP key, whichever the facilitator needs',
  ],
  [
    'SHELFMARK_MPP_SECRET',
    isMissing('SHELFMARK_MPP_SECRET', (given) => accepts(given, 'tempo')),
    'required, since it signs the challenges of payments on Tempo',
  ],
  [
    'SHELFMARK_SESSION_KEY',
    (given) => given.SHELFMARK_SESSION_KEY !== undefined && !accepts(given, 'base', 'tempo'),
    'expected with the payee and node of Tempo or Base, since sessions are on those',
  ],
]

/** What is missing or invalid in the settings for payments through a facilitator, one line each. */
export const paymentSettingErrors = (given: GivenSettings): string[] =>
  given.SHELFMARK_PAYMENTS === 'facilitator'
    ? rules.flatMap(([name, isBroken, advice]) => (isBroken(given) ? [`${name}: ${advice}`] : []))
    : []

/** What is missing for each network of which only one of the two settings is set. */
export const incompleteAccounts = (config: AccountSettings): string[] => {
  const given: GivenSettings = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [`SHELFMARK_${name.toUpperCase()}`, value]),
  )
  return networkNames.flatMap((name) => {
    const [set, ...others] = accountSettings[name].filter((setting) => given[setting] !== undefined)
    const [missing] = accountSettings[name].filter((setting) => given[setting] === undefined)
    if (!set || !missing || others.length > 0) return []
    return [`${missing}: required with ${set}; until it is set, ${networkTitles[name]} is not accepted`]
  })
}
