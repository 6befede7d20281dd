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
import { testnets } from '../networks.ts'

/** A transaction that the chain has taken in. `err` is null where it succeeded; `time` is in seconds. */
export type Landed = {
  signature: string
  wire: string
  accounts: readonly string[]
  slot: number
  time: number
  err: string | null
}

type Simulated = { err: string | null; logs: string[]; unitsConsumed: number }

/** A chain inside this process in the place of Solana, whose USDC is test money and which takes any blockhash. */
export type LocalSolana = {
  svm: LiteSVM
  /** By signature, oldest first. */
  landed: ReadonlyMap<string, Landed>
  /** Those given out, and when, oldest first. */
  blockhashes: Map<string, number>
  /** Runs a transaction without keeping what it does; signatures are not looked at. */
  simulate(wire: string): Simulated
  /** Takes a transaction in, once, and returns its signature. Throws where it cannot be part of any block. */
  send(wire: string): string
}

const MINT = address(testnets.solana.asset)
/** Of the payer, in base units: a million dollars. */
const BALANCE = 1_000_000_000_000n
const RENT = lamports(10_000_000n)
const FEES = lamports(1_000_000_000_000n)
/** Transactions remembered, so that none is taken in twice. */
const HISTORY = 100_000n

const parse = (wire: string): Transaction => getTransactionDecoder().decode(getBase64Encoder().encode(wire))

const messageOf = ({ messageBytes }: Transaction): string =>
  Buffer.from(Uint8Array.from(messageBytes)).toString('base64')

const keep = (svm: LiteSVM, at: Address, encoded: ArrayLike<number>): void => {
  const data = Uint8Array.from(encoded)
  const space = BigInt(data.length)
  svm.setAccount({ address: at, data, space, executable: false, lamports: RENT, programAddress: TOKEN_PROGRAM_ADDRESS })
}

/** Gives an owner an account of the token, as its program lays it out. */
const openAccount = async (svm: LiteSVM, owner: Address, amount: bigint): Promise<void> => {
  const [at] = await findAssociatedTokenPda({ mint: MINT, owner, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const none = { delegate: null, isNative: null, delegatedAmount: 0n, closeAuthority: null }
  keep(svm, at, getTokenEncoder().encode({ mint: MINT, owner, amount, state: AccountState.Initialized, ...none }))
}

/** An error of the transaction itself, which still takes a place in a block; others have a bare number. */
const errorOf = (failed: FailedTransactionMetadata): string | null => {
  const error = failed.err()
  return typeof error === 'number' ? null : String(error)
}

/** Starts it and funds the payer; the fee payer has what fees need. */
export const startSolana = async (owners: {
  feePayer: Address
  payer: Address
  payee: Address
}): Promise<LocalSolana> => {
  const svm = new LiteSVM().withTransactionHistory(HISTORY).withBlockhashCheck(false)
  const landed = new Map<string, Landed>()
  const messages = new Set<string>()
  svm.airdrop(owners.feePayer, FEES)
  const mint = { mintAuthority: null, supply: BALANCE, decimals: 6, isInitialized: true, freezeAuthority: null }
  keep(svm, MINT, getMintEncoder().encode(mint))
  await openAccount(svm, owners.payer, BALANCE)
  await openAccount(svm, owners.payee, 0n)

  const simulate = (wire: string): Simulated => {
    const transaction = parse(wire)
    // The chain itself looks at that only where it keeps what a transaction does.
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
    if (done instanceof FailedTransactionMetadata && err === null) throw new Error(`The chain refuses it: ${done}`)
    const { staticAccounts: accounts } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    const time = Math.floor(Date.now() / 1000)
    messages.add(messageOf(transaction))
    landed.set(signature, { signature, wire, accounts, slot: landed.size + 1, time, err })
    return signature
  }

  return { svm, landed, blockhashes: new Map(), simulate, send }
}
