import { createHash } from 'node:crypto'
import type { SupportedKind } from '@x402/core/types'
import type { FastifyBaseLogger } from 'fastify'
import type { SerializedAnswer } from '../../http/answer.ts'
import type { ChargedRequest } from '../../http/charge.ts'
import { notReady, Refusal } from '../../http/problem.ts'
import { payerHash } from '../../http/trace.ts'
import { onNetwork, recordOutcome } from '../hand-over.ts'
import { type PaymentOffer, TIMEOUT_SECONDS } from '../offer.ts'
import { PaymentError } from '../payment.ts'
import { encodeHeader } from '../receipt.ts'
import { SCHEME } from './base-channel.ts'
import {
  type BaseCredential,
  FORGED_VOUCHER,
  OUT_OF_SYNC,
  refusal,
  requireTerms,
  requireVoucher,
  voucherOf,
} from './base-credential.ts'
import { type BaseOptions, createBaseDeposits, isOpen } from './base-deposits.ts'
import { DEPOSITS } from './purchases.ts'
import {
  type BaseSession,
  type Charged,
  isOnBase,
  type Session,
  SessionClosed,
  UnknownChannel,
  VoucherTooLow,
} from './session.ts'

const UNAVAILABLE = 'The channel cannot be checked at the moment; nothing was charged: retry with the same payment.'
const RETRY_SECONDS = 2
/** How long the last voucher gets its answer again, in case it was lost in transit. */
const REPEAT_MS = 300_000

/**
 * Sessions of x402 on Base, by the scheme `batch-settlement`: a deposit in a channel, from which each voucher buys an
 * answer without a transaction. The facilitator checks and sends deposits; vouchers are checked here alone.
 */
