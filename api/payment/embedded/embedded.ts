import type { Facilitator } from '../facilitator.ts'
import type { Payees, RpcUrls } from '../networks.ts'

/** Local chains with test money, under the names and assets of the testnets. */
export type Embedded = {
  facilitator: Facilitator
  rpc: RpcUrls
  payTo: Payees
  /** Secret keys of payers who own test money: two in hexadecimal, that of Solana in base58 as wallets export it. */
  payers: { base: `0x${string}`; solana: string; tempo: `0x${string}` }
  close(): Promise<void>
}
