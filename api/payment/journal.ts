import type { Answer } from '../answer.ts'
import type { NetworkName } from './networks.ts'
import type { Offer } from './offer.ts'

/** HTTP headers that tell a payer what was settled. */
export type Receipt = Record<string, string>

/** What is on a chain of a payment, for the books of who receives it. */
export type Settlement = {
  /** When it was settled, in Unix milliseconds. */
  at: number
  network: NetworkName
  transaction: string
  /** In base units of a dollar token with 6 decimals. */
  amount: string
  payer: string
}

/** What a payment spends, once and for all, and the question it is spent on. */
export type Spending = {
  /** What the chain lets be spent only once, by meaning and never by bytes of a header. */
  key: string
  /** A second such thing where there are two, as MPP has: a challenge and a transaction. */
  alias: string | null
  /** The question, in canonical form. */
  question: string
  /** Who pays, as `network/address`; verified before an entry is made. */
  payer: string
  /** The client's name for this purchase: a second payment under it buys nothing. Each payer has its own names. */
  retry_key: string | null
}

/** A payment that was sent to its network, with all that it takes to settle it without its client. */
export type Sent = {
  /** When it was first sent, in Unix milliseconds. */
  since: number
  network: NetworkName
  /** The value of its header. */
  credential: string
  offer: Offer
}

/**
 * A payment on its way: `claimed` by a request, `settling` from just before it is sent to the chain, `settled` once it
 * is known to be there, `delivered` once its answer was handed over. Until it is settling it has cost nothing. The answer
 * is kept for as long as it may have to be handed over again.
 */
export type Entry = Spending &
  (
    | { state: 'claimed'; answer: null; receipt: null }
    | { state: 'settling'; answer: Answer; receipt: null; sent: Sent }
    | { state: 'settled'; answer: Answer; receipt: Receipt; settlement: Settlement }
    | {
        state: 'delivered'
        answer: Answer | null
        receipt: Receipt
        settlement: Settlement
        delivered_at: number
        /** The key of the later payment that got the answer, where it was not this one. */
        handed_to: string | null
      }
  )

/** An entry in one state. */
export type In<State extends Entry['state']> = Extract<Entry, { state: State }>

/**
 * What a claim finds. `held`: the entry is this request's alone until it records it as delivered, releases or suspends it;
 * of any number of claims at once one gets it. `busy`: another request has it. `replayed`: it was delivered, and its
 * answer may be sent again. `spent`: it paid for another query, or was delivered too long ago.
 */
export type Claim =
  | { outcome: 'held'; entry: Exclude<Entry, In<'delivered'>> }
  | { outcome: 'replayed'; entry: In<'delivered'> & { answer: Answer } }
  | { outcome: 'busy' | 'spent' }

/** What became of every payment, for as long as it could be presented again; it survives kill -9. */
export type Journal = {
  /** Whether a payment was claimed before, so that it needs no second verification. */
  knows(spending: Spending): Promise<boolean>
  claim(spending: Spending): Promise<Claim>
  /** Writes a new state; it is durable once this resolves. */
  record(entry: Entry): Promise<void>
  /** Forgets a payment that was not made: it may be presented again. */
  release(entry: Entry): Promise<void>
  /** Leaves a payment whose outcome is unknown, or whose answer did not arrive, to whoever takes it up next. */
  suspend(entry: Entry): Promise<void>
  /** Says of a payment that is held that its client has left without the answer: from now on it is owed. */
  owe(entry: Entry): Promise<void>
  /**
   * The earlier payment of the same payer that a new one is answered from; null where there is none. It has the same
   * retry key, whatever the question; or it was for the same question within OWED_MS and its answer is owed, since it is
   * settling or settled and no request of this process holds it, or the one that does has lost its client; or the new one
   * got its answer within REPLAY_MS.
   */
  earlier(spending: Spending): Promise<Entry | null>
  /** Holds a payment that is not held and not delivered; null where there is none under the key. */
  takeUp(key: string): Promise<Exclude<Entry, In<'delivered'>> | null>
  /** Keys of payments that are settling and not held, oldest first. */
  inDoubt(limit: number): Promise<string[]>
  /** Throws where the journal cannot take a payment now. */
  check(): Promise<void>
  close(): Promise<void>
}

/** How long a payment is remembered. None may be presented for longer: see `LONGEST_VALIDITY_SECONDS`. */
export const RETENTION_MS = 24 * 3_600_000

/** How long after it was claimed a payment that the client heard nothing of answers for a later one. */
export const OWED_MS = 3_600_000

/** How long an answer can be fetched again with its payment alone, in case it was lost after it was sent. */
export const REPLAY_MS = 600_000

/** What a claim finds in an entry that nobody holds. A claim that came to nothing is as none. */
export const claimOf = (entry: Entry, spending: Spending, now: number): Claim => {
  const { key, alias, question, retry_key } = spending
  if (entry.key !== key || entry.alias !== alias) return { outcome: 'spent' }
  if (entry.state === 'claimed') return { outcome: 'held', entry: { ...entry, ...spending } }
  if (entry.question !== question) return { outcome: 'spent' }
  if (entry.state !== 'delivered') return { outcome: 'held', entry }
  const { answer } = entry
  const isNamed = retry_key !== null && entry.retry_key === retry_key
  const isRecent = now < entry.delivered_at + REPLAY_MS
  if (answer === null || !(isNamed || isRecent)) return { outcome: 'spent' }
  return { outcome: 'replayed', entry: { ...entry, answer } }
}

/** An entry as JSON, with the answer's body as the text it is. */
export const toJson = (entry: Entry): unknown => ({
  ...entry,
  answer: entry.answer && { ...entry.answer, body: entry.answer.body.toString() },
})

/** The entry that `toJson` made this of. */
export const fromJson = (json: unknown): Entry => {
  const entry = json as Entry
  return { ...entry, answer: entry.answer && { ...entry.answer, body: Buffer.from(entry.answer.body) } } as Entry
}
