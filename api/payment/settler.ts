import type { FastifyBaseLogger } from 'fastify'
import { readSent } from './credential.ts'
import type { Entry, In, Journal } from './journal.ts'
import type { PaymentOffer } from './offer.ts'
import { OutcomeUnknown, type Payment, PaymentError } from './payment.ts'
import type { Rails } from './rails.ts'

/** How often the journal is checked for payments in doubt. */
const SWEEP_MS = 1000
/** The maximum number of payments in doubt that are settled concurrently. */
const MAX_CONCURRENT = 8
/** The wait after a failed attempt, doubled each time up to the maximum. */
const MIN_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

/** A payment that a request holds, about to be settled. */
export type Settling = { entry: In<'settling'>; payment: Payment; offer: PaymentOffer }

/** Waits for a settlement as long as a request may; throws if that is too long or its client disconnects. */
type Wait = (work: () => Promise<In<'settled'>>) => Promise<In<'settled'>>

export type Settler = ReturnType<typeof createSettler>

type SettlerOptions = {
  rails: Rails
  journal: Journal
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** The maximum number of payments being settled and in doubt; beyond it no new one is taken. */
  max_settlements: number
}

/**
 * Settles payments: those of waiting requests, and in the background those that no request waits for, until their
 * outcome is final. The journal is the queue, so that work continues after a restart or in another process.
 */
export const createSettler = ({ rails, journal, log, max_settlements }: SettlerOptions) => {
  const inProgress = new Map<string, { work: Promise<unknown>; isAwaited: boolean }>()
  /** The held payments that are being settled. */
  const held = new Set<In<'settling'>>()
  /** Failed attempts by key: how many, and when the next is due. */
  const attempts = new Map<string, { count: number; due: number }>()
  /** Payments in doubt that nobody holds, as last counted. */
  let in_doubt = 0
  let isClosed = false

  /** Leaves a payment in doubt to a later attempt. */
  const postpone = async (entry: In<'settling'>): Promise<void> => {
    const count = (attempts.get(entry.key)?.count ?? 0) + 1
    attempts.set(entry.key, { count, due: Date.now() + Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (count - 1)) })
    in_doubt += 1
    await journal.suspend(entry)
  }

  /** Settles a held payment, which stays held if it is settled. Throws PaymentError, or any other error if in doubt. */
  const settle = async ({ entry, payment, offer }: Settling): Promise<In<'settled'>> => {
    const { network, payer } = payment
    held.add(entry)
    try {
      // Journals of earlier versions do not have the time.
      const { transaction, receipt } = await payment.settle(offer, entry.sent?.since ?? Date.now())
      if (isClosed) throw new OutcomeUnknown('the service is closing')
      const settlement = { at: Date.now(), network, transaction, amount: offer.amount, payer, is_verified: true }
      const { sent: _, ...spent } = entry
      const settled: In<'settled'> = { ...spent, state: 'settled', receipt, settlement }
      await journal.record(settled)
      return settled
    } catch (error) {
      if (!isClosed) await (error instanceof PaymentError ? journal.release(entry) : postpone(entry))
      throw error
    } finally {
      held.delete(entry)
    }
  }

  const track = <T>(key: string, isAwaited: boolean, work: Promise<T>): Promise<T> => {
    inProgress.set(key, { work, isAwaited })
    const untrack = () => void inProgress.delete(key)
    work.then(untrack, untrack)
    return work
  }

  /** Continues a payment that was taken up. */
  const resume = async (entry: Exclude<Entry, In<'delivered'>>): Promise<void> => {
    // The request that claimed it has died.
    if (entry.state === 'claimed') return journal.release(entry)
    if (entry.state === 'settled') return journal.suspend(entry)
    // Journals of earlier versions do not contain the payment: its client must present it.
    if (!entry.sent) return postpone(entry)
    const { network, offer } = entry.sent
    const payment = await readSent(entry.sent, rails).catch(() => null)
    if (!payment) {
      log.warn({ network }, 'a payment is in doubt on a network that is not accepted')
      return postpone(entry)
    }
    try {
      const settled = await settle({ entry, payment, offer })
      await journal.suspend(settled)
      const { transaction } = settled.settlement
      log.info({ network, transaction }, 'settled a payment that was in doubt')
    } catch (error) {
      if (isClosed) return
      if (error instanceof PaymentError) log.info({ network, reason: error.reason }, 'a payment in doubt was not made')
      else log.warn({ network, reason: (error as Error).name }, 'settlement still in doubt')
    }
  }

  /** Takes up a payment that nobody holds, and continues it. Returns whether nobody held it. */
  const takeUp = async (key: string): Promise<boolean> => {
    const entry = await journal.takeUp(key)
    if (entry) await resume(entry)
    return entry !== null
  }

  /**
   * Takes up a payment now, unless that is in progress. Resolves when this process is done with it; never throws. False
   * if another process holds it.
   */
  const attempt = async (key: string): Promise<boolean> => {
    const work = inProgress.get(key)?.work ?? track(key, false, takeUp(key))
    try {
      return (await work) !== false
    } catch (error) {
      if (!isClosed && !(error instanceof PaymentError || error instanceof OutcomeUnknown))
        log.error({ err: error }, 'fault')
      return true
    }
  }

  let isSweeping = false
  let isReadable = true
  const sweep = async (): Promise<void> => {
    if (isSweeping || isClosed) return
    isSweeping = true
    try {
      const doubtful = await journal.inDoubt(max_settlements)
      in_doubt = doubtful.length
      isReadable = true
      const now = Date.now()
      for (const [key, { due }] of attempts) if (now > due + MAX_BACKOFF_MS) attempts.delete(key)
      const background = [...inProgress.values()].filter(({ isAwaited }) => !isAwaited).length
      const due = doubtful.filter((key) => !inProgress.has(key) && (attempts.get(key)?.due ?? 0) <= now)
      for (const key of due.slice(0, Math.max(0, MAX_CONCURRENT - background))) void attempt(key)
    } catch (error) {
      if (isReadable) log.warn({ reason: (error as Error).name }, 'the payment journal cannot be read')
      isReadable = false
    } finally {
      isSweeping = false
    }
  }
  const timer = setInterval(sweep, SWEEP_MS).unref()
  void sweep()

  return {
    attempt,
    /** Settles for a waiting request. If it stops waiting, the settlement continues and OutcomeUnknown is thrown. */
    async settleFor(settling: Settling, wait: Wait): Promise<In<'settled'>> {
      const { entry } = settling
      const { key } = entry
      let isOver = false
      const work = track(
        key,
        true,
        settle(settling).finally(() => {
          isOver = true
        }),
      )
      try {
        return await wait(() => work)
      } catch (error) {
        if (isOver) throw error
        const pending = inProgress.get(key)
        if (pending) pending.isAwaited = false
        await journal.owe(entry)
        work.then((settled) => journal.suspend(settled)).catch(() => {})
        throw new OutcomeUnknown('the settlement continues without its request')
      }
    },
    /** The current attempt at a payment that no request waits for; null if there is none. */
    background: (key: string): Promise<boolean> | null =>
      inProgress.get(key)?.isAwaited === false ? attempt(key) : null,
    /** The number of payments being settled, and of those in doubt. */
    counts: () => ({ under_way: inProgress.size, in_doubt }),
    /** Whether the maximum number of settlements is reached. */
    isFull: (): boolean => inProgress.size + in_doubt >= max_settlements,
    /** Leaves unfinished settlements in the journal, for the next start or another process. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await Promise.allSettled([...held].map((entry) => journal.suspend(entry)))
    },
  }
}
