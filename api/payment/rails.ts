import type { Accounts, Networks } from '../ops/networks.ts'
import type { Facilitator } from './facilitator.ts'

/** What payments run on: the chains, the payees, and the facilitator. */
export type Rails = {
  networks: Networks
  accounts: Accounts
  /** Null if neither Base nor Solana is accepted. */
  facilitator: Facilitator | null
  /** Keys of MPP challenges, the current one first; none if Tempo is not accepted. */
  secrets: readonly string[]
  /** The maximum duration of a call to a facilitator or a chain, in milliseconds. */
  settle_ms: number
}
