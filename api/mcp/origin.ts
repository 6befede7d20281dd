import type { IncomingHttpHeaders } from 'node:http'
import { type Config, isLoopback } from '../ops/config.ts'

/** The host in an address, without the brackets of IPv6. */
const hostnameOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : undefined

/**
 * Whether a request comes from a page of this service or from no page, and to a name of this service. A page whose name
 * is made to resolve to this machine (DNS rebinding) sends its ownName name in both headers.
 */
export const isOwnOrigin = (
  { origin, host = '' }: IncomingHttpHeaders,
  { base_url, host: bound, proxies }: Pick<Config, 'base_url' | 'host' | 'proxies'>,
): boolean => {
  const ownName = base_url === undefined ? bound : hostnameOf(base_url)
  const isOwn = (name: string | undefined): boolean => name !== undefined && (name === ownName || isLoopback(name))
  if (origin !== undefined && !isOwn(hostnameOf(origin))) return false
  // Behind a proxy, or bound to all addresses, a service has names that it does not know.
  const hasOneName = isLoopback(bound) && proxies === undefined
  return !hasOneName || isOwn(hostnameOf(`http://${host}`))
}
