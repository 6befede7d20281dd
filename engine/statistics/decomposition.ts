import { z } from 'zod'
import { field } from '../contract/field.ts'
import { percent } from '../contract/round.ts'

/** Counts and sums of prices in the first (base) and last period, and of the listings priced in both. */
export type Composition = {
  base_count: number
  base_sum: number
  price_count: number
  price_sum: number
  matched_count: number
  matched_base_sum: number
  matched_price_sum: number
}

export const decomposition = z.object({
  naive_change_pct: field.change('Change of the average price from the first period to the last.'),
  matched: field
    .points(
      'The part due to price changes of listings that both periods have, in points of the first average; null without them.',
    )
    .nullable(),
  entry: field
    .points('The part due to listings that only the last period has; null without matched listings.')
    .nullable(),
  exit: field
    .points('The part due to listings that only the first period has; null without matched listings.')
    .nullable(),
})

/**
 * The change of the average price split exactly into the change of matched listings, the effect of entry and that of
 * exit, each in per cent of the first average (Melitz and Polanec 2015): why a naive average is not inflation.
 * The parts are null if no listing matches.
 */
export const decompose = (sums: Composition): z.output<typeof decomposition> => {
  const { base_count, base_sum, price_count, price_sum, matched_count, matched_base_sum, matched_price_sum } = sums
  const base = base_sum / base_count
  const price = price_sum / price_count
  const points = (cents: number): number => percent((100 * cents) / base)
  const naive_change_pct = points(price - base)
  if (matched_count === 0) return { naive_change_pct, matched: null, entry: null, exit: null }
  const matchedBase = matched_base_sum / matched_count
  const matchedPrice = matched_price_sum / matched_count
  return {
    naive_change_pct,
    matched: points(matchedPrice - matchedBase),
    entry: points(price - matchedPrice),
    exit: points(matchedBase - base),
  }
}
