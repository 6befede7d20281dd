import type { PaymentRequirements, SupportedKind } from '@x402/core/types'
import type { FastifyBaseLogger } from 'fastify'
import type { SerializedAnswer } from '../../http/answer.ts'
import type { ChargedRequest } from '../../http/charge.ts'
import type { PaymentOffer } from '../offer.ts'
import type { PaymentError } from '../payment.ts'
import type { Rails } from '../rails.ts'
import { readBasePayment } from './base-credential.ts'
import { createBaseEscrow } from './base-escrow.ts'
import { createBaseSessions } from './base-sessions.ts'
import { createMppSessions, FORGED } from './mpp-sessions.ts'
import { createPurchases } from './purchases.ts'
import { isOnBase, type Session } from './session.ts'
import { createSettling } from './settling.ts'
import type { SessionStore } from './store.ts'
import { createTempoEscrow } from './tempo-escrow.ts'

type SessionOptions = {
  rails: Rails
  store: SessionStore
  key: `0x${string}`
  /** The maximum that a payer may owe, in base units. */
  exposure: bigint
  idle_ms: number
  log: FastifyBaseLogger
}

/** A request that pays from a session, or opens or closes one. */
export type SessionPayment = {
  network: 'base' | 'tempo'
  /** Whether it asks a node, whoever sent it. */
  asksNode: boolean
  /** Buys an answer; null where it closes a session. */
  pay(
    offer: PaymentOffer,
    charged: ChargedRequest,
    compute: () => Promise<SerializedAnswer>,
  ): Promise<SerializedAnswer | null>
  /** Whether an error has cost more than that of an honest client. */
  isCostly(error: PaymentError): boolean
  /** What x402 clients of sessions read of an error, in the place of its message; null for others. */
  codeOf(error: PaymentError): string | null
}

/** The offers of sessions; null where there is none. */
export type SessionOffers = { challenge: { header: string } | null; base: PaymentRequirements | null }

/** Sessions on the accepted networks: of MPP on Tempo, and of x402 on Base. A payer has one, on either. */
export const createSessions = ({ rails, store, key, exposure, idle_ms, log }: SessionOptions) => {
  const { accounts, facilitator } = rails
  const tempoEscrow = accounts.tempo && createTempoEscrow(key, accounts.tempo.rpc, rails)
  const baseEscrow =
    accounts.base && facilitator && createBaseEscrow({ key, rails, facilitator, account: accounts.base })
  const escrowOf = (session: Session) => (isOnBase(session) ? baseEscrow : tempoEscrow)
  const settling = createSettling({ store, escrowOf, idle_ms, log })
  const purchases = createPurchases({ store, settling, exposure })
  const shared = { rails, store, settling, purchases, log }
  const tempo = tempoEscrow && createMppSessions({ ...shared, escrow: tempoEscrow })
  const base = baseEscrow && facilitator && createBaseSessions({ ...shared, facilitator, escrow: baseEscrow })

  return {
    /** The payment by MPP; null without sessions of MPP. */
    ofMpp: (credential: Parameters<NonNullable<typeof tempo>['pay']>[0]): SessionPayment | null =>
      tempo && {
        network: 'tempo',
        asksNode: (credential.payload as { action?: unknown }).action === 'open',
        pay: (...purchase) => tempo.pay(credential, ...purchase),
        isCostly: ({ reason }) => reason === FORGED,
        codeOf: () => null,
      },
    /** The payment by x402, if it is of a session; null otherwise. Throws PaymentError if it is malformed. */
    ofX402(header: string): SessionPayment | null {
      const sent = base && readBasePayment(header)
      if (!sent) return null
      const { isCostly, codeOf } = base
      const asksNode = sent.payload.type !== 'voucher'
      return { network: 'base', asksNode, pay: (...purchase) => base.pay(sent, ...purchase), isCostly, codeOf }
    },
    /** The offers to open a session, and to go on with one that missed answers. */
    offersOf: (offer: PaymentOffer, kinds: readonly SupportedKind[], missed?: Session): SessionOffers => ({
      challenge: tempo?.challengeOf(offer, missed && !isOnBase(missed) ? missed : undefined) ?? null,
      base: base?.offerOf(offer, kinds, missed) ?? null,
    }),
    manage: tempo?.manage ?? null,
    async close(): Promise<void> {
      await settling.end()
      await store.close()
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
