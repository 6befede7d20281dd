import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentRequirements } from '@x402/core/types'
import { encodeAbiParameters, type Hex, keccak256, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Account, Address } from '../../ops/networks.ts'
import { baseNodeOf } from '../base-node.ts'
import type { Facilitator } from '../facilitator.ts'
import type { Settlement } from '../journal.ts'
import { OutcomeUnknown } from '../payment.ts'
import type { Rails } from '../rails.ts'
import { CHANNELS, channelAbi, channelTypes, domainOf, SCHEME, WITHDRAW_SECONDS } from './base-channel.ts'
import type { Escrow } from './escrow.ts'
import { type BaseSession, bookedOf } from './session.ts'

/** How often the chain is read for what the facilitator says is there. */
const POLL_MS = 250
/** Nodes return the events of this many blocks at once. */
const BLOCKS = 2000n

const tokenAbi = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)'])

export type Deposit = { channelId: Hex; payer: Address; salt: Hex }

type BaseEscrowOptions = { key: Hex; rails: Rails; facilitator: Facilitator; account: Account<Address> }

/**
 * The channels on Base, by x402's scheme `batch-settlement`: the key signs what the payee takes and returns, and cannot
 * send money elsewhere; the facilitator sends it. What it says is believed when the chain shows it.
 */
