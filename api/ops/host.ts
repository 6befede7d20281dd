import { type Config, isLoopback } from './config.ts'

/** The host in an address, without the brackets of IPv6. */
export const hostnameOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : undefined

/** Whether a name is one of the service: of its public address, of the address it is bound to, or of this machine. */
export const isOwnName = (name: string | undefined, { base_url, host }: Pick<Config, 'base_url' | 'host'>): boolean =>
  name !== undefined && (isLoopback(name) || name === (base_url === undefined ? host : hostnameOf(base_url)))

/**
 * Whether a request is for a name of the service. A page whose name is made to resolve to this machine (DNS rebinding)
 * sends its own; no browser sends none. Behind a proxy, or bound to all addresses, a service has names that it does not know.
 */
export const isForOwnName = (
  host: string | undefined,
  config: Pick<Config, 'base_url' | 'host' | 'proxies'>,
): boolean =>
  host === undefined ||
  !isLoopback(config.host) ||
  (config.proxies !== undefined && config.base_url === undefined) ||
  isOwnName(hostnameOf(`http://${host}`), config)
