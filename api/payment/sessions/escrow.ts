import type { Settlement } from '../journal.ts'
import type { Session } from './session.ts'

/** What a chain says of a channel, in base units. */
export type ChannelState = {
  /** The sum that the payee has taken. */
  settled: bigint
  deposit: bigint
  /** When its payer announced to withdraw the deposit; 0 unless it did. */
  closeRequestedAt: number
  /** Whether there is nothing to take or to return. */
  isEmpty: boolean
}

/** The channels of one network, from which the payee takes what was spent. */
export type Escrow = {
  stateOf(session: Session): Promise<ChannelState>
  /** What came to the payee by a channel; `deposit` where closing a channel changes it. */
  settlementsOf(
    session: Session,
  ): Promise<{ settlements: Settlement[]; total: bigint; isClosed: boolean; deposit?: bigint }>
  /** Takes what was spent. */
  settle(session: Session): Promise<void>
  /** Takes what was spent, and returns the rest of the deposit to the payer. */
  close(session: Session): Promise<void>
}
