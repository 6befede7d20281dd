import { DAY_MS, HOUR_MS } from '../../engine/index.ts'
import type { SerializedAnswer } from '../http/answer.ts'
import type { NetworkName } from '../ops/networks.ts'
import type { PaymentOffer } from './offer.ts'

/** HTTP headers with the receipt of a settled payment. */
export type Receipt = Record<string, string>

/** A settled payment as recorded on its chain, for the payee's books. */
export type Settlement = {
  /** When it was settled, in Unix milliseconds. */
  at: number
  network: NetworkName
  transaction: string
  /** In base units of a dollar token with 6 decimals. */
  amount: string
  payer: string
  /** Whether our node had the receipt of the transfer; absent in settlements of earlier versions. */
  is_verified?: boolean
}

/** What a payment spends, and the query it is spent on. */
export type Spending = {
  /** Identifies what the chain lets be spent only once; independent of the encoding of a header. */
  key: string
  /** A second such identifier: MPP has a challenge and a transaction. */
  alias: string | null
  /** The query in canonical form: method, path and sorted parameters. */
  question: string
  /** The payer, as `network/address`; verified before an entry is created. */
  payer: string
  /** The client's name for this purchase: a second payment under it buys nothing. Each payer has its own names. */
  retry_key: string | null
  /** The hash of the secret in the payment, by which its payer presents it again; null without one. */
  secret_hash: string | null
}

/** A payment that was sent to its network, with everything needed to settle it without its client. */
export type Sent = {
  /** When it was first sent, in Unix milliseconds. */
  since: number
  network: NetworkName
  /** The value of its header. */
  credential: string
  offer: PaymentOffer
}

/**
 * A payment in progress: `claimed` by a request, `settling` from just before it is sent to the chain, `settled` when it
 * is confirmed there, `delivered` when its answer was handed over. Until it is settling it has cost nothing. The answer
 * is kept for as long as it may have to be handed over again.
 */
export type Entry = Spending &
  (
    | { state: 'claimed'; answer: null; receipt: null }
    | { state: 'settling'; answer: SerializedAnswer; receipt: null; sent: Sent }
    | { state: 'settled'; answer: SerializedAnswer; receipt: Receipt; settlement: Settlement }
    | {
        state: 'delivered'
        answer: SerializedAnswer | null
        receipt: Receipt
        settlement: Settlement
        delivered_at: number
        /** The key of the later payment that got the answer; null if it was this one. */
        handed_to: string | null
      }
  )

/** An entry in one state. */
export type In<State extends Entry['state']> = Extract<Entry, { state: State }>

/**
 * The result of a claim. `held`: only this request may use the entry, until it records it as delivered, releases or
 * suspends it; of concurrent claims one gets it. `busy`: another request holds it. `replayed`: it was delivered, and
 * its answer may be sent again. `unproven`: whoever presents it again may have copied it from the chain. `spent`: it
 * paid for another query, or was delivered too long ago.
 */
export type Claim =
  | { outcome: 'held'; entry: Exclude<Entry, In<'delivered'>> }
  | { outcome: 'replayed'; entry: In<'delivered'> & { answer: SerializedAnswer } }
  | { outcome: 'busy' | 'unproven' | 'spent' }

/** The state of every payment for as long as it could be presented again; it survives kill -9. */
export type Journal = {
  /** Whether a payment was claimed before, so that it needs no second verification. */
  has(spending: Spending): Promise<boolean>
  claim(spending: Spending): Promise<Claim>
  /** Writes a new state, durably. */
  record(entry: Entry): Promise<void>
  /** Removes a payment that was not made: it may be presented again. */
  release(entry: Entry): Promise<void>
  /**
   * Leaves a payment whose outcome is unknown, or whose answer was not delivered, to the next request that takes it up.
   */
  suspend(entry: Entry): Promise<void>
  /** Marks a held payment as owed: its client has disconnected without the answer. */
  owe(entry: Entry): Promise<void>
  /**
   * The earlier payment of the same payer whose answer a new one gets; null if there is none. It has the same retry
   * key, for any query; or it was for the same query within OWED_MS and its answer is owed, since it is settling or
   * settled and no request of this process holds it, or the one that does has lost its client; or the new one got its
   * answer within REPLAY_MS.
   */
  earlier(spending: Spending): Promise<Entry | null>
  /** Holds a payment that is neither held nor delivered; null if there is none with the key. */
  takeUp(key: string): Promise<Exclude<Entry, In<'delivered'>> | null>
  /** Keys of payments that are settling and not held, oldest first. */
  inDoubt(limit: number): Promise<string[]>
  /** Throws where the journal cannot take a payment now. */
  check(): Promise<void>
  close(): Promise<void>
}

/** How long a payment is remembered. None may be presented for longer: see `MAX_VALIDITY_SECONDS`. */
export const RETENTION_MS = DAY_MS

/** How long after its claim a payment without a delivered answer pays for a later request. */
export const OWED_MS = HOUR_MS

/** How long an answer can be fetched again with the same payment, in case it was lost in transit. */
export const REPLAY_MS = 600_000

/** A name that is shorter can be guessed. */
const MIN_NAME_LENGTH = 16

/**
 * Whether a payment is presented again by its payer: what was sent to a chain can be copied from there, so that it
 * proves nothing by itself. Entries of earlier versions have no hash.
 */
const isByPayer = (entry: Entry, { secret_hash, retry_key }: Spending): boolean =>
  (secret_hash !== null && entry.secret_hash === secret_hash) ||
  (retry_key !== null && retry_key.length >= MIN_NAME_LENGTH && entry.retry_key === retry_key)

/** The result of a claim on an entry that nobody holds. An abandoned claim counts as none. */
export const claimOf = (entry: Entry, spending: Spending, now: number): Claim => {
  const { key, alias, question, retry_key } = spending
  if (entry.key !== key || entry.alias !== alias) return { outcome: 'spent' }
  if (entry.state === 'claimed') return { outcome: 'held', entry: { ...entry, ...spending } }
  if (entry.question !== question) return { outcome: 'spent' }
  if (!isByPayer(entry, spending)) return { outcome: 'unproven' }
  if (entry.state !== 'delivered') return { outcome: 'held', entry }
  const { answer } = entry
  const isNamed = retry_key !== null && entry.retry_key === retry_key
  const isRecent = now < entry.delivered_at + REPLAY_MS
  if (answer === null || !(isNamed || isRecent)) return { outcome: 'spent' }
  return { outcome: 'replayed', entry: { ...entry, answer } }
}

/** Converts an entry to JSON, with the answer's body as text. */
export const toJson = (entry: Entry): unknown => ({
  ...entry,
  answer: entry.answer && { ...entry.answer, body: entry.answer.body.toString() },
})

/** The inverse of `toJson`. */
export const fromJson = (json: unknown): Entry => {
  const entry = json as Entry
  return { ...entry, answer: entry.answer && { ...entry.answer, body: Buffer.from(entry.answer.body) } } as Entry
}
