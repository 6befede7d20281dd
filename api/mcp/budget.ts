import { ToolError } from './client.ts'

/** An amount set aside for one payment. */
export type Reservation = {
  amount: number
  /** The payment was charged. */
  spend(): void
  /** Nothing that can be charged left this process. */
  release(): void
}

/** An amount of base units in dollars. */
export const inDollars = (amount: number): number => amount / 1_000_000

/**
 * What a process may pay in all. An amount is reserved before its payment is signed, so that concurrent calls together
 * stay within the budget; it stays reserved unless it is spent, or released because no payment was sent.
 */
export const createBudget = (budget: number) => {
  let spent = 0
  let reserved = 0
  return {
    /** Throws BUDGET_EXHAUSTED if the amount does not fit. */
    reserve(amount: number): Reservation {
      const remaining = budget - spent - reserved
      if (amount > remaining)
        throw new ToolError(
          'BUDGET_EXHAUSTED',
          `The answer costs ${inDollars(amount)} USD, and ${inDollars(remaining)} of ${inDollars(budget)} USD is remaining; ` +
            'nothing was paid. Restart shelfmark-mcp with a higher --budget.',
          { price_usd: inDollars(amount), left_usd: inDollars(remaining), budget_usd: inDollars(budget) },
        )
      reserved += amount
      let isOpen = true
      const close = (): boolean => {
        const wasOpen = isOpen
        if (isOpen) reserved -= amount
        isOpen = false
        return wasOpen
      }
      return {
        amount,
        spend: () => {
          if (close()) spent += amount
        },
        release: () => void close(),
      }
    },
    /** What was spent and what may have been, in dollars. */
    state: () => ({
      spent_usd: inDollars(spent),
      in_doubt_usd: inDollars(reserved),
      budget_usd: inDollars(budget),
    }),
  }
}
