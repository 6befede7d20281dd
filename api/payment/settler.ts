import type { FastifyBaseLogger } from 'fastify'
import { readSent } from './credential.ts'
import type { Entry, In, Journal } from './journal.ts'
import type { Offer } from './offer.ts'
import { OutcomeUnknown, type Payment, PaymentError } from './payment.ts'
import type { Rails } from './rails.ts'

/** How often payments in doubt are looked for, in milliseconds. */
const SWEEP_MS = 1000
/** Payments in doubt that are settled at once. */
const AT_ONCE = 8
/** How long an attempt waits after one that came to nothing, in milliseconds; doubled each time up to the maximum. */
const BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

/** A payment that a request holds, about to be settled. */
export type Settling = { entry: In<'settling'>; payment: Payment; offer: Offer }

/** Waits for a settlement as long as a request may; throws where that is too long or its client left. */
type Wait = (work: () => Promise<In<'settled'>>) => Promise<In<'settled'>>

export type Settler = ReturnType<typeof createSettler>

type Options = {
  rails: Rails
  journal: Journal
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Payments under way and in doubt, beyond which no new one is to be taken. */
  max_settlements: number
}

/**
 * Settles payments: those of requests that wait for them, and in the background those that no request waits for any more,
 * until it is known whether they were made. The journal is the queue, so that a restart or another process goes on.
 */
export const createSettler = ({ rails, journal, log, max_settlements }: Options) => {
  const underWay = new Map<string, { work: Promise<unknown>; isAwaited: boolean }>()
  /** What is being settled, and thus held. */
  const held = new Set<In<'settling'>>()
  /** Attempts that came to nothing, by key: how many, and when the next is due. */
  const attempts = new Map<string, { count: number; due: number }>()
  /** Payments in doubt that nobody holds, when they were last counted. */
  let in_doubt = 0
  let isClosed = false

  /** Leaves a payment in doubt to a later attempt. */
  const postpone = async (entry: In<'settling'>): Promise<void> => {
    const count = (attempts.get(entry.key)?.count ?? 0) + 1
    attempts.set(entry.key, { count, due: Date.now() + Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (count - 1)) })
    in_doubt += 1
    await journal.suspend(entry)
  }

  /** Settles a payment that is held, and holds it still where it is settled. Throws PaymentError, or any other error in doubt. */
  const settle = async ({ entry, payment, offer }: Settling): Promise<In<'settled'>> => {
    const { network, payer } = payment
    held.add(entry)
    try {
      // Journals of earlier versions do not say since when.
      const { transaction, receipt } = await payment.settle(offer, entry.sent?.since ?? Date.now())
      if (isClosed) throw new OutcomeUnknown('the service is closing')
      const settlement = { at: Date.now(), network, transaction, amount: offer.amount, payer }
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
    underWay.set(key, { work, isAwaited })
    const end = () => void underWay.delete(key)
    work.then(end, end)
    return work
  }

  /** Settles a payment that was taken up, where it was sent. */
  const goOn = async (entry: Exclude<Entry, In<'delivered'>>): Promise<void> => {
    // A claim of a request that died came to nothing.
    if (entry.state === 'claimed') return journal.release(entry)
    if (entry.state === 'settled') return journal.suspend(entry)
    // Payments of earlier versions were not kept: their clients must present them.
    if (!entry.sent) return postpone(entry)
    const { network, offer } = entry.sent
    const payment = await readSent(entry.sent, rails).catch(() => null)
    if (!payment) {
      log.warn({ network }, 'a payment is in doubt on a network that is not accepted any more')
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

  /** Takes up a payment that nobody holds, and settles it where it was sent. Whether nobody held it. */
  const takeUp = async (key: string): Promise<boolean> => {
    const entry = await journal.takeUp(key)
    if (entry) await goOn(entry)
    return entry !== null
  }

  /**
   * Takes a payment up now, unless that is under way. Ends when nothing here is at work on it any more; never throws. False
   * where somebody else holds it.
   */
  const attempt = async (key: string): Promise<boolean> => {
    const work = underWay.get(key)?.work ?? track(key, false, takeUp(key))
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
      const found = await journal.inDoubt(max_settlements)
      in_doubt = found.length
      isReadable = true
      const now = Date.now()
      for (const [key, { due }] of attempts) if (now > due + MAX_BACKOFF_MS) attempts.delete(key)
      const background = [...underWay.values()].filter(({ isAwaited }) => !isAwaited).length
      const due = found.filter((key) => !underWay.has(key) && (attempts.get(key)?.due ?? 0) <= now)
      for (const key of due.slice(0, Math.max(0, AT_ONCE - background))) void attempt(key)
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
    /** Settles for a request that waits. Where it stops waiting, the settlement goes on: throws OutcomeUnknown then. */
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
        const known = underWay.get(key)
        if (known) known.isAwaited = false
        await journal.owe(entry)
        work.then((settled) => journal.suspend(settled)).catch(() => {})
        throw new OutcomeUnknown('the settlement goes on without its request')
      }
    },
    /** The end of an attempt at a payment that no request waits for; null where there is none. */
    background: (key: string): Promise<boolean> | null =>
      underWay.get(key)?.isAwaited === false ? attempt(key) : null,
    /** Payments whose settlement is under way, and those in doubt. */
    counts: () => ({ under_way: underWay.size, in_doubt }),
    /** Whether so many settlements are open that no new payment may be taken. */
    isFull: (): boolean => underWay.size + in_doubt >= max_settlements,
    /** Leaves what is under way to the journal, for the next start or another process. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await Promise.allSettled([...held].map((entry) => journal.suspend(entry)))
    },
  }
}
