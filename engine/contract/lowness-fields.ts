import { field } from './field.ts'

/** How low a price is among those really observed of its listing. */
export const lownessFields = {
  percentile_in_history: field
    .share(
      'Share of the observed days of the listing on which it cost less: 0, it was never seen cheaper. Null with fewer than 3 observed days.',
    )
    .nullable(),
  days_since_lower: field
    .days('Days since it was last seen at a lower price; null if it never was on these days.')
    .nullable(),
  previous_price: field
    .money('The price when it was last seen at another; null if it never was on these days.')
    .nullable(),
}
