import { randomBytes } from 'node:crypto'
import type { PaymentRequirements } from '@x402/core/types'

const NAME = 'resendSecret'
/** Fewer characters can be guessed. */
const MIN_LENGTH = 22

/**
 * Adds a secret to the offers of a 402. Clients of x402 version 2 return the offer that they accept, so that the payer
 * can present the payment again; whoever copies the payment from its chain cannot.
 */
export const withSecret = (accepts: readonly PaymentRequirements[]): PaymentRequirements[] => {
  const secret = randomBytes(16).toString('base64url')
  return accepts.map((offered) => ({ ...offered, extra: { ...offered.extra, [NAME]: secret } }))
}

type AcceptedOffer = Record<string, unknown> | null

/** An accepted offer without its secret, and the secret; null if it has none. */
export const takeSecret = (accepted: AcceptedOffer): { accepted: AcceptedOffer; secret: string | null } => {
  const { extra } = accepted ?? {}
  if (extra === null || typeof extra !== 'object') return { accepted, secret: null }
  const { [NAME]: secret, ...others } = extra as Record<string, unknown>
  const isSecret = typeof secret === 'string' && secret.length >= MIN_LENGTH
  return { accepted: { ...accepted, extra: others }, secret: isSecret ? secret : null }
}
