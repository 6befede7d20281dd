import { z } from 'zod'
import { field } from '../contract/field.ts'
import { round } from '../contract/round.ts'
import { type Contents, unitPriceOf } from '../search/contents.ts'

export const unitPrice = z
  .object({
    value: field.money('Price of that much.'),
    per: field.choice(['100 g', '100 ml', 'each'], 'How much it is the price of.'),
  })
  .nullable()
  .describe('Price for a standard amount, by size; null without one.')

/** The unit price of a stored price for given contents; `minor_units` are the smallest units in one of the currency. */
export const unitPriceBlock = (
  price: number,
  contents: Contents | null,
  minor_units: number,
): z.output<typeof unitPrice> => {
  const unit = unitPriceOf(price, contents)
  return unit && { value: round(unit.value / minor_units, 4), per: unit.per }
}
