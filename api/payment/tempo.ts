import {
  type Address,
  BaseError,
  createClient,
  decodeFunctionData,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  type Log,
  parseAbi,
  parseEventLogs,
  RpcRequestError,
  stringToHex,
  TransactionReceiptNotFoundError,
} from 'viem'
import { call, getBlock, getTransactionReceipt, sendRawTransactionSync } from 'viem/actions'
import { Chain, Transaction } from 'viem/tempo'
import type { ChargeRequest } from './offer.ts'
import { OutcomeUnknown, PaymentError, type SignatureState } from './payment.ts'
import type { Rails } from './rails.ts'

const calls = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferWithMemo(address to, uint256 amount, bytes32 memo)',
])
const events = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

/** How far the clock of a chain may lag ours. */
const MAX_LAG_MS = 10_000

const transactionOf = (signed: `0x76${string}`) => {
  try {
    const transaction = Transaction.deserialize(signed)
    if (transaction.from) return { ...transaction, from: transaction.from }
  } catch {}
  throw new PaymentError('malformed-credential', 'The payload must be a Tempo transaction signed by its sender.')
}

const recipientAndAmount = (data: Hex | undefined) => {
  try {
    const { args } = decodeFunctionData({ abi: calls, data: data ?? '0x' })
    return { to: args[0], amount: args[1] }
  } catch {
    throw new PaymentError('verification-failed', 'The transaction must be a single transfer of the offered token.')
  }
}

/** Whether a node rejected a call, rather than not answering or having the transaction already. */
export const isRejected = (error: unknown): boolean => {
  const cause = error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : null
  return cause instanceof RpcRequestError && !/already|known|timed? ?out/i.test(cause.details)
}

/** The tag and version that begin every MPP memo. The last seven bytes are from the hash of the challenge's id. */
const MPP_MEMO = '0xef1ed71201'

/** Whether a transfer names a challenge in its memo; null if it names none. */
const isForChallenge = (data: Hex | undefined, challenge_id: string): boolean | null => {
  const { args } = decodeFunctionData({ abi: calls, data: data ?? '0x' })
  const [, , memo = '0x'] = args
  if (!memo.startsWith(MPP_MEMO)) return null
  return memo.slice(-14) === keccak256(stringToHex(challenge_id)).slice(2, 16)
}

type Mined = { status: 'success' | 'reverted' | 'pending'; logs: Log[]; blockNumber: bigint }
type TransactionCall = { to?: Address | null | undefined; data?: Hex | undefined; value?: bigint | undefined }

const bind = (
  sent: { chainId?: number | undefined; calls?: readonly TransactionCall[] | undefined },
  charge: ChargeRequest,
  challenge_id: string,
): void => {
  const [transfer, ...others] = sent.calls ?? []
  if (sent.chainId !== charge.methodDetails.chainId)
    throw new PaymentError(
      'verification-failed',
      `The transaction is for another chain; expected ${charge.methodDetails.chainId}.`,
    )
  if (!transfer?.to || others.length > 0 || !isAddressEqual(transfer.to, charge.currency) || transfer.value)
    throw new PaymentError('verification-failed', 'The transaction must be a single transfer of the offered token.')
  const { to, amount } = recipientAndAmount(transfer.data)
  if (!isAddressEqual(to, charge.recipient))
    throw new PaymentError('verification-failed', `The transaction pays ${to}; expected ${charge.recipient}.`)
  if (amount !== BigInt(charge.amount))
    throw new PaymentError(
      'payment-insufficient',
      `The transfer must be exactly ${charge.amount} base units, got ${amount}.`,
    )
  // Whoever copies a transaction from the chain has a challenge of their own.
  if (isForChallenge(transfer.data, challenge_id) === false)
    throw new PaymentError('invalid-challenge', 'The memo of the transaction names another challenge; pay the new one.')
}

/**
 * Reads a transfer of a TIP-20 token in a signed Tempo transaction. Current clients put their challenge into its memo;
 * older ones do not, so a transaction belongs to the challenge that it is spent with. One that was mined before the
 * challenge was `issued`, in Unix milliseconds, paid for something else.
 */
