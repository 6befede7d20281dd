import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { Challenge, type Credential, Errors, PaymentRequest } from 'mppx'
import { Session as Mpp } from 'mppx/tempo'
import { z } from 'zod'
import type { SerializedAnswer } from '../../http/answer.ts'
import type { ChargedRequest } from '../../http/charge.ts'
import { notReady } from '../../http/problem.ts'
import { payerHash } from '../../http/trace.ts'
import { onNetwork, recordOutcome } from '../hand-over.ts'
import { signChallenge } from '../mpp.ts'
import type { PaymentOffer } from '../offer.ts'
import { PaymentError } from '../payment.ts'
import type { Rails } from '../rails.ts'
import { isRejected } from '../tempo.ts'
import { DEPOSITS, type Purchases } from './purchases.ts'
import { isOnBase, type Session, SessionClosed, snapshotOf, type TempoSession, type Voucher } from './session.ts'
import type { SessionSettling } from './settling.ts'
import type { SessionStore } from './store.ts'
import { ESCROW, type TempoEscrow } from './tempo-escrow.ts'
import { isSigned } from './voucher.ts'

const { Receipt } = Mpp.Precompile

const UNAVAILABLE = 'The session cannot be checked at the moment; nothing was charged: retry with the same payment.'
const RETRY_SECONDS = 2

/** Of 96 bits. */
const MAX_SUM = 2n ** 96n - 1n

const payload = z.looseObject({
  action: z.enum(['open', 'topUp', 'voucher', 'close']),
  channelId: z.string().transform((id) => id.toLowerCase()),
  cumulativeAmount: z
    .string()
    .regex(/^\d{1,29}$/)
    .transform(BigInt)
    .refine((sum) => sum <= MAX_SUM)
    .optional(),
  signature: z.templateLiteral(['0x', z.string()]).optional(),
  descriptor: z.looseObject({ payer: z.templateLiteral(['0x', z.string()]) }).optional(),
})

/** The reason of a refused voucher that the payer of its session did not sign. */
export const FORGED = 'invalid_signature'

const refused = (reason: string, message: string) => new PaymentError('verification-failed', message, { reason })
const noSession = () => refused('channel_not_found', 'There is no such session; open one.')

type MppOptions = {
  rails: Rails
  store: SessionStore
  escrow: TempoEscrow
  settling: SessionSettling
  purchases: Purchases
  log: FastifyBaseLogger
}

/** Whether an error is of the payment, and not of the node or the store. */
const isRefusal = (error: unknown): error is Error => error instanceof Errors.PaymentError

/**
 * Sessions of MPP on Tempo: a deposit in the channel escrow, from which each voucher buys an answer without a
 * transaction. mppx checks what opens, fills and closes a session, and sends what clients sign; vouchers, the order of
 * steps, what a payer may owe, and closing are here.
 */
