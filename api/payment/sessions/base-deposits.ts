import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import type { Facilitator } from '../facilitator.ts'
import { type PaymentOffer, TIMEOUT_SECONDS } from '../offer.ts'
import { OutcomeUnknown } from '../payment.ts'
import type { Rails } from '../rails.ts'
import { isFinal, refused } from '../x402.ts'
import { CHANNELS } from './base-channel.ts'
import type { BaseCredential } from './base-credential.ts'
import type { BaseEscrow } from './base-escrow.ts'
import type { Purchases } from './purchases.ts'
import { type BaseSession, isOnBase, SessionClosed, UnknownChannel, VoucherTooLow } from './session.ts'
import type { SessionSettling } from './settling.ts'
import type { SessionStore } from './store.ts'

/** How often the chain is read for a deposit that the facilitator says is there. */
const POLL_MS = 250

/** What sessions on Base need. */
export type BaseOptions = {
  rails: Rails
  facilitator: Facilitator
  store: SessionStore
  escrow: BaseEscrow
  settling: SessionSettling
  purchases: Purchases
}

export const isOpen = ({ finalized, closeRequestedAt, spent, settledOnChain }: BaseSession): boolean =>
  // After a power failure the chain may know of more than was written.
  !finalized && closeRequestedAt === 0n && spent >= settledOnChain

/** Opens channels on Base and fills them. */
export const createBaseDeposits = (options: BaseOptions) => {
  const { rails, facilitator, store, escrow, settling, purchases } = options
  const termsFor = ({ amount }: PaymentOffer) => escrow.requirementsFor(amount, TIMEOUT_SECONDS)

  const depositOf = ({ channelConfig, voucher, ...payload }: BaseCredential['payload']) =>
    payload.type === 'deposit'
      ? {
          channelId: voucher.channelId,
          payer: channelConfig.payer,
          salt: payload.deposit.authorization.erc3009Authorization.salt,
        }
      : null

  /** A session of a channel in which nothing was paid yet. */
  const newSession = ({ payload: { channelConfig, voucher } }: BaseCredential): BaseSession => ({
    channelId: voucher.channelId,
    chainId: rails.networks.base.chain_id,
    escrowContract: CHANNELS,
    config: channelConfig,
    payer: channelConfig.payer,
    deposit: 0n,
    highestVoucherAmount: 0n,
    highestVoucher: null,
    spent: 0n,
    settledOnChain: 0n,
    units: 0,
    closeRequestedAt: 0n,
    finalized: false,
    createdAt: new Date().toISOString(),
  })

  const payloadFor = ({ sent }: BaseCredential, offer: PaymentOffer): PaymentPayload => ({
    x402Version: 2,
    payload: sent,
    accepted: termsFor(offer),
    resource: { url: offer.url },
  })

  /** Checks that a voucher is for the next sum, and that the deposit covers it. Returns whether its session is open. */
  const verify = async (sent: BaseCredential, session: BaseSession | null, offer: PaymentOffer): Promise<boolean> => {
    const { payload } = sent
    const sum = payload.voucher.maxClaimableAmount
    const amount = BigInt(offer.amount)
    const current = session && isOpen(session) ? session : null
    if (current && sum !== current.spent + amount) throw new VoucherTooLow(current)
    if (current && payload.type === 'voucher') {
      if (await settling.covers(current, sum)) return true
      throw new SessionClosed()
    }
    const { deposit: balance, settled, closeRequestedAt } = await escrow.stateOf(current ?? newSession(sent))
    const deposit = depositOf(payload)
    const isDeposited = deposit === null || (await escrow.hasDeposited(deposit))
    const added = payload.type === 'deposit' && !isDeposited ? payload.deposit.amount : 0n
    if (sum !== (current?.spent ?? settled) + amount || sum > balance + added || closeRequestedAt !== 0)
      throw new UnknownChannel()
    if (isDeposited) return false
    const { isValid, invalidReason } = await facilitator.verify(payloadFor(sent, offer), termsFor(offer))
    if (!isValid) throw refused('The deposit cannot be made', invalidReason)
    return false
  }

  /** Has the facilitator send a deposit, once. */
  const makeDeposit = async (sent: BaseCredential, offer: PaymentOffer): Promise<SettleResponse | null> => {
    const deposit = depositOf(sent.payload)
    if (!deposit || (await escrow.hasDeposited(deposit))) return null
    const response = await facilitator.settle(payloadFor(sent, offer), termsFor(offer)).catch(() => null)
    const deadline = performance.now() + rails.settle_ms
    for (;;) {
      if (await escrow.hasDeposited(deposit)) return response
      if (response?.success !== true || performance.now() > deadline) break
      await sleep(POLL_MS)
    }
    if (response && !response.success && isFinal(response))
      throw refused('The deposit could not be made', response.errorReason, response.transaction)
    throw new OutcomeUnknown('a deposit is in doubt')
  }

  /** Opens a session, or one that was closed again. It is written first: a deposit that is made will be found again. */
  const open = async (sent: BaseCredential, offer: PaymentOffer): Promise<string> => {
    const { channelConfig, voucher } = sent.payload
    const id = voucher.channelId
    let transaction = ''
    await purchases.open(id, channelConfig.payer, async () => {
      const from_block = await escrow.blockNumber()
      const { balance, claimed } = await escrow.channelOf(id)
      const opened = { deposit: balance, closeRequestedAt: 0n, finalized: false, active_at: Date.now() }
      const blank = { paid: [], published: [], highestVoucher: null }
      const sums = { spent: claimed, settledOnChain: claimed, highestVoucherAmount: claimed }
      await store.update(id, (found) => {
        const session = found && isOnBase(found) ? found : null
        const previous = session ?? { ...newSession(sent), from_block, settled_before: claimed }
        const value = isOpen(previous) && session ? previous : { ...previous, ...blank, ...sums }
        return { op: 'set', value: { ...value, ...opened }, result: null }
      })
      const response = await makeDeposit(sent, offer)
      transaction = response?.transaction ?? ''
      const deposit = (await escrow.channelOf(id)).balance
      await store.update(id, (session) =>
        session ? { op: 'set', value: { ...session, deposit }, result: null } : { op: 'noop', result: null },
      )
    })
    return transaction
  }

  return { verify, open }
}
