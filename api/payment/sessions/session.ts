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

/** What names a channel on Base, by x402's scheme `batch-settlement`. */
export type ChannelConfig = {
  payer: Address
  /** The key that signs vouchers. */
  payerAuthorizer: Address
  receiver: Address
  receiverAuthorizer: Address
  token: Address
  withdrawDelay: number
  salt: Hex
}

/** A deposit in a channel, from which vouchers buy answers. mppx writes all but the last members. */
type ChannelSession = {
  channelId: Hex
  chainId: number
  escrowContract: Address
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
  /** Credentials that have bought an answer lately: they get it again and buy nothing more. */
  paid?: string[]
  /** When it bought its last answer, in Unix milliseconds. */
  active_at?: number
  /** The block after which it was opened. */
  from_block?: bigint
  settlements?: Settlement[]
  /** What had come to the payee before the first settlement of these. */
  settled_before?: bigint
  /** The sums of vouchers that were sent to the chain, where anybody can copy them: they prove nothing any more. */
  published?: bigint[]
}

export type TempoSession = ChannelSession & { descriptor: Descriptor }
export type BaseSession = ChannelSession & { config: ChannelConfig }
export type Session = TempoSession | BaseSession

export const isOnBase = (session: Session): session is BaseSession => 'config' in session

export const networkOf = (session: Session): 'base' | 'tempo' => (isOnBase(session) ? 'base' : 'tempo')

/** The sum that has come to the payee, by the books. */
export const bookedOf = ({ settlements = [], settled_before = 0n }: Session): bigint =>
  settlements.reduce((sum, { amount }) => sum + BigInt(amount), settled_before)

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

/** A session that buys nothing more. */
export class SessionClosed extends PaymentError {
  constructor() {
    super('invalid-challenge', 'The session is closed; open another.')
  }
}

/** A channel that no session is of, and that the chain has no deposit of for what is signed. */
export class UnknownChannel extends SessionClosed {}

/** How many of the last credentials a session remembers; clients that pay in parallel have several. */
const MAX_PAID = 64

/** An answer, the id of the credential that pays for it, and its voucher; null if opening the session paid. */
export type Charged = { amount: bigint; id: string; voucher: Voucher | null }

/** The sum that the next voucher must reach to buy an answer. */
const requiredFor = ({ spent, highestVoucherAmount, published }: TempoSession, amount: bigint): bigint =>
  published?.includes(spent + amount) ? highestVoucherAmount + amount : spent + amount

/** What clients that have missed answers need to go on. */
export const snapshotOf = (session: TempoSession, amount: bigint) => ({
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
  { amount, id, voucher, exposure }: Charged & { exposure: bigint },
): Session | Unspent => {
  if (!session || session.finalized || session.closeRequestedAt !== 0n) return 'closed'
  if (session.paid?.includes(id)) return session
  const sum = voucher?.cumulativeAmount ?? 0n
  if (sum > session.deposit || session.published?.includes(sum)) return 'insufficient'
  const vouched = withVoucher(session, voucher)
  const spent = session.spent + amount
  // On Base clients sign one sum after another: each voucher is for one answer more than the last.
  if (vouched.highestVoucherAmount < spent || (isOnBase(session) && sum !== spent)) return 'insufficient'
  if (spent - session.settledOnChain > exposure) return 'exposed'
  const paid = [...(session.paid ?? []), id].slice(-MAX_PAID)
  return { ...vouched, spent, units: session.units + 1, paid, active_at: Date.now() }
}
