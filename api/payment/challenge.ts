import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequirements } from '@x402/core/types'
import { notReady, Refusal } from '../problem.ts'
import { bazaar } from './bazaar.ts'
import { challengeOf } from './mpp.ts'
import type { Networks } from './networks.ts'
import type { Offer } from './offer.ts'
import type { PaymentError } from './payment.ts'
import { dollars } from './prices.ts'
import type { Rails } from './rails.ts'

const UNPAYABLE = 'Payments cannot be taken just now; try again shortly.'
const UNPAYABLE_SECONDS = 5
const NEEDED = 'This answer is paid: choose an offer, pay it, and ask again with the payment.'

/** An offer as clients of x402 version 1 read it, in the body. They refuse an `outputSchema` of null: it is left out. */
const firstVersion = (
  { network, amount, ...offered }: PaymentRequirements,
  { url, description }: Offer,
  { base, solana }: Networks,
) => ({
  ...offered,
  network: network === base.caip2 ? base.v1 : solana.v1,
  maxAmountRequired: amount,
  resource: url,
  description,
  mimeType: 'application/json',
})

/**
 * The 402 that serves every generation of clients: x402 version 2 in `PAYMENT-REQUIRED`, MPP in `WWW-Authenticate`, x402
 * version 1 as members of the body, which is problem details. With the fault of a payment that was not taken. A 503 where
 * nothing can be offered: the facilitator does not answer, and it serves all networks that are accepted.
 */
export const paymentRequired = (offer: Offer, rails: Rails, error?: PaymentError): Refusal => {
  const { accepts, url, description, charge, amount } = offer
  if (accepts.length === 0 && !charge) return notReady(UNPAYABLE, UNPAYABLE_SECONDS)
  const message = error?.message ?? NEEDED
  const [secret = ''] = rails.secrets
  const challenge = charge && challengeOf({ ...offer, charge }, secret)
  const price = { currency: 'USD', price: dollars(Number(amount)), amount }
  const resource = {
    url,
    description,
    mimeType: 'application/json',
    serviceName: 'Shelfmark',
    tags: ['retail', 'prices'],
  }
  const required = { x402Version: 2, error: message, resource, accepts, extensions: { bazaar: bazaar(offer) } }
  return new Refusal(
    'PAYMENT_REQUIRED',
    message,
    { reason: error?.fault ?? 'payment-required', ...price },
    {
      ...error?.headers,
      ...(challenge ? { 'www-authenticate': challenge.header } : {}),
      ...(accepts.length > 0 ? { 'payment-required': encodePaymentRequiredHeader(required) } : {}),
    },
    {
      type: 'https://paymentauth.org/problems/payment-required',
      ...(challenge ? { challengeId: challenge.id } : {}),
      x402Version: 1,
      accepts: accepts.map((offered) => firstVersion(offered, offer, rails.networks)),
    },
  )
}
