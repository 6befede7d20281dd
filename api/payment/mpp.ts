import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Challenge, Credential, PaymentRequest, Receipt } from 'mppx'
import { z } from 'zod'
import type { ChargeRequest, Offer } from './offer.ts'
import { type Payment, PaymentError } from './payment.ts'
import type { Rails } from './rails.ts'
import { readTempoTransfer } from './tempo.ts'

/** How long a challenge stands, in seconds. */
const CHALLENGE_SECONDS = 300

/** What of the protocol's terms every challenge of ours has. */
const terms = { method: 'tempo', intent: 'charge' } as const

/** The question that a challenge of ours is for. */
const scopeOf = (opaque: string | undefined): unknown => opaque && PaymentRequest.deserialize(opaque).scope

/** The value of `WWW-Authenticate` for an offer, and its id. Its HMAC binds every term, so that nothing is remembered. */
export const challengeOf = (offer: Offer & { charge: ChargeRequest }, secret: string) => {
  const { realm, question, charge, description } = offer
  const expires = new Date(Date.now() + CHALLENGE_SECONDS * 1000).toISOString() as `${string}Z`
  const challenge = Challenge.from({
    ...terms,
    secretKey: secret,
    realm,
    expires,
    description,
    // Two challenges of one millisecond must differ: each is spent once.
    meta: { scope: question, nonce: randomBytes(12).toString('base64url') },
    request: charge,
  })
  return { id: challenge.id, header: Challenge.serialize(challenge) }
}

const chargeOf = ({ charge }: Offer): ChargeRequest => {
  if (!charge) throw new PaymentError('invalid-challenge', 'The offer has changed.')
  return charge
}

const payload = z.object({ type: z.literal('transaction'), signature: z.string().regex(/^0x76[0-9a-fA-F]{2,16384}$/) })

const readCredential = (header: string) => {
  try {
    return Credential.deserialize(header)
  } catch {
    throw new PaymentError('malformed-credential', 'Authorization: Payment must carry base64url of a credential.')
  }
}

/**
 * A payment by MPP, a signed Tempo transaction. Throws PaymentError where the header is none, or not for our challenge,
 * which `isKnown` says of a payment that was taken before: its secret may be gone.
 */
export const readMpp = async (header: string, rails: Rails, isKnown = false): Promise<Payment> => {
  const credential = readCredential(header)
  const { challenge } = credential
  if (!isKnown && !rails.secrets.some((secretKey) => Challenge.verify(challenge, { secretKey })))
    throw new PaymentError('invalid-challenge', 'The challenge was not issued here; answer a fresh one.')
  const signed = payload.safeParse(credential.payload).data
  if (!signed)
    throw new PaymentError('malformed-credential', 'The payload must be a signed Tempo transaction, 0x76 and so on.')
  const expires = Date.parse(challenge.expires ?? '')
  const issued = expires - CHALLENGE_SECONDS * 1000
  const { tempo } = rails.accounts
  if (!tempo) throw new PaymentError('verification-failed', 'No payment is taken on Tempo; choose an offer.')
  const { rpc } = tempo
  const transfer = await readTempoTransfer(signed.signature as `0x76${string}`, { issued, rpc }, rails)

  return {
    network: 'tempo',
    header,
    key: `mpp/${challenge.id}`,
    alias: transfer.key,
    payer: transfer.payer,
    retry_key: null,
    bind(offer) {
      if (!(expires > Date.now())) throw new PaymentError('payment-expired', 'The challenge has expired.')
      if (challenge.realm !== offer.realm || scopeOf(challenge.opaque) !== offer.question)
        throw new PaymentError('invalid-challenge', 'The challenge is for another resource.')
      const charge = chargeOf(offer)
      if (!isDeepStrictEqual(challenge.request, charge))
        throw new PaymentError('invalid-challenge', 'The offer has changed.')
      transfer.bind(charge)
    },
    verify: () => transfer.verify(),
    isProven: async () => transfer.isProven(challenge.id),
    async settle(offer) {
      const reference = await transfer.settle(chargeOf(offer))
      const timestamp = new Date().toISOString() as `${string}Z`
      const receipt = Receipt.from({ method: terms.method, reference, status: 'success', timestamp })
      return { transaction: reference, receipt: { 'payment-receipt': Receipt.serialize(receipt) } }
    },
  }
}
