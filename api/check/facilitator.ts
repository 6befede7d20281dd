import type { SupportedKind } from '@x402/core/types'
import type { Config } from '../ops/config.ts'
import { authorizeBy } from '../ops/facilitator-credentials.ts'
import { acceptedNetworks, type NetworkName, networksOf, networkTitles } from '../ops/networks.ts'
import { httpFacilitator } from '../payment/http-facilitator.ts'
import { checkDate } from './clock.ts'
import { type Finding, failed, hostOf, passed } from './finding.ts'

const NAME = 'SHELFMARK_FACILITATOR_URL'

const checkKind = (
  network: Exclude<NetworkName, 'tempo'>,
  kinds: readonly SupportedKind[],
  config: Config,
): Finding => {
  const { caip2 } = networksOf(config)[network]
  const networkName = `${networkTitles[network]} (${caip2})`
  const kind = kinds.find((one) => one.x402Version === 2 && one.scheme === 'exact' && one.network === caip2)
  if (!kind)
    return failed(
      NAME,
      `it does not support x402 version 2, scheme exact, on ${networkName}: set another facilitator, change SHELFMARK_NETWORKS, or remove the network`,
    )
  if (network === 'solana' && typeof kind.extra?.feePayer !== 'string')
    return failed(NAME, `it names no fee payer for ${networkName}: set one that does`)
  return passed(NAME, `supports ${networkName}`)
}

/** Sessions on Base need more of the facilitator than single payments. */
const checkSessions = (kinds: readonly SupportedKind[], config: Config): Finding[] => {
  if (!config.session_key || !acceptedNetworks(config).includes('base')) return []
  const { caip2 } = networksOf(config).base
  const isServed = kinds.some(({ scheme, network }) => scheme === 'batch-settlement' && network === caip2)
  const missing = 'no sessions are offered on Base, since the facilitator does not support scheme batch-settlement'
  return [passed('SHELFMARK_SESSION_KEY', isServed ? 'sessions are offered on Base' : missing)]
}

const dateOf = async (url: string, timeout: number): Promise<string | null> => {
  try {
    const options = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(timeout) } as const
    return (await fetch(new URL(url).origin, options)).headers.get('date')
  } catch {
    return null
  }
}

/**
 * Checks that the facilitator accepts our credentials and supports the accepted x402 networks, and compares the clocks.
 */
export const checkFacilitator = async (config: Config): Promise<Finding[]> => {
  const { facilitator_url: url, settle_ms } = config
  if (url === undefined) return []
  const host = hostOf(url)
  const clock = checkDate(await dateOf(url, settle_ms), host)
  try {
    const facilitator = httpFacilitator({ url, timeout_ms: settle_ms, authorize: authorizeBy(config) })
    const { kinds } = await facilitator.supported()
    const accepted = acceptedNetworks(config).filter((name) => name !== 'tempo')
    return [
      passed(NAME, `${host} answers`),
      ...accepted.map((name) => checkKind(name, kinds, config)),
      ...checkSessions(kinds, config),
      ...clock,
    ]
  } catch (error) {
    return [failed(NAME, `${host}: ${(error as Error).message}`), ...clock]
  }
}
