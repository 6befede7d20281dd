import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Challenge, Credential, PaymentRequest, Receipt } from 'mppx'
import { z } from 'zod'
import type { ChargeRequest, PaymentOffer } from './offer.ts'
import { type Payment, PaymentError } from './payment.ts'
import type { Rails } from './rails.ts'
import { readTempoTransfer } from './tempo.ts'

/** How long a challenge is valid. */
const CHALLENGE_SECONDS = 300

/** The terms that all our challenges share. */
const terms = { method: 'tempo', intent: 'charge' } as const

const CHANGED = 'The offer has changed since the challenge was issued; pay the new challenge.'

/** The query that one of our challenges is for. */
const scopeOf = (opaque: string | undefined): unknown => opaque && PaymentRequest.deserialize(opaque).scope

type ChallengeTerms = Pick<PaymentOffer, 'realm' | 'question' | 'description'> & {
  intent: 'charge' | 'session'
  request: Record<string, unknown>
}

/** The value of `WWW-Authenticate`, and its id. Its HMAC binds every term, so that challenges need not be stored. */
export const signChallenge = ({ realm, question, description, intent, request }: ChallengeTerms, secret: string) => {
  const expires = new Date(Date.now() + CHALLENGE_SECONDS * 1000).toISOString() as `${string}Z`
  const challenge = Challenge.from({
    method: terms.method,
    intent,
    secretKey: secret,
    realm,
    expires,
    description,
    // Challenges issued in the same millisecond must differ: each is spent once.
    meta: { scope: question, nonce: randomBytes(12).toString('base64url') },
    request,
  })
  return { id: challenge.id, header: Challenge.serialize(challenge) }
}

/** The challenge of an offer to be paid by one transaction. */
export const challengeOf = ({ charge: request, ...offer }: PaymentOffer & { charge: ChargeRequest }, secret: string) =>
  signChallenge({ ...offer, intent: terms.intent, request }, secret)

const chargeOf = ({ charge }: PaymentOffer): ChargeRequest => {
  if (!charge) throw new PaymentError('invalid-challenge', CHANGED)
  return charge
}

const payload = z.object({ type: z.literal('transaction'), signature: z.string().regex(/^0x76[0-9a-fA-F]{2,16384}$/) })

export const readCredential = (header: string) => {
  try {
    return Credential.deserialize(header)
  } catch {
    throw new PaymentError(
      'malformed-credential',
      'Authorization: expected Payment and the base64url of an MPP credential.',
    )
  }
}

/**
 * Reads an MPP payment, a signed Tempo transaction. Throws PaymentError if the header is malformed or its challenge was
 * not issued here. With `isTrusted`, for a payment from the journal, the challenge is not verified: its secret may be
 * gone.
 */
export const readMpp = async (header: string, rails: Rails, isTrusted = false): Promise<Payment> => {
  const credential = readCredential(header)
  const { challenge } = credential
  if (!isTrusted && !rails.secrets.some((secretKey) => Challenge.verify(challenge, { secretKey })))
    throw new PaymentError('invalid-challenge', 'The challenge was not issued by this service; pay the new one.')
  const signed = payload.safeParse(credential.payload).data
  if (!signed)
    throw new PaymentError(
      'malformed-credential',
      'The payload must be a signed Tempo transaction: hexadecimal that begins with 0x76.',
    )
  const expires = Date.parse(challenge.expires ?? '')
  const issued = expires - CHALLENGE_SECONDS * 1000
  const { tempo } = rails.accounts
  if (!tempo) throw new PaymentError('verification-failed', 'Payments on Tempo are not accepted; choose an offer.')
  const { rpc } = tempo
  const transfer = await readTempoTransfer(signed.signature as `0x76${string}`, { issued, rpc }, rails)

  return {
    network: 'tempo',
    header,
    key: `mpp/${challenge.id}`,
    alias: transfer.key,
    payer: transfer.payer,
    retry_key: null,
    // Unguessable, and only the last bytes of its hash are in the memo.
    secret: challenge.id,
    bind(offer) {
      if (!(expires > Date.now()))
        throw new PaymentError('payment-expired', 'The challenge has expired; pay the new one.')
      if (challenge.realm !== offer.realm || scopeOf(challenge.opaque) !== offer.question)
        throw new PaymentError('invalid-challenge', 'The challenge is for another resource; pay the new one.')
      const charge = chargeOf(offer)
      if (!isDeepStrictEqual(challenge.request, charge)) throw new PaymentError('invalid-challenge', CHANGED)
      transfer.bind(charge, challenge.id)
    },
    signature: async () => transfer.signature(),
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
