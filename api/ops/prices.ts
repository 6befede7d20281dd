import type { Group } from '../../engine/index.ts'

/** The price of an answer of each group, in base units of a dollar token with 6 decimals; public answers are free. */
export const prices: Readonly<Record<Group, number>> = {
  public: 0,
  shopper: 10_000,
  marketing: 10_000,
  analyst: 20_000,
  social: 30_000,
  reference: 10_000,
}

/** Dollars in base units. */
export const inBaseUnits = (amount: number): number => Math.round(amount * 1_000_000)

/** A price in dollars, such as `0.01`. */
export const dollars = (price: number): string => (price / 1_000_000).toFixed(2)
