/** A posted price that repeats within so many days counts as unchanged on the days between. */
export const MAX_GAP_DAYS = 35
/** The days before a claim whose lowest price it is judged by (Directive 98/6/EC, Art. 6a). */
export const PRIOR_DAYS = 30
/** A claim is supported only by so many known days of these. */
export const MIN_PRIOR_DAYS = 20
/** The days of the time test: whether the earlier price was charged for more than half of them. */
export const TEST_DAYS = 180
/** The days before those that are queried in which the start of a claim is sought. */
export const HISTORY_DAYS = 365
/** A claim of so many days is long-running. */
export const LONG_RUNNING_DAYS = 90

/** Macros with these definitions for statements. */
export const priceClaimMacros = `
-- The first day after an observation on which its price is not known: that of the next one, if that has the same price soon.
CREATE MACRO known_until(in_day, in_price, in_next_day, in_next_price) AS
  CASE WHEN in_next_price = in_price AND in_next_day - in_day <= ${MAX_GAP_DAYS} THEN in_next_day ELSE in_day + 1 END;

-- How many of the known days [in_from, in_until) are among those that a claim from a day on is judged by, and tested by.
CREATE MACRO days_among(in_from, in_until, in_start, in_days) AS
  greatest(0, least(in_until, in_start) - greatest(in_from, in_start - in_days));
CREATE MACRO prior_days(in_from, in_until, in_start) AS days_among(in_from, in_until, in_start, ${PRIOR_DAYS});
CREATE MACRO test_days(in_from, in_until, in_start) AS days_among(in_from, in_until, in_start, ${TEST_DAYS});
`

export const verdicts = ['no_claim', 'above_prior_low', 'supported', 'insufficient_history'] as const
export type ClaimVerdict = (typeof verdicts)[number]

/** What is known of a claim: prices in cents, days as numbers since 1970. */
export type PriceClaim = {
  start: number
  last: number
  is_start_seen: boolean
  price: number
  list_price: number
  /** The lowest known price of the PRIOR_DAYS before it; null where none is known. */
  prior_low: number | null
  /** The days of these whose price is known. */
  prior_covered: number
  /** The same of TEST_DAYS, and those of them that cost the list price or more. */
  test_covered: number
  test_at: number
}

/** One day below the earlier price refutes it, whatever is unknown; only enough known days support it. */
export const verdictOf = ({ prior_low, list_price, prior_covered }: PriceClaim): ClaimVerdict => {
  if (prior_low !== null && prior_low < list_price) return 'above_prior_low'
  return prior_covered >= MIN_PRIOR_DAYS ? 'supported' : 'insufficient_history'
}

/** How far a price is below another, in percent. */
export const depthOf = (price: number, from: number): number => (100 * (from - price)) / from

export const timeTests = ['met', 'not_met', 'unknown'] as const

/** Between which shares of the days before a claim its earlier price was charged, in percent: unknown days may be either. */
export const timeTestOf = ({ test_covered, test_at }: PriceClaim) => {
  const low = (100 * test_at) / TEST_DAYS
  const high = (100 * (test_at + TEST_DAYS - test_covered)) / TEST_DAYS
  const result: (typeof timeTests)[number] = low > 50 ? 'met' : high <= 50 ? 'not_met' : 'unknown'
  return { low, high, result }
}

/** How many days a claim has lasted when it was last seen. */
export const daysOf = ({ start, last }: PriceClaim): number => last - start + 1
