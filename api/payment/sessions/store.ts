import type { Store } from 'mppx'
import type { Session } from './session.ts'

/**
 * Where sessions are kept, by their channel's id. Every change survives the end of the process once it resolves, and that
 * of the machine too, but for the last charges.
 */
export type SessionStore = Store.AtomicStore<Record<string, Session>> & {
  /** Changes a session for an answer, which does not wait for the disk: later vouchers of the session include its sum. */
  charge: Store.AtomicStore<Record<string, Session>>['update']
  /** The sessions that are not closed on their chain. */
  open(): Promise<Session[]>
  /** Does work while no other process does any for the same payer. */
  exclusive<T>(payer: string, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Numbers of a chain are written as text that ends in `n`. */
export const toText = (session: Session): string =>
  JSON.stringify(session, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))

export const fromText = (text: string): Session =>
  JSON.parse(text, (_, value) =>
    typeof value === 'string' && /^\d{1,40}n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