export const createBaseEscrow = ({ key, rails, facilitator, account: { payTo, rpc } }: BaseEscrowOptions) => {
  const { caip2, chain_id, asset, name, version } = rails.networks.base
  const account = privateKeyToAccount(key)
  const { client } = baseNodeOf(rpc, rails)
  const domain = domainOf(chain_id)
  const contract = { address: CHANNELS, abi: channelAbi } as const

  /** What a payment must be, for an amount. */
  const requirementsFor = (amount: string, seconds: number, extra: object = {}): PaymentRequirements => ({
    scheme: SCHEME,
    network: caip2,
    asset,
    amount,
    payTo,
    maxTimeoutSeconds: seconds,
    extra: { name, version, receiverAuthorizer: account.address, withdrawDelay: WITHDRAW_SECONDS, ...extra },
  })

  const channelOf = async (id: Hex, blockNumber?: bigint) => {
    const at = blockNumber === undefined ? {} : { blockNumber }
    const [balance, claimed] = await client.readContract({ ...contract, functionName: 'channels', args: [id], ...at })
    return { balance, claimed }
  }
  const receiver = async () => {
    const [claimed, settled] = await client.readContract({
      ...contract,
      functionName: 'receivers',
      args: [payTo, asset],
    })
    return { claimed, settled }
  }
  const refundNonce = (id: Hex) => client.readContract({ ...contract, functionName: 'refundNonce', args: [id] })

  /** Has the facilitator send something, and waits until the chain shows it. */
  const send = async (payload: Record<string, unknown>, isDone: () => Promise<boolean>): Promise<void> => {
    const requirements = requirementsFor('0', 0)
    const sent = { x402Version: 2, accepted: requirements, payload } as const
    const response = await facilitator.settle(sent, requirements).catch(() => null)
    const deadline = performance.now() + rails.settle_ms
    for (;;) {
      if (await isDone()) return
      if (response?.success !== true || performance.now() > deadline)
        throw new OutcomeUnknown(`${payload.type} of a channel is in doubt`)
      await sleep(POLL_MS)
    }
  }

  /** The highest voucher, as the chain takes it, with the sum that was spent. */
  const claimsOf = async ({ channelId, config, highestVoucher, spent }: BaseSession, claimed: bigint) => {
    if (!highestVoucher || spent <= claimed) return { claims: [] }
    const { cumulativeAmount: maxClaimableAmount, signature } = highestVoucher
    const claims = [{ channelId, maxClaimableAmount, totalClaimed: spent }]
    const voucher = { channel: config, maxClaimableAmount: String(maxClaimableAmount) }
    return {
      claims: [{ voucher, signature, totalClaimed: String(spent) }],
      claimAuthorizerSignature: await account.signTypedData({
        domain,
        types: channelTypes,
        primaryType: 'ClaimBatch',
        message: { claims },
      }),
    }
  }

  const claim = async (session: BaseSession): Promise<void> => {
    const { claimed } = await channelOf(session.channelId)
    const signed = await claimsOf(session, claimed)
    if (signed.claims.length === 0) return
    const isDone = async () => (await channelOf(session.channelId)).claimed >= session.spent
    await send({ type: 'claim', ...signed }, isDone)
  }

  /** Moves what was claimed to the payee, of all channels. */
  const collect = async (): Promise<void> => {
    const { claimed, settled } = await receiver()
    if (claimed === settled) return
    await send({ type: 'settle', receiver: payTo, token: asset }, async () => (await receiver()).settled >= claimed)
  }

  /** Returns what was not spent, with a claim of what was. */
  const refund = async (session: BaseSession): Promise<void> => {
    const { channelId, config, highestVoucher } = session
    const [{ balance, claimed }, nonce] = await Promise.all([channelOf(channelId), refundNonce(channelId)])
    const rest = balance - (session.spent > claimed ? session.spent : claimed)
    if (rest <= 0n) return claim(session)
    const voucher = {
      channelId,
      maxClaimableAmount: String(highestVoucher?.cumulativeAmount ?? 0n),
      signature: highestVoucher?.signature ?? '0x',
    }
    const refundAuthorizerSignature = await account.signTypedData({
      domain,
      types: channelTypes,
      primaryType: 'Refund',
      message: { channelId, nonce, amount: rest },
    })
    const signed = { ...(await claimsOf(session, claimed)), refundAuthorizerSignature }
    const amounts = { amount: String(rest), refundNonce: String(nonce) }
    const isDone = async () => (await refundNonce(channelId)) > nonce
    await send({ type: 'refund', channelConfig: config, voucher, ...amounts, ...signed }, isDone)
  }

  /** The last transfer to the payee. */
  const lastTransfer = async (from_block: bigint) => {
    const head = await client.getBlockNumber()
    for (let toBlock = head; toBlock >= from_block; toBlock -= BLOCKS) {
      const fromBlock = toBlock - BLOCKS > from_block ? toBlock - BLOCKS + 1n : from_block
      const args = { receiver: payTo, token: asset }
      const range = { fromBlock, toBlock, strict: true } as const
      const events = await client.getContractEvents({ ...contract, eventName: 'Settled', args, ...range })
      if (events.length > 0) return events.at(-1)!
      if (toBlock < BLOCKS) break
    }
    return null
  }

  /** The transaction that brought the last claim of a channel to the payee; null if none has. */
  const transferOf = async ({ channelId, from_block = 0n }: BaseSession, claimed: bigint): Promise<Hex | null> => {
    const [all, last] = await Promise.all([receiver(), lastTransfer(from_block)])
    if (!last || all.claimed === all.settled) return last?.transactionHash ?? null
    // Something else was claimed since: what this channel had claimed before the transfer was in it.
    const before = await channelOf(channelId, last.blockNumber).catch(() => null)
    return before?.claimed === claimed ? last.transactionHash : null
  }

  return {
    authorizer: account.address,
    requirementsFor,
    channelOf,
    blockNumber: () => client.getBlockNumber(),
    /** Whether the payer's authorization of a deposit was used. */
    hasDeposited: ({ channelId, payer, salt }: Deposit): Promise<boolean> => {
      const nonce = keccak256(
        encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [channelId, BigInt(salt)]),
      )
      return client.readContract({
        address: asset,
        abi: tokenAbi,
        functionName: 'authorizationState',
        args: [payer, nonce],
      })
    },
    async stateOf(session: BaseSession) {
      const { channelId } = session
      const [{ balance, claimed }, [, initiatedAt]] = await Promise.all([
        channelOf(channelId),
        client.readContract({ ...contract, functionName: 'pendingWithdrawals', args: [channelId] }),
      ])
      const isEmpty = balance === claimed && bookedOf(session) === claimed
      return { settled: claimed, deposit: balance, closeRequestedAt: Number(initiatedAt), isEmpty }
    },
    async settlementsOf(session: BaseSession) {
      const { channelId, payer, settlements = [], closeRequestedAt } = session
      const { balance, claimed } = await channelOf(channelId)
      const unbooked = claimed - bookedOf(session)
      const transaction = unbooked > 0n ? await transferOf(session, claimed) : null
      const booked: Settlement[] = transaction
        ? [
            ...settlements,
            { at: Date.now(), network: 'base', transaction, amount: String(unbooked), payer, is_verified: true },
          ]
        : settlements
      const isClosed = closeRequestedAt !== 0n && balance === claimed && (unbooked === 0n || transaction !== null)
      return { settlements: booked, total: claimed, deposit: balance, isClosed }
    },
    async settle(session: BaseSession): Promise<void> {
      await claim(session)
      await collect()
    },
    async close(session: BaseSession): Promise<void> {
      await refund(session)
      await collect()
    },
  } satisfies Escrow & Record<string, unknown>
}

export type BaseEscrow = ReturnType<typeof createBaseEscrow>
