import type { FastifyBaseLogger } from 'fastify'
import type { Settlement } from '../journal.ts'
import type { Escrow } from './escrow.ts'
import type { Session } from './session.ts'
import type { SessionStore } from './store.ts'

/** How often sessions are checked. */
const SWEEP_MS = 1000
/** How often the chain is read for requests of payers to close: Tempo gives the payee 15 minutes. */
const CHAIN_MS = 60_000
/** The wait after a failed attempt, doubled each time up to the maximum. */
const MIN_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

type SettlingOptions = {
  store: SessionStore
  escrow: Escrow
  /** After so long without an answer a session is closed, in milliseconds. */
  idle_ms: number
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/**
 * Settles and closes sessions, one transaction of a session at a time. After each, and after a crash, the books are read
 * from the chain, so that a transaction that was sent and not recorded is recorded then.
 */
export const createSettling = ({ store, escrow, idle_ms, log }: SettlingOptions) => {
  const turns = new Map<string, Promise<unknown>>()
  const attempts = new Map<string, { count: number; due: number }>()
  const seen = new Map<string, number>()
  let isClosed = false

  /** Waits for its turn at a session. */
  const alone = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(id) ?? Promise.resolve()).then(work, work)
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
  const reconcile = async (session: Session): Promise<Session | null> => {
    const { settlements, total, isClosed: finalized } = await escrow.settlementsOf(session)
    const timeOf = ({ transaction }: Settlement, recorded: readonly Settlement[] = []): number =>
      recorded.find((earlier) => earlier.transaction === transaction)?.at ?? Date.now()
    return update(session.channelId, (current) => ({
      ...current,
      settledOnChain: total,
      finalized,
      settlements: settlements.map((settled) => ({ ...settled, at: timeOf(settled, current.settlements) })),
    }))
  }

  const settle = (id: string): Promise<void> =>
    alone(id, async () => {
      const session = await store.get(id)
      if (!session || session.finalized || session.highestVoucherAmount <= session.settledOnChain) return
      await escrow.settle(session).finally(() => reconcile(session))
      log.info({ network: 'tempo', session: id }, 'settled a session')
    })

  /** Closes a session that buys nothing more from now on. An attempt that fails is repeated until it is closed. */
  const close = (id: string): Promise<void> =>
    alone(id, async () => {
      const now = BigInt(Math.floor(Date.now() / 1000))
      const session = await update(id, (current) => ({
        ...current,
        closeRequestedAt: current.closeRequestedAt || now,
      }))
      if (!session || session.finalized) return
      // It may have been closed by a process that has died, or by its payer.
      const { deposit } = await escrow.stateOf(session)
      try {
        if (deposit > 0n) await escrow.close(session)
      } finally {
        await reconcile(session)
      }
      log.info({ network: 'tempo', session: id }, 'closed a session')
    })

  /** Whether a session is to be closed: it is idle, an earlier close failed, or its payer has requested it on the chain. */
  const isDue = async (session: Session): Promise<boolean> => {
    const { channelId, active_at = Date.parse(session.createdAt), closeRequestedAt } = session
    if (closeRequestedAt !== 0n || Date.now() > active_at + idle_ms) return true
    if ((seen.get(channelId) ?? 0) > Date.now() - CHAIN_MS) return false
    const state = await escrow.stateOf(session)
    seen.set(channelId, Date.now())
    // A settlement that was sent before a crash is not in the books yet.
    if (state.settled !== session.settledOnChain) await alone(channelId, () => reconcile(session))
    return state.closeRequestedAt !== 0 || state.deposit === 0n
  }

  const visit = async (session: Session): Promise<void> => {
    const { channelId } = session
    const { count, due } = attempts.get(channelId) ?? { count: 0, due: 0 }
    if (isClosed || turns.has(channelId) || due > Date.now()) return
    try {
      if (await isDue(session)) await close(channelId)
      attempts.delete(channelId)
    } catch (error) {
      const wait = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** count)
      attempts.set(channelId, { count: count + 1, due: Date.now() + wait })
      log.warn(
        { network: 'tempo', session: channelId, reason: (error as Error).name },
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
    /** Waits for transactions that are under way. */
    async end(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await Promise.allSettled(turns.values())
    },
  }
}

export type SessionSettling = ReturnType<typeof createSettling>
