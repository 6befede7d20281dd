import type { Entry, In, Spending } from './journal.ts'

type Purchase = Pick<Spending, 'key' | 'payer' | 'question' | 'retry_key'>

const retryName = ({ payer, retry_key }: Purchase): string | null =>
  payer && retry_key !== null ? `${payer} ${retry_key}` : null
const purchaseKey = ({ payer, question }: Purchase): string => `${payer} ${question}`

/** An index of a journal's payments by payer, for `Journal.earlier`. Entries of earlier versions have no payer. */
export const createPayerIndex = () => {
  const names = new Map<string, string>()
  /** Settling or settled payments, by payer and query. */
  const unanswered = new Map<string, Set<string>>()
  const settling = new Set<string>()
  /** By the key of the later payment that got the answer. */
  const handed = new Map<string, Pick<In<'delivered'>, 'key' | 'payer' | 'question' | 'delivered_at'>>()

  return {
    add(entry: Entry): void {
      const { key, state, payer, question } = entry
      const name = retryName(entry)
      if (name !== null) names.set(name, key)
      if (state === 'settling') settling.add(key)
      if (state === 'settling' || state === 'settled') {
        const purchase = purchaseKey(entry)
        const keys = unanswered.get(purchase) ?? new Set()
        unanswered.set(purchase, keys.add(key))
      }
      if (state === 'delivered' && entry.handed_to)
        handed.set(entry.handed_to, { key, payer, question, delivered_at: entry.delivered_at })
    },
    remove(entry: Entry): void {
      const { key, state } = entry
      const name = retryName(entry)
      if (name !== null && names.get(name) === key) names.delete(name)
      settling.delete(key)
      const purchase = purchaseKey(entry)
      const keys = unanswered.get(purchase)
      keys?.delete(key)
      if (keys?.size === 0) unanswered.delete(purchase)
      if (state === 'delivered' && entry.handed_to) handed.delete(entry.handed_to)
    },
    /** The payment with the same retry key. */
    retried(purchase: Purchase): string | undefined {
      const name = retryName(purchase)
      return name === null ? undefined : names.get(name)
    },
    /** The payment whose answer this one got after a time. */
    handed({ key, payer, question }: Purchase, after: number): string | undefined {
      const entry = handed.get(key)
      return entry?.payer === payer && entry.question === question && entry.delivered_at > after ? entry.key : undefined
    },
    /** The first payment for the same query whose answer is owed. */
    unanswered(purchase: Purchase, isOwed: (key: string) => boolean): string | undefined {
      for (const key of unanswered.get(purchaseKey(purchase)) ?? []) if (isOwed(key)) return key
      return undefined
    },
    settling(limit: number, isFree: (key: string) => boolean): string[] {
      const keys: string[] = []
      for (const key of settling) {
        if (keys.length >= limit) break
        if (isFree(key)) keys.push(key)
      }
      return keys
    },
  }
}
