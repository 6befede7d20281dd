import type { FastifyBaseLogger } from 'fastify'
import type { Settlement } from '../journal.ts'
import type { Escrow } from './escrow.ts'
import { bookedOf, networkOf, type Session } from './session.ts'
import type { SessionStore } from './store.ts'

/** How often sessions are checked. */
const SWEEP_MS = 1000
/** How often the chain is read for requests of payers to close: Tempo gives the payee 15 minutes. */
const CHAIN_MS = 60_000
/** How often the chain is read for a deposit that is less than a voucher, and may have been added to before a crash. */
const DEPOSIT_MS = 5000
/** The wait after a failed attempt, doubled each time up to the maximum. */
const MIN_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

type SettlingOptions = {
  store: SessionStore
  /** The channels of a session's network; null where that is not accepted any more. */
  escrowOf(session: Session): Escrow | null
  /** After so long without an answer a session is closed, in milliseconds. */
  idle_ms: number
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/**
 * Settles and closes sessions, one transaction of a payer at a time. After each, and after a crash, the books are read
 * from the chain, so that a transaction that was sent and not recorded is recorded then.
 */
export const createSettling = ({ store, escrowOf, idle_ms, log }: SettlingOptions) => {
  const turns = new Map<string, Promise<unknown>>()
  const attempts = new Map<string, { count: number; due: number }>()
  const seen = new Map<string, number>()
  let isClosed = false

  const escrowFor = (session: Session): Escrow => {
    const escrow = escrowOf(session)
    if (!escrow) throw new Error('The network of a session is not accepted.')
    return escrow
  }

  /** Waits for its turn at the sessions of a payer, in this process and others. */
  const alone = async <T>(payer: string, work: () => Promise<T>): Promise<T> => {
    const id = payer.toLowerCase()
    const exclusive = () => store.exclusive(id, work)
    const turn = (turns.get(id) ?? Promise.resolve()).then(exclusive, exclusive)
    const ended = turn.catch(() => {})
    turns.set(id, ended)
    void ended.then(() => turns.get(id) === ended && turns.delete(id))
    return turn
  }

  const update = (id: string, change: (session: Session) => Session): Promise<Session | null> =>
    store.update(id, (session) => {
      if (!session) return { op: 'noop', result: null }
      const value = change(session)
      return { op: 'set', value, result: value }
    })

  /** Takes over from the chain what was settled, and whether it is closed; keeps the times of recorded settlements. */
  const reconcile = async ({ channelId }: Session): Promise<Session | null> => {
    const session = await store.get(channelId)
    if (!session) return null
    const { settlements, total, isClosed: finalized, deposit } = await escrowFor(session).settlementsOf(session)
    const timeOf = ({ transaction }: Settlement, recorded: readonly Settlement[] = []): number =>
      recorded.find((earlier) => earlier.transaction === transaction)?.at ?? Date.now()
    return update(channelId, (current) => ({
      ...current,
      deposit: deposit ?? current.deposit,
      settledOnChain: total,
      finalized,
      settlements: settlements.map((settled) => ({ ...settled, at: timeOf(settled, current.settlements) })),
    }))
  }

  /** A voucher that is sent can be copied from the chain: that it is public is noted before. */
  const publish = (id: string) =>
    update(id, (current) => ({
      ...current,
      published: [...new Set([...(current.published ?? []), current.highestVoucherAmount])],
    }))

  const settle = ({ channelId, payer }: Session): Promise<void> =>
    alone(payer, async () => {
      const session = await store.get(channelId)
      if (!session || session.finalized || session.highestVoucherAmount <= session.settledOnChain) return
      const published = (await publish(channelId)) ?? session
      await escrowFor(published)
        .settle(published)
        .finally(() => reconcile(published))
      log.info({ network: networkOf(session), session: channelId }, 'settled a session')
    })

  /** Closes a session in the turn of its payer. */
  const closeAlone = async (id: string): Promise<void> => {
    const now = BigInt(Math.floor(Date.now() / 1000))
    const session = await update(id, (current) => ({ ...current, closeRequestedAt: current.closeRequestedAt || now }))
    if (!session || session.finalized) return
    // It may have been closed by a process that has died, or by its payer.
    const escrow = escrowFor(session)
    const { isEmpty } = await escrow.stateOf(session)
    try {
      if (!isEmpty) await escrow.close(session)
    } finally {
      await reconcile(session)
    }
    seen.delete(id)
    log.info({ network: networkOf(session), session: id }, 'closed a session')
  }

  /** Closes a session that buys nothing more from now on. An attempt that fails is repeated until it is closed. */
  const close = ({ channelId, payer }: Session): Promise<void> => alone(payer, () => closeAlone(channelId))

  /** Whether a session's deposit is there and not about to be withdrawn, as the chain said at most so long ago. */
  const isFunded = async (session: Session, max_age_ms: number): Promise<boolean> => {
    const { channelId, payer } = session
    if ((seen.get(channelId) ?? 0) > Date.now() - max_age_ms) return true
    const { settled, deposit, closeRequestedAt, isEmpty } = await escrowFor(session).stateOf(session)
    // What was sent before a crash is not in the books yet.
    if (deposit > session.deposit) await update(channelId, (current) => ({ ...current, deposit }))
    const isBooked = settled === session.settledOnChain && settled === bookedOf(session)
    // A deposit that is less was withdrawn while nobody looked.
    if (!isBooked || deposit < session.deposit) await alone(payer, () => reconcile(session))
    if (closeRequestedAt !== 0 || isEmpty) return false
    seen.set(channelId, Date.now())
    return true
  }

  /** Whether a session is to be closed: it is idle, an earlier close failed, or its payer has requested it on the chain. */
  const isDue = async (session: Session): Promise<boolean> => {
    const { active_at = Date.parse(session.createdAt), closeRequestedAt } = session
    if (closeRequestedAt !== 0n || Date.now() > active_at + idle_ms) return true
    // It is being opened, perhaps by another process.
    if (session.deposit === 0n) return false
    return !(await isFunded(session, CHAIN_MS))
  }

  const visit = async (session: Session): Promise<void> => {
    const { channelId, payer } = session
    const { count, due } = attempts.get(channelId) ?? { count: 0, due: 0 }
    if (isClosed || !escrowOf(session) || turns.has(payer.toLowerCase()) || due > Date.now()) return
    try {
      if (await isDue(session)) await close(session)
      attempts.delete(channelId)
    } catch (error) {
      const wait = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** count)
      attempts.set(channelId, { count: count + 1, due: Date.now() + wait })
      log.warn(
        { network: networkOf(session), session: channelId, reason: (error as Error).name },
        'a session cannot be closed yet',
      )
    }
  }

  const sweep = async (): Promise<void> => {
    const sessions = await store.open().catch(() => [])
    // One that waits for its chain does not keep the others waiting.
    for (const session of sessions) void visit(session)
  }
  const timer = setInterval(sweep, SWEEP_MS).unref()

  return {
    alone,
    settle,
    close,
    closeAlone,
    /** Whether the deposit of a session covers a sum, by what the chain said lately. */
    covers: (session: Session, sum: bigint): Promise<boolean> =>
      isFunded(session, sum > session.deposit ? DEPOSIT_MS : 2 * CHAIN_MS),
    /** Waits for transactions that are under way. */
    async end(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await Promise.allSettled(turns.values())
    },
  }
}

export type SessionSettling = ReturnType<typeof createSettling>
