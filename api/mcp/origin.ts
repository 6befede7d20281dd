import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../ops/config.ts'
import { hostnameOf, isForOwnName, isOwnName } from '../ops/host.ts'

/** Whether a request comes from a page of this service or from no page, and to a name of this service. */
export const isOwnOrigin = (
  { origin, host }: IncomingHttpHeaders,
  config: Pick<Config, 'base_url' | 'host' | 'proxies'>,
): boolean => (origin === undefined || isOwnName(hostnameOf(origin), config)) && isForOwnName(host, config)
