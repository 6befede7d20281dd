import type { Facilitator } from './facilitator.ts'
import type { Networks, Payees, RpcUrls } from './networks.ts'

/** What payments run on: the chains, whom they pay, and who carries them there. */
export type Rails = {
  networks: Networks
  payTo: Payees
  rpc: RpcUrls
  facilitator: Facilitator
  /** Keys of MPP challenges, the one in use first. */
  secrets: readonly string[]
  /** Longest that one call to a facilitator or a chain may take, in milliseconds. */
  settle_ms: number
}