export const createBaseSessions = (options: BaseOptions & { log: FastifyBaseLogger }) => {
  const { rails, store, escrow, settling, purchases, log } = options
  const { caip2, chain_id } = rails.networks.base
  const { verify, open } = createBaseDeposits(options)

  const termsFor = ({ amount }: Pick<PaymentOffer, 'amount'>, extra = {}) =>
    escrow.requirementsFor(amount, TIMEOUT_SECONDS, extra)
  const isOffered = ({ amount }: Pick<PaymentOffer, 'amount'>) => BigInt(amount) <= purchases.exposure

  const find = async (id: string): Promise<BaseSession | null> => {
    const session = await store.get(id)
    return session && isOnBase(session) ? session : null
  }

  /** What cannot be checked is 503. Only the names of errors are kept: their texts may contain the payment. */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof PaymentError || error instanceof Refusal) throw error
      log.warn({ network: 'base', reason: (error as Error).name }, 'a session cannot be checked')
      throw notReady(UNAVAILABLE, RETRY_SECONDS)
    }
  }

  const stateOf = ({ channelId, deposit, settledOnChain }: BaseSession, sum: bigint) => ({
    channelId,
    balance: String(deposit),
    totalClaimed: String(settledOnChain),
    withdrawRequestedAt: 0,
    refundNonce: '0',
    chargedCumulativeAmount: String(sum),
  })

  const receiptOf = (session: BaseSession, transaction: string, extra: object) => ({
    'payment-response': encodeHeader({
      success: true,
      transaction,
      network: caip2,
      payer: session.payer,
      extra,
    }),
  })

  const isRepeated = (session: BaseSession, { id, voucher }: Charged): boolean =>
    isOpen(session) &&
    session.paid?.at(-1) === id &&
    (session.active_at ?? 0) > Date.now() - REPEAT_MS &&
    // What was sent to the chain, anybody can copy.
    !session.published?.includes(voucher?.cumulativeAmount ?? 0n)

  /** Closes a session at the wish of its payer. */
  const refund = async (sent: BaseCredential, session: BaseSession | null, charged: ChargedRequest): Promise<null> => {
    const { payload } = sent
    if (!session || !isOpen(session)) throw new UnknownChannel()
    if (payload.voucher.maxClaimableAmount !== session.spent) throw new VoucherTooLow(session)
    const rest = session.deposit - session.spent
    if (rest <= 0n) throw refusal('refund_no_balance', 'All of the deposit is spent.')
    if (payload.type === 'refund' && payload.amount !== undefined && payload.amount < rest)
      throw refusal('refund_amount_invalid', 'A refund is of all that was not spent; send no amount.')
    await onNetwork(charged, 'settle', 4 * rails.settle_ms, () => guarded(() => settling.close(session)))
    const closed = (await find(session.channelId)) ?? session
    recordOutcome(charged, 'settled')
    const { transaction = '' } = closed.settlements?.at(-1) ?? {}
    charged.reply.headers(receiptOf(closed, transaction, { channelState: stateOf(closed, closed.spent) }))
    return null
  }

  return {
    /** The offer of a session, with its state for a client that has missed answers; null where there is none. */
    offerOf(offer: PaymentOffer, kinds: readonly SupportedKind[], missed?: Session) {
      const isServed = kinds.some((kind) => kind.scheme === SCHEME && kind.network === caip2 && kind.x402Version === 2)
      if (!isServed || !isOffered(offer)) return null
      const session = missed && isOnBase(missed) ? missed : null
      const { cumulativeAmount, signature } = session?.highestVoucher ?? {}
      const voucherState = { signedMaxClaimable: String(cumulativeAmount), signature }
      const state = session && signature ? { channelState: stateOf(session, session.spent), voucherState } : {}
      return termsFor(offer, { minDeposit: String(DEPOSITS * purchases.exposure), ...state })
    },
    /** What its clients read of an error. */
    codeOf: (error: PaymentError): string =>
      error instanceof VoucherTooLow || error instanceof SessionClosed ? OUT_OF_SYNC : error.reason,
    /** Whether an error has cost more than that of an honest client. */
    isCostly: (error: PaymentError): boolean => error.reason === FORGED_VOUCHER || error instanceof UnknownChannel,
    /** Buys an answer: checked, computed, and only then charged; null where the payment closes its session. */
    async pay(
      sent: BaseCredential,
      offer: PaymentOffer,
      charged: ChargedRequest,
      compute: () => Promise<SerializedAnswer>,
    ): Promise<SerializedAnswer | null> {
      if (!isOffered(offer))
        throw new PaymentError('verification-failed', 'The answer costs more than a session may owe; pay it by itself.')
      requireTerms(sent, offer, termsFor(offer))
      const { payload } = sent
      const { channelId, maxClaimableAmount: sum } = payload.voucher
      const current = await guarded(() => find(channelId))
      const payer = payerHash(payload.channelConfig.payer)
      charged.trace.payment = { network: 'base', payer, outcome: 'not used', transaction: null }
      await guarded(() => requireVoucher(sent, current, chain_id))
      if (payload.type === 'refund') return refund(sent, current, charged)
      const question = createHash('sha256').update(offer.question).digest('base64url')
      const purchase = { amount: BigInt(offer.amount), id: `${sum} ${question}`, voucher: voucherOf(sent) }
      const receipt = (session: BaseSession, transaction = '') =>
        receiptOf(session, transaction, { channelState: stateOf(session, sum), chargedAmount: offer.amount })
      if (current && isRepeated(current, purchase)) {
        recordOutcome(charged, 'replayed')
        charged.reply.headers({ ...receipt(current), 'idempotent-replayed': 'true' })
        return compute()
      }
      const isReady = await onNetwork(charged, 'verify', 2 * rails.settle_ms, () =>
        guarded(() => verify(sent, current, offer)),
      )
      const answer = await compute()
      const paid = await onNetwork(charged, 'settle', 4 * rails.settle_ms, () =>
        guarded(async () => {
          const transaction = isReady ? '' : await open(sent, offer)
          return { session: (await purchases.charge(channelId, purchase)) as BaseSession, transaction }
        }),
      )
      recordOutcome(charged, 'settled')
      charged.reply.headers(receipt(paid.session, paid.transaction))
      return answer
    },
  }
}

export type BaseSessions = ReturnType<typeof createBaseSessions>
