import type { AnyQuery } from '../../engine/index.ts'
import type { Config } from '../ops/config.ts'
import { acceptedNetworks, type NetworkName, waysToPay } from '../ops/networks.ts'
import { dollars, prices } from '../ops/prices.ts'

/** What pages say about the service. */
export type Site = {
  base_url: string
  /** How paid queries are paid for on a page; null where everything is free. */
  payment: { mode: 'test money' | 'wallet' | 'client'; accepted: readonly NetworkName[]; ways: string } | null
}

const modeOf = ({ payments }: Config, accepted: readonly NetworkName[]) =>
  payments === 'embedded' ? 'test money' : accepted.includes('base') ? 'wallet' : 'client'

export const siteOf = (config: Config, base_url: string): Site => {
  if (config.payments === 'off') return { base_url, payment: null }
  const accepted = acceptedNetworks(config)
  return { base_url, payment: { mode: modeOf(config, accepted), accepted, ways: waysToPay(accepted) } }
}

/** The price of a query's answer in dollars, such as `0.02`; null if it is free. */
export const priceOf = ({ group }: AnyQuery, { payment }: Pick<Site, 'payment'>): string | null =>
  payment && prices[group] > 0 ? dollars(prices[group]) : null
