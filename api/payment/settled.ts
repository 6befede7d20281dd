import { createHash } from 'node:crypto'
import type { Entry, Settlement } from './journal.ts'

/** A settled payment, for the payee's books. */
export type SettledPayment = Settlement & { question: string }

/** The same with an id: one transaction may settle several payments. */
export type NamedPayment = SettledPayment & { id: string }

/** Which settled payments: `from` is inclusive, `to` exclusive, both in Unix milliseconds. */
export type Period = { from: number; to: number }

export const isWithin = ({ from, to }: Period, { at }: Settlement): boolean => at >= from && at < to

const ID_LENGTH = 22

/** The settled payment of an entry; null if it was not settled. */
export const settledPaymentOf = (entry: Entry): NamedPayment | null =>
  // Journals of earlier versions have none.
  'settlement' in entry && entry.settlement
    ? {
        id: createHash('sha256').update(entry.key).digest('base64url').slice(0, ID_LENGTH),
        ...entry.settlement,
        question: entry.question,
      }
    : null
