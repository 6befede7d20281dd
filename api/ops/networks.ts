import type { Network } from '@x402/core/types'

export type Address = `0x${string}`

/** The chains of one environment, and the dollar token of 6 decimals that is taken on each. */
export type Networks = {
  /** USDC, moved by EIP-3009 authorizations under the EIP-712 domain `name` and `version`. */
  base: { caip2: Network; v1: string; chain_id: number; asset: Address; name: string; version: string }
  /** USDC, an SPL token. */
  solana: { caip2: Network; v1: string; asset: string }
  /** USDC.e, or pathUSD on the testnet: TIP-20 tokens. */
  tempo: { chain_id: number; currency: Address }
}

/** A network by its short name. */
export type NetworkName = keyof Networks

export const networkNames: readonly NetworkName[] = ['base', 'solana', 'tempo']

/** Their display names. */
export const networkTitles: Readonly<Record<NetworkName, string>> = { base: 'Base', solana: 'Solana', tempo: 'Tempo' }

/** The networks of each protocol. */
const protocols: Readonly<Record<'x402' | 'MPP', readonly NetworkName[]>> = { x402: ['base', 'solana'], MPP: ['tempo'] }

export type Protocol = keyof typeof protocols

/** The protocols of some networks. */
export const protocolsOf = (accepted: readonly NetworkName[]): readonly Protocol[] =>
  (Object.keys(protocols) as Protocol[]).filter((protocol) =>
    accepted.some((name) => protocols[protocol].includes(name)),
  )

/** The ways to pay, in words: `x402 on Base and Solana or MPP on Tempo`. */
export const waysToPay = (accepted: readonly NetworkName[]): string =>
  protocolsOf(accepted)
    .map((protocol) => {
      const titles = protocols[protocol].filter((name) => accepted.includes(name)).map((name) => networkTitles[name])
      return `${protocol} on ${titles.join(' and ')}`
    })
    .join(' or ')

/** The payees, by kind of address. */
export type Payees = { evm: Address; solana: string; tempo: Address }

/** The JSON-RPC address of each chain. */
export type RpcUrls = Record<NetworkName, string>

/** The payee on a network, and the node to query about payments. */
export type Account<Payee> = { payTo: Payee; rpc: string }

/** The accounts of the accepted networks; null for the others. */
export type Accounts = {
  base: Account<Address> | null
  solana: Account<string> | null
  tempo: Account<Address> | null
}

/** Real money. */
export const mainnets: Networks = {
  base: {
    caip2: 'eip155:8453',
    v1: 'base',
    chain_id: 8453,
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    version: '2',
  },
  solana: {
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    v1: 'solana',
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
  tempo: { chain_id: 4217, currency: '0x20C000000000000000000000b9537d11c60E8b50' },
}

/** Test money: Base Sepolia, Solana devnet and Tempo Moderato; the embedded chains use the same names. */
export const testnets: Networks = {
  base: {
    caip2: 'eip155:84532',
    v1: 'base-sepolia',
    chain_id: 84_532,
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    name: 'USDC',
    version: '2',
  },
  solana: {
    caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    v1: 'solana-devnet',
    asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  },
  tempo: { chain_id: 42_431, currency: '0x20c0000000000000000000000000000000000000' },
}

/** The networks of the settings; the embedded chains replace testnets. */
export const networksOf = ({ payments, networks }: { payments: string; networks: string }): Networks =>
  payments === 'facilitator' && networks === 'mainnet' ? mainnets : testnets

/** Settings of payees and nodes. */
export type AccountSettings = {
  pay_to_evm?: Address | undefined
  pay_to_solana?: string | undefined
  pay_to_tempo?: Address | undefined
  base_rpc_url?: string | undefined
  solana_rpc_url?: string | undefined
  tempo_rpc_url?: string | undefined
}

const accountOf = <Payee>(payTo: Payee | undefined, rpc: string | undefined): Account<Payee> | null =>
  payTo !== undefined && rpc !== undefined ? { payTo, rpc } : null

/** A network has an account if both its payee and its node are set. */
export const accountsOf = (settings: AccountSettings): Accounts => ({
  base: accountOf(settings.pay_to_evm, settings.base_rpc_url),
  solana: accountOf(settings.pay_to_solana, settings.solana_rpc_url),
  tempo: accountOf(settings.pay_to_tempo, settings.tempo_rpc_url),
})

/** The accepted networks: with a facilitator those that have an account, else all. */
export const acceptedNetworks = (config: AccountSettings & { payments: string }): readonly NetworkName[] => {
  const accounts = accountsOf(config)
  return config.payments === 'facilitator' ? networkNames.filter((name) => accounts[name]) : networkNames
}