export const createMppSessions = ({ rails, store, escrow, settling, purchases, log }: MppOptions) => {
  const { tempo } = rails.accounts
  if (!tempo) throw new Error('Sessions need an account on Tempo.')
  const { chain_id, currency } = rails.networks.tempo
  const { exposure } = purchases
  const operator = escrow.account.address
  const method = Mpp.Server.session({
    account: escrow.account,
    currency,
    recipient: tempo.payTo,
    operator,
    chainId: chain_id,
    // Its states are these and more.
    store: store as never,
    getClient: () => escrow.client,
  })

  /** The request of a challenge for an amount; null where it is more than a payer may owe. */
  const requestFor = ({ amount }: Pick<PaymentOffer, 'amount'>) =>
    BigInt(amount) > exposure
      ? null
      : {
          amount,
          currency,
          recipient: tempo.payTo,
          unitType: 'answer',
          suggestedDeposit: String(DEPOSITS * exposure),
          methodDetails: { chainId: chain_id, escrowContract: ESCROW, operator, sessionProtocol: 'v2' },
        }

  const find = async (id: string): Promise<TempoSession | null> => {
    const session = await store.get(id)
    return session && !isOnBase(session) ? session : null
  }

  type Received = { challenge: Challenge.Challenge; sent: z.output<typeof payload>; credential: Credential.Credential }

  const read = (credential: Credential.Credential): Received => {
    const { challenge } = credential
    if (!rails.secrets.some((secretKey) => Challenge.verify(challenge, { secretKey })))
      throw new PaymentError('invalid-challenge', 'The challenge was not issued by this service; pay the new one.')
    const sent = payload.safeParse(credential.payload).data
    if (!sent) throw new PaymentError('malformed-credential', 'The payload must be an action of a Tempo session.')
    return { challenge, sent, credential }
  }

  const bind = ({ challenge }: Received, offer: PaymentOffer): void => {
    if (!(Date.parse(challenge.expires ?? '') > Date.now()))
      throw new PaymentError('payment-expired', 'The challenge has expired; pay the new one.')
    const scope = challenge.opaque && PaymentRequest.deserialize(challenge.opaque).scope
    if (challenge.realm !== offer.realm || scope !== offer.question)
      throw new PaymentError('invalid-challenge', 'The challenge is for another resource; pay the new one.')
    const { sessionSnapshot: _, ...methodDetails } = challenge.request.methodDetails as Record<string, unknown>
    if (!isDeepStrictEqual({ ...challenge.request, methodDetails }, requestFor(offer)))
      throw new PaymentError('invalid-challenge', 'The offer has changed since the challenge was issued.')
  }

  /** Refuses what mppx refuses; what cannot be checked is 503. Its texts may contain the credential: only names are kept. */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof PaymentError) throw error
      if (isRefusal(error))
        throw new PaymentError(
          'verification-failed',
          'The session does not allow this payment; pay the new challenge.',
          {
            reason: error.name
              .replace(/Error$/, '')
              .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
              .toLowerCase(),
          },
        )
      log.warn({ network: 'tempo', reason: (error as Error).name }, 'a session cannot be checked')
      throw notReady(UNAVAILABLE, RETRY_SECONDS)
    }
  }

  const contextOf = ({ credential, challenge }: Received) =>
    ({ credential, request: challenge.request }) as unknown as Parameters<NonNullable<typeof method.broadcast>>[0]

  /** Has mppx check or send the transaction of a client. What the chain rejects is the client's to correct. */
  const pass = async (step: 'validate' | 'broadcast', paid: Received): Promise<void> => {
    try {
      await method[step]?.(contextOf(paid))
    } catch (error) {
      if (!isRejected(error)) throw error
      throw new PaymentError(
        'verification-failed',
        'The transaction would fail; check the balance of its sender, and whether it has expired.',
      )
    }
  }

  /** The voucher of a credential, signed by the payer of a session whose deposit is there. */
  const voucherOf = async ({ sent }: Received, session: TempoSession | null): Promise<Voucher> => {
    const { action, cumulativeAmount, signature } = sent
    if (action !== 'voucher' || cumulativeAmount === undefined || !signature)
      throw new PaymentError('malformed-credential', 'An answer is bought by the action open or voucher, with its sum.')
    if (!session) throw noSession()
    const voucher = { cumulativeAmount, signature }
    if (!(await isSigned(session, voucher)))
      throw refused(FORGED, 'The voucher is not signed by the payer of the session.')
    if (!(await settling.covers(session, cumulativeAmount))) throw new SessionClosed()
    return voucher
  }

  /** Opens a session. */
  const open = (paid: Received): Promise<void> => {
    const { channelId, descriptor } = paid.sent
    return purchases.open(channelId, descriptor?.payer ?? '0x', async () => {
      const from_block = await escrow.blockNumber()
      await pass('broadcast', paid)
      await store.update(channelId, (session) =>
        session
          ? { op: 'set', value: { ...session, from_block, active_at: Date.now() }, result: null }
          : { op: 'noop', result: null },
      )
    })
  }

  const receiptOf = (session: Session, challengeId: string, txHash?: string) => ({
    'payment-receipt': Receipt.serializeSessionReceipt(
      Receipt.createSessionReceipt({
        challengeId,
        channelId: session.channelId,
        acceptedCumulative: session.highestVoucherAmount,
        spent: session.spent,
        units: session.units,
        ...(txHash ? { txHash: txHash as `0x${string}` } : {}),
      }),
    ),
  })

  return {
    /** The value of `WWW-Authenticate` for an offer; null where it is more than a payer may owe. */
    challengeOf(offer: PaymentOffer, session?: TempoSession) {
      const request = requestFor(offer)
      if (!request) return null
      const snapshot = session ? { sessionSnapshot: snapshotOf(session, BigInt(offer.amount)) } : {}
      const withSnapshot = { ...request, methodDetails: { ...request.methodDetails, ...snapshot } }
      return signChallenge({ ...offer, request: withSnapshot, intent: 'session' }, rails.secrets[0] ?? '')
    },
    /**
     * Buys an answer: checked, computed, and only then charged. Its credential buys it once, and gets it again while it
     * is remembered.
     */
    async pay(
      credential: Credential.Credential,
      offer: PaymentOffer,
      charged: ChargedRequest,
      compute: () => Promise<SerializedAnswer>,
    ): Promise<SerializedAnswer> {
      const paid = read(credential)
      const { sent, challenge } = paid
      bind(paid, offer)
      const current = await guarded(() => find(sent.channelId))
      const payer = (current?.payer ?? sent.descriptor?.payer ?? '').toLowerCase()
      charged.trace.payment = { network: 'tempo', payer: payerHash(payer), outcome: 'not used', transaction: null }
      if (current?.paid?.includes(challenge.id)) {
        recordOutcome(charged, 'replayed')
        charged.reply.headers({ ...receiptOf(current, challenge.id), 'idempotent-replayed': 'true' })
        return compute()
      }
      const isOpening = sent.action === 'open'
      const voucher = await onNetwork(charged, 'verify', rails.settle_ms, () =>
        guarded(async () => (isOpening ? void (await pass('validate', paid)) : voucherOf(paid, current))),
      )
      const answer = await compute()
      const session = await onNetwork(charged, 'settle', 2 * rails.settle_ms, () =>
        guarded(async () => {
          if (isOpening) await open(paid)
          const purchase = { amount: BigInt(offer.amount), id: challenge.id, voucher: voucher ?? null }
          return purchases.charge(sent.channelId, purchase)
        }),
      )
      recordOutcome(charged, 'settled')
      charged.reply.headers(receiptOf(session, challenge.id))
      return answer
    },
    /** Adds to the deposit of a session, or closes it at the wish of its payer. Returns the receipt. */
    async manage(credential: Credential.Credential) {
      const paid = read(credential)
      const { action, channelId } = paid.sent
      if (action !== 'close' && action !== 'topUp')
        throw new PaymentError('malformed-credential', 'POST is for closing a session and adding to its deposit.')
      const session = await guarded(async () => {
        await pass('validate', paid)
        const before = await find(channelId)
        if (!before) throw noSession()
        await (action === 'close'
          ? settling.close(before)
          : settling.alone(before.payer, () => pass('broadcast', paid)))
        return (await store.get(channelId)) ?? before
      })
      return receiptOf(session, paid.challenge.id, session.settlements?.at(-1)?.transaction)
    },
  }
}

export type MppSessions = ReturnType<typeof createMppSessions>
