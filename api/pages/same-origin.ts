import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../http/problem.ts'
import { hostnameOf } from '../ops/host.ts'

/**
 * Refuses a form that another site's page sent. Browsers name the origin of every form; it has to be the origin that the
 * request is for, which has to be the public address, this machine or an IP address: a foreign name may have been made
 * to point here.
 */
export const requireSameOrigin = ({ headers, protocol }: FastifyRequest, base_url: string): void => {
  const { origin, host = '', 'sec-fetch-site': site } = headers
  const name = hostnameOf(`http://${host}`) ?? ''
  const isOwnName = isIP(name) > 0 || name === 'localhost' || host === new URL(base_url).host
  const isSame = origin === new URL(base_url).origin || origin === `${protocol}://${host}`
  if (isOwnName && isSame && (site === undefined || site === 'same-origin')) return
  throw new Refusal(
    'INVALID_PARAMS',
    'The form was sent from another site; nothing was paid. Open the page here and send it again.',
  )
}
