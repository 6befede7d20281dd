import { isAddressEqual } from 'viem'
import { type Charged, type Session, SessionClosed, spend, VoucherTooLow } from './session.ts'
import type { SessionSettling } from './settling.ts'
import type { SessionStore } from './store.ts'

/** How often what a payer owes is settled for one answer, while parallel requests spend too. */
const MAX_SETTLEMENTS = 10

/** The deposit that is proposed to clients, as a multiple of the greatest sum that a payer may owe. */
export const DEPOSITS = 5n

type PurchaseOptions = {
  store: SessionStore
  settling: SessionSettling
  /** The maximum that a payer may owe, in base units. */
  exposure: bigint
}

/** Opens sessions and charges them, whatever their network. */
export const createPurchases = ({ store, settling, exposure }: PurchaseOptions) => ({
  exposure,
  /** Does what opens a session, once the payer's others are closed, so that nobody owes in several. */
  open: (id: string, payer: `0x${string}`, work: () => Promise<void>): Promise<void> =>
    settling.alone(payer, async () => {
      const others = (await store.open()).filter(
        (session) => session.channelId !== id && isAddressEqual(session.payer, payer),
      )
      for (const other of others) await settling.closeAlone(other.channelId)
      await work()
    }),
  /** Charges a session for an answer; settles first what its payer owes, if that would be too much. */
  async charge(id: string, purchase: Charged): Promise<Session> {
    for (let settlements = 0; ; settlements += 1) {
      const result = await store.charge(id, (session) => {
        const spent = spend(session, { ...purchase, exposure })
        return typeof spent === 'string' || spent === session
          ? { op: 'noop', result: spent }
          : { op: 'set', value: spent, result: spent }
      })
      if (typeof result !== 'string') return result
      const session = await store.get(id)
      if (!session || result === 'closed') throw new SessionClosed()
      if (result === 'insufficient' || settlements === MAX_SETTLEMENTS) throw new VoucherTooLow(session)
      await settling.settle(session)
    }
  },
})

export type Purchases = ReturnType<typeof createPurchases>
