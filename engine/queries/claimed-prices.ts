import { dayText } from '../contract/days.ts'
import { field } from '../contract/field.ts'
import { orNull, percent, type ToMoney } from '../contract/round.ts'
import { type Condition, list, type ReadBy } from '../counts/count.ts'
import {
  daysOf,
  depthOf,
  HISTORY_DAYS,
  LONG_RUNNING_DAYS,
  MAX_GAP_DAYS,
  MIN_PRIOR_DAYS,
  PRIOR_DAYS,
  TEST_DAYS,
  timeTestOf,
  timeTests,
  verdictOf,
  verdicts,
} from '../statistics/price-claim.ts'

/** The claims that the listings of a product make in their newest observation. */
export const newestClaims = list({
  from: 'price_claim',
  where: ['is_newest'],
  columns: [
    'listing_id',
    'start',
    'last',
    'is_start_seen',
    'price',
    'list_price',
    'prior_low',
    'prior_covered',
    'test_covered',
    'test_at',
  ],
  order: ['listing_id'],
})
export type ListingClaim = ReadBy<{ claims: typeof newestClaims }>['claims'][number]

/** A known price was below the earlier one that is claimed. */
export const isAbovePriorLow: Condition<'price_claim'> = ['<', 'prior_low', 'list_price']
export const isSupported: Condition<'price_claim'> = [
  'and',
  ['not', isAbovePriorLow],
  ['>=', 'prior_covered', MIN_PRIOR_DAYS],
]

/** What is claimed and how it is judged; the start of a formula. */
export const CLAIMS =
  'A claim is a list price above the price: the retailer says that the price was higher. It starts on the first day of the ' +
  'unbroken sequence of observations of the listing with a list price above the price (a deeper reduction continues it), sought in ' +
  `the ${HISTORY_DAYS} days before. Days before the start are known where the listing was observed, and between two observations ` +
  `of one price at most ${MAX_GAP_DAYS} days apart; nothing is assumed of others. prior_low is the lowest known price of the ${PRIOR_DAYS} days before ` +
  'the start (Art. 6a of Directive 98/6/EC), claimed_pct = (list price - price) / list price and real_pct = (prior_low - price) / ' +
  'prior_low, negative where the price rose. above_prior_low: prior_low is below the list price, which one known ' +
  `day proves; supported: it is not, and at least ${MIN_PRIOR_DAYS} of the ${PRIOR_DAYS} days are known; else insufficient_history. `

export const CLAIM_SOURCES = [
  'Directive 98/6/EC, Art. 6a, with the guidance of the Commission (2021/C 526/02).',
  'Court of Justice of the European Union, C-330/23, Aldi Süd (2024): percentages are of the prior lowest price.',
] as const

/** The claim of a listing, as fields. */
export const claimFields = {
  verdict: field.choice(
    verdicts,
    'Whether the earlier price that is claimed is above the lowest of the days before, is supported by them, or too few are known; no_claim: none is claimed.',
  ),
  claimed_pct: field.share('The reduction that the retailer claims; null without a claim.').nullable(),
  real_pct: field
    .reduction('The reduction from prior_low; negative where the price is above it. Null where no day before is known.')
    .nullable(),
  prior_low: field.money(`Lowest known price of the ${PRIOR_DAYS} days before the claim; null without any.`).nullable(),
  prior_covered_days: field
    .days(`How many of the ${PRIOR_DAYS} days before the claim are known; null without a claim.`)
    .nullable(),
  claim_from: field.date('The first day of the claim that was seen; null without one.').nullable(),
  claim_days: field.days('Days from there to the day on which the price was last seen, that day included.').nullable(),
  start_seen: field.flag('Whether it was observed without the claim before.').nullable(),
  new_listing: field.flag(`Whether it was first observed less than ${PRIOR_DAYS} days before the claim.`).nullable(),
  long_running: field.flag(`Whether the claim has lasted ${LONG_RUNNING_DAYS} days or more.`).nullable(),
  time_test: field
    .choice(timeTests, `Whether the list price or more was charged on over half of the ${TEST_DAYS} days before.`)
    .nullable(),
  charged_low_pct: field
    .share(
      `The least share of the ${TEST_DAYS} days before on which the list price or more was charged: all unknown days cheaper.`,
    )
    .nullable(),
  charged_high_pct: field.share('The greatest: all unknown days at the list price or more.').nullable(),
}

const NO_CLAIM = {
  claimed_pct: null,
  real_pct: null,
  prior_low: null,
  prior_covered_days: null,
  claim_from: null,
  claim_days: null,
  start_seen: null,
  new_listing: null,
  long_running: null,
  time_test: null,
  charged_low_pct: null,
  charged_high_pct: null,
}

/** The claim of a listing that was first observed on a day, by number. */
export const claimOf = (claim: ListingClaim | undefined, first_day: number, money: ToMoney) => {
  if (!claim) return { verdict: 'no_claim' as const, ...NO_CLAIM }
  const { price, list_price, prior_low, prior_covered, start, is_start_seen } = claim
  const { low, high, result } = timeTestOf(claim)
  return {
    verdict: verdictOf(claim),
    claimed_pct: percent(depthOf(price, list_price)),
    real_pct: prior_low === null ? null : percent(depthOf(price, prior_low)),
    prior_low: orNull(money, prior_low),
    prior_covered_days: prior_covered,
    claim_from: dayText(start),
    claim_days: daysOf(claim),
    start_seen: is_start_seen,
    new_listing: first_day > start - PRIOR_DAYS,
    long_running: daysOf(claim) >= LONG_RUNNING_DAYS,
    time_test: result,
    charged_low_pct: percent(low),
    charged_high_pct: percent(high),
  }
}
