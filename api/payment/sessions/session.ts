import type { Address, Hex } from 'viem'
import type { Settlement } from '../journal.ts'

/** What names a channel on its chain, by TIP-1034. */
export type Descriptor = {
  payer: Address
  payee: Address
  operator: Address
  token: Address
  salt: Hex
  authorizedSigner: Address
  expiringNonceHash: Hex
}

/** A session: one deposit on Tempo, from which vouchers buy answers. mppx writes all but the last members. */
export type Session = {
  channelId: Hex
  chainId: number
  escrowContract: Address
  descriptor: Descriptor
  payer: Address
  deposit: bigint
  /** What the vouchers allow, what answers have cost, and what has come to the payee, in base units. */
  highestVoucherAmount: bigint
  highestVoucher: { cumulativeAmount: bigint; signature: Hex } | null
  spent: bigint
  settledOnChain: bigint
  /** The number of answers. */
  units: number
  /** Zero unless it is being closed. */
  closeRequestedAt: bigint
  finalized: boolean
  createdAt: string
  /** Challenges that have bought an answer lately: their credentials get it again and buy nothing more. */
  paid?: string[]
  /** When it bought its last answer, in Unix milliseconds. */
  active_at?: number
  /** The block after which it was opened. */
  from_block?: bigint
  settlements?: Settlement[]
}

/** Why a session does not buy an answer. */
export type Unspent = 'closed' | 'insufficient' | 'exposed'

/** How many of the last challenges a session remembers; clients that pay in parallel have several. */
const MAX_PAID = 64

/** An answer, and the challenge that is paid for it. */
export type Charged = { amount: bigint; challenge_id: string }

/** What clients that have missed answers need to go on: the sum that the next voucher must reach. */
export const snapshotOf = (session: Session, amount: bigint) => ({
  acceptedCumulative: String(session.highestVoucherAmount),
  chainId: session.chainId,
  channelId: session.channelId,
  deposit: String(session.deposit),
  descriptor: session.descriptor,
  escrow: session.escrowContract,
  requiredCumulative: String(session.spent + amount),
  settled: String(session.settledOnChain),
  spent: String(session.spent),
  units: session.units,
})

/** A session that has bought an answer, or why it cannot. Nobody is trusted with more than `exposure` unsettled. */
export const spend = (
  session: Session | null,
  { amount, challenge_id, exposure }: Charged & { exposure: bigint },
): Session | Unspent => {
  if (!session || session.finalized || session.closeRequestedAt !== 0n) return 'closed'
  if (session.paid?.includes(challenge_id)) return session
  const spent = session.spent + amount
  if (session.highestVoucherAmount < spent) return 'insufficient'
  if (spent - session.settledOnChain > exposure) return 'exposed'
  const paid = [...(session.paid ?? []), challenge_id].slice(-MAX_PAID)
  return { ...session, spent, units: session.units + 1, paid, active_at: Date.now() }
}
