import type { Address, Hex } from 'viem'
import type { Settlement } from '../journal.ts'
import { PaymentError } from '../payment.ts'

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

/** What a payer signs: the sum of all that the session has bought, and of what this one buys, in base units. */
export type Voucher = { cumulativeAmount: bigint; signature: Hex }

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
  highestVoucher: Voucher | null
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
  /** The sums of vouchers that were sent to the chain, where anybody can copy them: they prove nothing any more. */
  published?: bigint[]
}

/** Why a session does not buy an answer. */
export type Unspent = 'closed' | 'insufficient' | 'exposed'

/** The vouchers of a session are for less than an answer costs, with what it has bought so far. */
export class VoucherTooLow extends PaymentError {
  readonly session: Session

  constructor(session: Session) {
    super('payment-insufficient', 'The vouchers of the session do not cover this answer; sign the next sum.')
    this.session = session
  }
}

/** How many of the last challenges a session remembers; clients that pay in parallel have several. */
const MAX_PAID = 64

/** An answer, the challenge that is paid for it, and the voucher that pays; null if opening the session paid. */
export type Charged = { amount: bigint; challenge_id: string; voucher: Voucher | null }

/** The sum that the next voucher must reach to buy an answer. */
const requiredFor = ({ spent, highestVoucherAmount, published }: Session, amount: bigint): bigint =>
  published?.includes(spent + amount) ? highestVoucherAmount + amount : spent + amount

/** What clients that have missed answers need to go on. */
export const snapshotOf = (session: Session, amount: bigint) => ({
  acceptedCumulative: String(session.highestVoucherAmount),
  chainId: session.chainId,
  channelId: session.channelId,
  deposit: String(session.deposit),
  descriptor: session.descriptor,
  escrow: session.escrowContract,
  requiredCumulative: String(requiredFor(session, amount)),
  settled: String(session.settledOnChain),
  spent: String(session.spent),
  units: session.units,
})

/** A session with a voucher. Of parallel requests the one with the lower sum may come later. */
const withVoucher = (session: Session, voucher: Voucher | null): Session =>
  voucher && voucher.cumulativeAmount > session.highestVoucherAmount
    ? { ...session, highestVoucherAmount: voucher.cumulativeAmount, highestVoucher: voucher }
    : session

/** A session that has bought an answer, or why it cannot. Nobody is trusted with more than `exposure` unsettled. */
export const spend = (
  session: Session | null,
  { amount, challenge_id, voucher, exposure }: Charged & { exposure: bigint },
): Session | Unspent => {
  if (!session || session.finalized || session.closeRequestedAt !== 0n) return 'closed'
  if (session.paid?.includes(challenge_id)) return session
  const sum = voucher?.cumulativeAmount ?? 0n
  if (sum > session.deposit || session.published?.includes(sum)) return 'insufficient'
  const vouched = withVoucher(session, voucher)
  const spent = session.spent + amount
  if (vouched.highestVoucherAmount < spent) return 'insufficient'
  if (spent - session.settledOnChain > exposure) return 'exposed'
  const paid = [...(session.paid ?? []), challenge_id].slice(-MAX_PAID)
  return { ...vouched, spent, units: session.units + 1, paid, active_at: Date.now() }
}
