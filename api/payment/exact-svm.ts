import { createHash } from 'node:crypto'
import {
  type Address,
  blockhash,
  createSolanaRpc,
  getAddressEncoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  isSignature,
  verifySignature,
} from '@solana/kit'
import type { PaymentRequirements } from '@x402/core/types'
import { z } from 'zod'
import type { Transfer } from './exact-evm.ts'
import { PaymentError, type SignatureState } from './payment.ts'
import type { Rails } from './rails.ts'

const schema = z.object({ transaction: z.base64().max(4096) })

export const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address
/** An instruction of the token programs; the amount is in its next eight bytes. */
const TRANSFER_CHECKED = 12
/** A transaction is valid for 150 blocks, about a minute; an older one is another payment. */
const MAX_AGE_SECONDS = 600
/** Signatures per page, newest first. */
const PAGE_SIZE = 50
/** Pages searched before the outcome of a payment counts as unknown. */
const MAX_PAGES = 100

const malformed = () =>
  new PaymentError('malformed-credential', 'The payload must be a Solana transaction with one TransferChecked.')

type TokenTransfer = {
  program: Address
  source: Address
  mint: Address
  destination: Address
  owner: Address
  amount: bigint
}

const decode = (transaction: string) => getTransactionDecoder().decode(getBase64Encoder().encode(transaction))

const messageBytesOf = (transaction: string): Uint8Array => Uint8Array.from(decode(transaction).messageBytes)

/** The one token transfer of a message. Addresses from lookup tables are not followed. */
const transferOf = (message: Uint8Array): TokenTransfer => {
  const decoded = getCompiledTransactionMessageDecoder().decode(message)
  const instructions = 'instructions' in decoded ? decoded.instructions : []
  const { staticAccounts } = decoded
  const transfers = instructions.flatMap(({ programAddressIndex, accountIndices = [], data }) => {
    const program = staticAccounts[programAddressIndex]
    const [source, mint, destination, owner] = accountIndices.map((index) => staticAccounts[index])
    const isTransfer = data?.[0] === TRANSFER_CHECKED && data.byteLength === 10
    return isTransfer && program && TOKEN_PROGRAMS.includes(program) && source && mint && destination && owner
      ? [{ program, source, mint, destination, owner, amount: Buffer.from(Uint8Array.from(data)).readBigUInt64LE(1) }]
      : []
  })
  const [transfer] = transfers
  if (!transfer || transfers.length > 1) throw malformed()
  return transfer
}

/** The account in which a wallet keeps a token, by the Associated Token Account program. */
export const accountOf = async (owner: Address, mint: Address, program: Address): Promise<Address> => {
  const seeds = [owner, program, mint].map((address) => getAddressEncoder().encode(address))
  return (await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds }))[0]
}

const bind = async (
  { program, mint, destination, amount }: TokenTransfer,
  requirements: PaymentRequirements,
): Promise<void> => {
  if (mint !== requirements.asset || destination !== (await accountOf(requirements.payTo as Address, mint, program)))
    throw new PaymentError('verification-failed', 'The transaction must pay the payee of the offer in its token.')
  if (amount !== BigInt(requirements.amount))
    throw new PaymentError(
      'payment-insufficient',
      `The transfer must be exactly ${requirements.amount} base units, got ${amount}.`,
    )
}

/** Reads a transfer of an SPL token, signed by all but the fee payer. Throws PaymentError if the payload is none. */
export const readExactSvm = (payload: unknown, rpc: string, { networks: { solana }, settle_ms }: Rails): Transfer => {
  const { data } = schema.safeParse(payload)
  if (!data) throw malformed()
  let message: Uint8Array
  let transfer: TokenTransfer
  try {
    message = messageBytesOf(data.transaction)
    transfer = transferOf(message)
  } catch {
    throw malformed()
  }
  const chain = createSolanaRpc(rpc)
  const withTimeout = () => ({ abortSignal: AbortSignal.timeout(settle_ms) })

  /** Whether a transaction has this message and succeeded; null if the node does not have it. */
  const isMadeBy = async (transaction: string): Promise<boolean | null> => {
    if (!isSignature(transaction)) return false
    const options = { encoding: 'base64', maxSupportedTransactionVersion: 0, commitment: 'confirmed' } as const
    const settled = await chain.getTransaction(transaction, options).send(withTimeout())
    if (!settled) return null
    return settled.meta?.err === null && Buffer.from(messageBytesOf(settled.transaction[0])).equals(message)
  }

  const find = async (requirements: PaymentRequirements, since?: number): Promise<string | null> => {
    await bind(transfer, requirements)
    const first = (since ?? Date.now()) / 1000 - MAX_AGE_SECONDS
    const last = first + 2 * MAX_AGE_SECONDS
    // A payment that was never sent from here is searched for on one page only.
    const pages = since === undefined ? 1 : MAX_PAGES
    let before = {}
    for (let page = 0; page < pages; page += 1) {
      const options = { limit: PAGE_SIZE, commitment: 'confirmed', ...before } as const
      const signatures = await chain.getSignaturesForAddress(transfer.source, options).send(withTimeout())
      for (const { signature, err, blockTime } of signatures) {
        const time = Number(blockTime ?? 0)
        if (time < first) return null
        if (err === null && time <= last && (await isMadeBy(signature))) return signature
      }
      const oldest = signatures.at(-1)
      if (!oldest || signatures.length < PAGE_SIZE) return null
      before = { before: oldest.signature }
    }
    if (since === undefined) return null
    throw new Error('the account has too many transactions to search')
  }

  // A message that failed on the chain can never succeed there.
  const hasReached = async (): Promise<boolean> => true

  const isExpired = async (since: number): Promise<boolean> => Date.now() > since + MAX_AGE_SECONDS * 1000

  const signatureState = async (): Promise<SignatureState> => {
    const { signatures, messageBytes } = decode(data.transaction)
    const signature = signatures[transfer.owner]
    if (!signature) return 'forged'
    const key = await getPublicKeyFromAddress(transfer.owner)
    return (await verifySignature(key, signature, messageBytes)) ? 'valid' : 'forged'
  }

  // Every payment on the chain whose blockhash is still valid is in the journal.
  const isProven = async (): Promise<boolean> => {
    if ((await signatureState()) !== 'valid') return false
    const { lifetimeToken } = getCompiledTransactionMessageDecoder().decode(message)
    const options = { commitment: 'confirmed' } as const
    return (await chain.isBlockhashValid(blockhash(lifetimeToken), options).send(withTimeout())).value
  }

  // The payer does not control the fee payer's signature, so the message identifies what is spent.
  const key = `${solana.caip2}/${createHash('sha256').update(message).digest('hex')}`
  return {
    key,
    payer: transfer.owner,
    bind: (requirements) => bind(transfer, requirements),
    find,
    isMadeBy,
    hasReached,
    isExpired,
    signature: signatureState,
    isProven,
  }
}
