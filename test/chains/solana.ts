import {
  type Address,
  address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  lamports,
  type Transaction,
} from '@solana/kit'
import {
  AccountState,
  findAssociatedTokenPda,
  getMintEncoder,
  getTokenEncoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { testnets } from '../../api/ops/networks.ts'

/** A transaction that the chain has accepted. `err` is null if it succeeded; `time` is in seconds. */
export type Landed = {
  signature: string
  wire: string
  accounts: readonly string[]
  slot: number
  time: number
  err: string | null
}

type Simulated = { err: string | null; logs: string[]; unitsConsumed: number }

/** A chain in this process that replaces Solana; its USDC is test money, and it accepts any blockhash. */
export type LocalSolana = {
  svm: LiteSVM
  /** By signature, oldest first. */
  landed: ReadonlyMap<string, Landed>
  /** Issued blockhashes and their times, oldest first. */
  blockhashes: Map<string, number>
  /** Runs a transaction without saving its effects; signatures are not checked. */
  simulate(wire: string): Simulated
  /** Accepts a transaction, once, and returns its signature. Throws if it cannot be part of any block. */
  send(wire: string): string
}

const MINT = address(testnets.solana.asset)
/** The payer's balance in base units: a million dollars. */
const BALANCE = 1_000_000_000_000n
const RENT = lamports(10_000_000n)
const FEES = lamports(1_000_000_000_000n)
/** The number of transactions remembered, so that none is accepted twice. */
const MAX_HISTORY = 100_000n

const parse = (wire: string): Transaction => getTransactionDecoder().decode(getBase64Encoder().encode(wire))

const messageOf = ({ messageBytes }: Transaction): string =>
  Buffer.from(Uint8Array.from(messageBytes)).toString('base64')

const saveAccount = (svm: LiteSVM, at: Address, encoded: ArrayLike<number>): void => {
  const data = Uint8Array.from(encoded)
  const space = BigInt(data.length)
  svm.setAccount({ address: at, data, space, executable: false, lamports: RENT, programAddress: TOKEN_PROGRAM_ADDRESS })
}

/** Opens an account for the token, in the layout of the token program. */
const openAccount = async (svm: LiteSVM, owner: Address, amount: bigint): Promise<void> => {
  const [at] = await findAssociatedTokenPda({ mint: MINT, owner, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const none = { delegate: null, isNative: null, delegatedAmount: 0n, closeAuthority: null }
  saveAccount(
    svm,
    at,
    getTokenEncoder().encode({ mint: MINT, owner, amount, state: AccountState.Initialized, ...none }),
  )
}

/** The error of a transaction that is in a block all the same; other errors are plain numbers and give null. */
const errorOf = (failed: FailedTransactionMetadata): string | null => {
  const error = failed.err()
  return typeof error === 'number' ? null : String(error)
}

/** Starts the chain and funds the payer and the fee payer. */
export const startSolana = async (owners: {
  feePayer: Address
  payer: Address
  payee: Address
}): Promise<LocalSolana> => {
  const svm = new LiteSVM().withTransactionHistory(MAX_HISTORY).withBlockhashCheck(false)
  const landed = new Map<string, Landed>()
  const messages = new Set<string>()
  svm.airdrop(owners.feePayer, FEES)
  const mint = { mintAuthority: null, supply: BALANCE, decimals: 6, isInitialized: true, freezeAuthority: null }
  saveAccount(svm, MINT, getMintEncoder().encode(mint))
  await openAccount(svm, owners.payer, BALANCE)
  await openAccount(svm, owners.payee, 0n)

  const simulate = (wire: string): Simulated => {
    const transaction = parse(wire)
    // The chain itself checks for duplicates only where it saves the effects.
    if (messages.has(messageOf(transaction))) return { err: 'AlreadyProcessed', logs: [], unitsConsumed: 0 }
    const done = svm.withSigverify(false).simulateTransaction(transaction)
    svm.withSigverify(true)
    const err = done instanceof FailedTransactionMetadata ? String(done) : null
    const meta = done.meta()
    return { err, logs: meta.logs(), unitsConsumed: Number(meta.computeUnitsConsumed()) }
  }

  const send = (wire: string): string => {
    const transaction = parse(wire)
    const signature = getSignatureFromTransaction(transaction)
    if (landed.has(signature)) return signature
    const done = svm.sendTransaction(transaction)
    const err = done instanceof FailedTransactionMetadata ? errorOf(done) : null
    if (done instanceof FailedTransactionMetadata && err === null)
      throw new Error(`The chain refused the transaction: ${done}`)
    const { staticAccounts: accounts } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    const time = Math.floor(Date.now() / 1000)
    messages.add(messageOf(transaction))
    landed.set(signature, { signature, wire, accounts, slot: landed.size + 1, time, err })
    return signature
  }

  return { svm, landed, blockhashes: new Map(), simulate, send }
}
