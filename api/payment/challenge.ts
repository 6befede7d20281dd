import type { PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { ResolvedProduct } from '../../engine/index.ts'
import { notReady, Refusal } from '../http/problem.ts'
import type { NetworkName, Networks } from '../ops/networks.ts'
import { dollars } from '../ops/prices.ts'
import { bazaar } from './bazaar.ts'
import { challengeOf } from './mpp.ts'
import type { PaymentOffer } from './offer.ts'
import type { PaymentError } from './payment.ts'
import { paymentIdentifier } from './payment-identifier.ts'
import { preferredNetworks } from './preferences.ts'
import type { Rails } from './rails.ts'
import { encodeHeader } from './receipt.ts'
import { withSecret } from './resend-secret.ts'
import type { SessionOffers } from './sessions/sessions.ts'

const UNPAYABLE = 'Payments cannot be taken at the moment; retry shortly.'
const UNPAYABLE_SECONDS = 5
const NEEDED = 'This answer is paid: choose an offer, pay it, and repeat the request with the payment.'

/** An offer in x402 version 1, for the body. Its clients refuse an `outputSchema` of null, so it is omitted. */
const v1Offer = (
  { network, amount, ...offered }: PaymentRequirements,
  { url, description }: PaymentOffer,
  { base, solana }: Networks,
) => ({
  ...offered,
  network: network === base.caip2 ? base.v1 : solana.v1,
  maxAmountRequired: amount,
  resource: url,
  description,
  mimeType: 'application/json',
})

/** A refused payment, and its network if the credential could be read. */
export type RefusedPayment = {
  error: PaymentError
  network: NetworkName | null
  /** What clients of x402's batch-settlement read in the place of the message; null for other payments. */
  code: string | null
}

const LACKS_FUNDS = /insufficient_(?:funds|balance)|balance_too_low/

/** The networks to offer, in order; one on which the payer lacks funds comes last. */
const networksFor = (acceptPayment: string | undefined, refused: RefusedPayment | null): readonly NetworkName[] => {
  const preferred = preferredNetworks(acceptPayment)
  if (!refused || !LACKS_FUNDS.test(refused.error.reason)) return preferred
  return [...preferred].sort((left, right) => Number(left === refused.network) - Number(right === refused.network))
}

/** The offers of some networks, in their order; all offers if that would leave none. */
const orderedOffer = (
  { accepts, charge }: PaymentOffer,
  { base }: Networks,
  networks: readonly NetworkName[],
): Pick<PaymentOffer, 'accepts' | 'charge'> => {
  const ordered = networks.flatMap((name) =>
    accepts.filter(({ network }) => name !== 'tempo' && (network === base.caip2) === (name === 'base')),
  )
  const chosen = networks.includes('tempo') ? charge : null
  return ordered.length === 0 && !chosen ? { accepts, charge } : { accepts: ordered, charge: chosen }
}

/** The members by which x402 clients recognise a refused payment. */
const failureOf = ({ error, network }: RefusedPayment, { base, solana, tempo }: Networks) => {
  const names = { base: base.caip2, solana: solana.caip2, tempo: `eip155:${tempo.chain_id}` as const }
  return {
    success: false,
    errorReason: error.reason,
    transaction: error.transaction,
    network: network ? names[network] : '',
  }
}

/** Keeps all headers of a 402 under 8 KiB, which proxies and clients accept. */
const MAX_OFFERS_LENGTH = 7100

/** What a 402 offers: by MPP, and by x402 version 2 with what describes the query. */
type Offers = {
  challenges: readonly string[]
  required: Omit<PaymentRequired, 'extensions'>
  extensions: Record<string, unknown>
}

const lengthOf = (headers: Record<string, string>): number =>
  Object.values(headers).reduce((length, value) => length + value.length, 0)

const offerHeaders = ({ challenges, required, extensions }: Offers): Record<string, string> => ({
  ...(challenges.length > 0 ? { 'www-authenticate': challenges.join(', ') } : {}),
  ...(required.accepts.length > 0
    ? { 'payment-required': encodeHeader({ ...required, extensions } satisfies PaymentRequired) }
    : {}),
})

/** The headers of the first offers that are short enough, else of the last. */
const shortened = (variants: readonly (() => Offers)[]): Record<string, string> => {
  let headers: Record<string, string> = {}
  for (const variant of variants) {
    headers = offerHeaders(variant())
    if (lengthOf(headers) <= MAX_OFFERS_LENGTH) break
  }
  return headers
}

/** The response headers of x402, versions 2 and 1. */
const receipts = (failure: ReturnType<typeof failureOf>) => {
  const header = encodeHeader(failure as SettleResponse)
  return { 'payment-response': header, 'x-payment-response': header }
}

/** What the request says of payments, what it would buy, and its payment if that was refused. */
type Requested = {
  acceptPayment: string | undefined
  resolved_product: ResolvedProduct | null
  /** The offers to open a session, or to pay from it; null if none is offered. */
  sessions: SessionOffers | null
  refused?: RefusedPayment | null
}

/**
 * The 402 that serves every generation of clients: x402 version 2 in `PAYMENT-REQUIRED`, MPP in `WWW-Authenticate`,
 * x402 version 1 as members of the body, which is problem details. It offers the networks that `Accept-Payment` names,
 * in that order. After a refused payment `PAYMENT-RESPONSE` and the body give the reason, and the media type is
 * application/json: clients treat any other as the answer that they paid for. `resolved_product` in its details is what would be bought. Returns a 503 if nothing can be offered
 * because the facilitator, which serves all accepted networks, does not answer.
 */
export const paymentRequired = (
  offer: PaymentOffer,
  rails: Rails,
  { acceptPayment, resolved_product, sessions, refused = null }: Requested,
): Refusal => {
  const { query, url, description, amount } = offer
  if (offer.accepts.length === 0 && !offer.charge) return notReady(UNPAYABLE, UNPAYABLE_SECONDS)
  const { accepts, charge } = orderedOffer(offer, rails.networks, networksFor(acceptPayment, refused))
  const error = refused?.error
  const message = error?.message ?? NEEDED
  // Clients of sessions on Base take a receipt for the last word, and look no further.
  const failure = refused && refused.code === null ? failureOf(refused, rails.networks) : null
  const [secret = ''] = rails.secrets
  const challenge = charge && challengeOf({ ...offer, charge }, secret)
  const isSession = challenge || acceptPayment?.includes('tempo/session')
  const session = isSession ? (sessions?.challenge?.header ?? null) : null
  const isOnBase = accepts.some(({ network }) => network === rails.networks.base.caip2)
  const onBase = isOnBase && sessions?.base ? [sessions.base] : []
  const price = { currency: 'USD', price: dollars(Number(amount)), amount }
  const resource = {
    url,
    description,
    mimeType: 'application/json',
    serviceName: 'Shelfmark',
    tags: ['retail', 'prices', ...query.split('/')],
  }
  const offersWith = (session: string | null, channels: PaymentRequirements[], extensions: object): Offers => ({
    challenges: [challenge?.header, session].filter((header) => header != null),
    required: { x402Version: 2, error: refused?.code ?? message, resource, accepts: [...single, ...channels] },
    extensions: { ...extensions },
  })
  const single = withSecret(accepts)
  // Whoever pays from a session must learn what it has missed.
  const [neededSession, neededChannels] = [refused?.network === 'tempo' ? session : null, refused?.code ? onBase : []]
  const described = (hasExample: boolean) => ({ bazaar: bazaar(offer, hasExample), ...paymentIdentifier })
  const headers = shortened([
    () => offersWith(session, onBase, described(true)),
    () => offersWith(session, onBase, described(false)),
    () => offersWith(neededSession, neededChannels, described(false)),
    () => offersWith(neededSession, neededChannels, {}),
  ])
  return new Refusal(
    'PAYMENT_REQUIRED',
    message,
    { reason: error?.fault ?? 'payment-required', ...price, ...(resolved_product ? { resolved_product } : {}) },
    {
      ...(refused ? { 'content-type': 'application/json; charset=utf-8' } : {}),
      ...(failure ? receipts(failure) : {}),
      ...headers,
    },
    {
      type: 'https://paymentauth.org/problems/payment-required',
      ...(challenge ? { challengeId: challenge.id } : {}),
      ...(refused ? { success: false, errorReason: refused.code ?? refused.error.reason } : {}),
      x402Version: 1,
      accepts: accepts.map((accepted) => v1Offer(accepted, offer, rails.networks)),
    },
  )
}
