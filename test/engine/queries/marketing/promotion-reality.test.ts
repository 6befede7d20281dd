import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { listing, observed } from '../../../support/rows.ts'

const example = examplesOf('marketing/promotion-reality', '2026-11-21T00:00:00Z')

const sale = (id: string, before: Record<string, number>, price: number, list_price: number) => [
  ...observed(listing(id), before),
  ...observed(listing(id), { '2026-11-10': price }, { list_price }),
]

// The first cost 10.00 on all of the 30 days before, since two observations of one price 29 days apart are known between: 20 % is
// real. The second was raised from 8.00: 8.00 is no lower than before, 0 %. Of the third one day before is known.
example(
  'a claim is judged by the lowest price of the days before, if enough of them are known',
  [
    ...sale('held', { '2026-10-11': 1000, '2026-11-09': 1000 }, 800, 1000),
    ...sale('raised', { '2026-10-15': 800, '2026-11-01': 1000 }, 800, 1000),
    ...sale('unseen', { '2026-11-01': 1000 }, 800, 1000),
  ],
  (answer) =>
    expect(answer).toMatchObject({
      claim_count: 3,
      above_prior_low_count: 1,
      supported_count: 1,
      insufficient_history_count: 1,
      above_prior_low_pct: 50,
      median_claimed_pct: 20,
      median_real_pct: 10,
      unreal_pct: 50,
      retailers: [{ retailer: 'alpha', claim_count: 3 }],
    }),
)

// It stopped on 1 November and starts again: the claim before is of the window, too.
example(
  'a listing that claims again has two claims',
  [
    ...observed(listing('twice'), { '2026-10-25': 700 }, { list_price: 1000 }),
    ...observed(listing('twice'), { '2026-11-01': 1000 }),
    ...observed(listing('twice'), { '2026-11-08': 700 }, { list_price: 1000 }),
  ],
  ({ claim_count, start_unknown_count, above_prior_low_count }) =>
    expect({ claim_count, start_unknown_count, above_prior_low_count }).toEqual({
      claim_count: 2,
      start_unknown_count: 1,
      above_prior_low_count: 1,
    }),
)
