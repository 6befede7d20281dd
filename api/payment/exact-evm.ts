import type { PaymentRequirements } from '@x402/core/types'
import {
  type Address,
  type Hex,
  hashTypedData,
  isAddressEqual,
  isErc6492Signature,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { z } from 'zod'
import { baseNodeOf } from './base-node.ts'
import { PaymentError, type SignatureState } from './payment.ts'
import type { Rails } from './rails.ts'
import { signerOf } from './recover.ts'

/** A transfer that an x402 payload of scheme `exact` authorizes, checked without the facilitator. */
export type Transfer = {
  key: string
  payer: string
  /** Checks it against the requirements. Throws PaymentError. */
  bind(requirements: PaymentRequirements): Promise<void> | void
  /**
   * The transaction that made exactly this transfer, whoever sent it; null if the chain has none from shortly before it
   * was first sent, in Unix milliseconds.
   */
  find(requirements: PaymentRequirements, since?: number): Promise<string | null>
  /**
   * Whether a transaction made exactly this transfer, by the receipt that our node has; null if it has none yet.
   */
  isMadeBy(transaction: string, requirements: PaymentRequirements): Promise<boolean | null>
  /** Whether our node has a failed transaction already, so that `find` misses nothing before it. */
  hasReached(transaction: string): Promise<boolean>
  /** Whether it is too late for the chain to accept it, given when it was first sent. */
  isExpired(since: number): Promise<boolean>
  /** See `Payment.signature`. */
  signature(): Promise<SignatureState>
  /** Whether its payer signed it recently: see `Payment.isProven`. */
  isProven(): Promise<boolean>
}

const hex = (bytes: number) => z.templateLiteral(['0x', z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`))])
const whole = z.string().regex(/^\d{1,78}$/)
const schema = z.object({
  authorization: z.object({
    from: hex(20),
    to: hex(20),
    value: whole,
    validAfter: whole,
    validBefore: whole,
    nonce: hex(32),
  }),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){64,4096}$/),
})

/** What a payer signs by ERC-3009, as EIP-712 types. */
const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The time that facilitators need to settle. */
const MIN_VALIDITY_SECONDS = 6
/** A journal remembers payments for a day; one that could be presented for longer could be spent twice. */
const MAX_VALIDITY_SECONDS = 3600
/**
 * More than an hour of blocks: no valid authorization was used before. Nodes return the events of this many at once.
 */
const BLOCKS = 2000n
/** The maximum difference between a block's time and the clock, in seconds. */
const EXPIRED_SECONDS = 60n

const abi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

const HASH = /^0x[0-9a-fA-F]{64}$/

type Authorization = z.output<typeof schema>['authorization']

const bind = ({ to, value, validAfter, validBefore }: Authorization, { payTo, amount }: PaymentRequirements): void => {
  const now = Math.floor(Date.now() / 1000)
  if (to.toLowerCase() !== payTo.toLowerCase())
    throw new PaymentError('verification-failed', `The authorization pays ${to}; expected ${payTo}.`)
  if (BigInt(value) !== BigInt(amount))
    throw new PaymentError(
      'payment-insufficient',
      `The authorization must be for exactly ${amount} base units, got ${value}.`,
    )
  if (BigInt(validBefore) < now + MIN_VALIDITY_SECONDS)
    throw new PaymentError('payment-expired', 'The authorization has expired or is about to; sign a new one.')
  if (BigInt(validBefore) > now + MAX_VALIDITY_SECONDS)
    throw new PaymentError(
      'verification-failed',
      'The authorization is valid for too long; it must expire within an hour.',
    )
  if (BigInt(validAfter) >= now)
    throw new PaymentError('verification-failed', 'The authorization is not valid yet; validAfter must be in the past.')
}

/** Reads an EIP-3009 authorization. Throws PaymentError if the payload is none. */
export const readExactEvm = (payload: unknown, rpc: string, rails: Rails): Transfer => {
  const { data } = schema.safeParse(payload)
  if (!data) throw new PaymentError('malformed-credential', 'The payload must be a signed EIP-3009 authorization.')
  const { authorization, signature } = data
  const { from, nonce } = authorization
  const { base } = rails.networks
  const { client, isContract } = baseNodeOf(rpc, rails)

  const signed = {
    domain: { name: base.name, version: base.version, chainId: base.chain_id, verifyingContract: base.asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
    signature: signature as Hex,
  } as const

  /** Without the node. What the payer's key did not sign may be the signature of a wallet that is a contract. */
  const recover = async (): Promise<SignatureState> => {
    const signer = await signerOf(hashTypedData(signed), signed.signature)
    return signer !== null && isAddressEqual(signer, from) ? 'valid' : 'unknown'
  }

  let state: Promise<SignatureState> | undefined
  const signatureState = (): Promise<SignatureState> => {
    state ??= recover()
    return state
  }

  /** Only a contract accepts other signatures than of its key: one that is there, or that the signature creates. */
  const isSigned = async (): Promise<boolean> => {
    if ((await signatureState()) === 'valid') return true
    if (!isErc6492Signature(signed.signature) && !(await isContract(from))) return false
    return client.verifyTypedData({ address: from, ...signed })
  }

  /** Finds the event of its use. */
  const findUse = async (since: number) => {
    const address = base.asset
    const head = await client.getBlockNumber()
    // Base makes a block every two seconds.
    const first = head - BLOCKS - BigInt(Math.max(0, Math.ceil((Date.now() - since) / 1000)))
    const args = { authorizer: from, nonce }
    for (let toBlock = head; toBlock >= 0n && toBlock > first; toBlock -= BLOCKS) {
      const fromBlock = toBlock >= BLOCKS ? toBlock - BLOCKS + 1n : 0n
      const range = { fromBlock, toBlock }
      const [used] = await client.getContractEvents({ address, abi, eventName: 'AuthorizationUsed', args, ...range })
      if (used) return used
    }
    return null
  }

  /** The token emits AuthorizationUsed and, next to it, the Transfer that it allowed. */
  const isPaidIn = ({ logs }: TransactionReceipt, { payTo, amount }: PaymentRequirements): boolean => {
    const events = parseEventLogs({ abi, logs }).filter((log) => isAddressEqual(log.address, base.asset))
    const used = events.find(
      ({ eventName, args }) =>
        eventName === 'AuthorizationUsed' &&
        isAddressEqual(args.authorizer, from) &&
        args.nonce === nonce.toLowerCase(),
    )
    return events.some(
      ({ eventName, args, logIndex }) =>
        eventName === 'Transfer' &&
        logIndex === (used?.logIndex ?? Number.NaN) + 1 &&
        isAddressEqual(args.from, from) &&
        isAddressEqual(args.to, payTo as Address) &&
        args.value === BigInt(amount),
    )
  }

  const find = async (requirements: PaymentRequirements, since = Date.now()): Promise<string | null> => {
    const { asset: address } = base
    const isUsed = await client.readContract({ address, abi, functionName: 'authorizationState', args: [from, nonce] })
    if (!isUsed || !(await isSigned())) return null
    const used = await findUse(since)
    if (!used) return null
    const isPaid = isPaidIn(await client.getTransactionReceipt({ hash: used.transactionHash }), requirements)
    return isPaid ? used.transactionHash : null
  }

  const receiptOf = async (transaction: string): Promise<TransactionReceipt | null> => {
    try {
      return await client.getTransactionReceipt({ hash: transaction as Hex })
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return null
      throw error
    }
  }

  const isMadeBy = async (transaction: string, requirements: PaymentRequirements): Promise<boolean | null> => {
    if (!HASH.test(transaction)) return false
    const receipt = await receiptOf(transaction)
    return receipt && isPaidIn(receipt, requirements)
  }

  const hasReached = async (transaction: string): Promise<boolean> => (await receiptOf(transaction)) !== null

  const isExpired = async (): Promise<boolean> => {
    const { timestamp } = await client.getBlock()
    return timestamp > BigInt(authorization.validBefore) + EXPIRED_SECONDS
  }

  return {
    key: `${base.caip2}/${base.asset}/${from}/${nonce}`.toLowerCase(),
    payer: from.toLowerCase(),
    bind: (requirements) => bind(authorization, requirements),
    find,
    isMadeBy,
    hasReached,
    isExpired,
    signature: signatureState,
    // `bind` limits its validity to an hour, and every payment on the chain in that time is in the journal.
    isProven: isSigned,
  }
}
