import type { Facilitator } from './facilitator.ts'
import type { Accounts, Networks } from './networks.ts'

/** What payments run on: the chains, whom they pay, and who carries them there. */
export type Rails = {
  networks: Networks
  accounts: Accounts
  /** Null where neither Base nor Solana is accepted. */
  facilitator: Facilitator | null
  /** Keys of MPP challenges, the one in use first; none where Tempo is not accepted. */
  secrets: readonly string[]
  /** Longest that one call to a facilitator or a chain may take, in milliseconds. */
  settle_ms: number
}