export const readTempoTransfer = async (
  signed: `0x76${string}`,
  { issued, rpc }: { issued: number; rpc: string },
  { networks: { tempo }, settle_ms }: Rails,
) => {
  const transaction = transactionOf(signed)
  const payer = transaction.from
  const chain = tempo.chain_id === Chain.mainnet.id ? Chain.mainnet : Chain.testnet
  const client = createClient({ chain, transport: http(rpc, { retryCount: 0, timeout: settle_ms }) })
  // Nodes hash the canonical encoding, whatever the encoding of the received signature.
  const serializedTransaction = (await Transaction.serialize(transaction)) as `0x76${string}`
  const hash = keccak256(serializedTransaction)

  const isPaid = ({ status, logs }: Mined, charge: ChargeRequest): boolean =>
    status === 'success' &&
    parseEventLogs({ abi: events, logs, eventName: 'Transfer' }).some(
      ({ address, args }) =>
        isAddressEqual(address, charge.currency) &&
        isAddressEqual(args.from, payer) &&
        isAddressEqual(args.to, charge.recipient) &&
        args.value === BigInt(charge.amount),
    )

  /** Signatures by access keys and of several owners are left to the node. */
  const signature = (): SignatureState => {
    const { signature: signed } = transaction
    if (!signed || signed.type === 'keychain' || signed.type === 'configurable') return 'unknown'
    const { z_SignatureEnvelope: envelope, z_TxEnvelopeTempo: envelopes } = Transaction
    try {
      const payload = envelopes.getSignPayload(envelopes.deserialize(serializedTransaction))
      return envelope.verify(signed, { payload, address: payer }) ? 'valid' : 'forged'
    } catch {
      return 'forged'
    }
  }

  /** Its receipt if it was mined, whoever sent it. */
  const mined = async (): Promise<Mined | null> => {
    const receipt = await getTransactionReceipt(client, { hash }).catch((error) => {
      if (error instanceof TransactionReceiptNotFoundError) return null
      throw error
    })
    if (!receipt) return null
    const { timestamp } = await getBlock(client, { blockNumber: receipt.blockNumber })
    return Number(timestamp) * 1000 >= issued - MAX_LAG_MS ? receipt : null
  }

  /** The refusal of a transaction that the chain rejected: because it has expired, else for `reason`. */
  const rejection = (reason: string): PaymentError => {
    const { validBefore } = transaction
    return validBefore !== undefined && validBefore * 1000 <= Date.now()
      ? new PaymentError(
          'payment-expired',
          'The transaction expired before it was mined; nothing was charged: pay again.',
        )
      : new PaymentError('verification-failed', reason)
  }

  const send = async (): Promise<Mined> => {
    try {
      return await sendRawTransactionSync(client, { serializedTransaction })
    } catch (error) {
      const receipt = await mined()
      if (receipt) return receipt
      if (isRejected(error)) throw rejection('The chain rejected the transaction.')
      throw new OutcomeUnknown('the transaction was sent to Tempo, which did not report its outcome')
    }
  }

  return {
    key: `eip155:${tempo.chain_id}/${hash}`,
    payer: payer.toLowerCase(),
    bind: (charge: ChargeRequest, challenge_id: string) => bind(transaction, charge, challenge_id),
    /**
     * Whether its sender signed it for a challenge. Signatures by access keys or of several owners, and transactions of
     * old clients, cannot prove it.
     */
    isProven: (challenge_id: string): boolean =>
      signature() === 'valid' && isForChallenge(transaction.calls?.[0]?.data, challenge_id) === true,
    signature,
    /** Simulates it on the chain's state. Throws PaymentError if it would fail. */
    async verify(): Promise<void> {
      const { signature: _, feePayerSignature: __, ...unsigned } = transaction
      try {
        await call(client, { ...unsigned, account: payer, blockTag: 'pending' })
      } catch (error) {
        if (await mined()) return
        if (!isRejected(error)) throw error
        throw rejection('The transaction would fail; check the balance of its sender.')
      }
    },
    /** Sends it, and checks its receipt against the offer. Returns the transaction's hash. */
    async settle(charge: ChargeRequest): Promise<string> {
      const receipt = await send()
      if (receipt.status === 'pending') throw new OutcomeUnknown('Tempo has not mined the transaction yet')
      if (!isPaid(receipt, charge)) throw new PaymentError('verification-failed', 'The transaction failed.')
      return hash
    },
  }
}
