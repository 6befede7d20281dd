/** Logarithms of price relatives are whole numbers of this unit, whose sums do not depend on order. */
export const LOG_UNIT = 1e12

/** A price relative above this, or below its reciprocal, is more likely an error; the bounds themselves are kept (ONS). */
export const FENCE = 3

/** A price that moves by at most this share, in percent, is stable. */
export const STABLE_PERCENT = 0.5

/** A listing is on clearance if its price is at least this share, in percent, below its own median. */
export const CLEARANCE_PERCENT = 20

const logOf = (percent: number): number => Math.round(LOG_UNIT * Math.log1p(percent / 100))

/** The bounds between the buckets of changes, in percent. A change on a bound is in the bucket that is nearer to no change. */
export const CHANGE_BOUNDS = [-50, -25, -10, -5, -STABLE_PERCENT, STABLE_PERCENT, 5, 10, 25, 50] as const
/** The bucket of stable prices; those after it rise. */
export const STABLE_BUCKET = CHANGE_BOUNDS.indexOf(STABLE_PERCENT)

const LOG_BOUNDS = CHANGE_BOUNDS.map((bound) => ({ bound, log: logOf(bound) }))

/** Macros with these definitions for statements. Exact: prices are whole cents. */
export const priceRelativeMacros = `
-- The log of a price relative as an integer: sums of integers do not depend on the order of rows or threads. Most
-- prices are unchanged, and logarithms are expensive.
CREATE MACRO log_relative(in_base, in_price) AS
  CASE WHEN in_price = in_base THEN 0 ELSE round(ln(in_price::DOUBLE / in_base) * ${LOG_UNIT.toExponential()})::BIGINT END;

-- Whether a price relative lies within the plausibility fence (ONS): exactly ${FENCE}-fold is kept.
CREATE MACRO plausible(in_base, in_price) AS
  in_price::BIGINT <= ${FENCE} * in_base::BIGINT AND in_base::BIGINT <= ${FENCE} * in_price::BIGINT;

-- Whether a listing at a price is on clearance: ${CLEARANCE_PERCENT} % or more below its own median.
CREATE MACRO on_clearance(in_price, in_median) AS
  100 * in_price::BIGINT <= ${100 - CLEARANCE_PERCENT} * in_median::BIGINT;

-- The bucket of the log of a price relative, from 0: how many bounds are below it.
CREATE MACRO change_bucket(in_log) AS
  ${LOG_BOUNDS.map(({ bound, log }) => `(in_log ${bound < 0 ? '>=' : '>'} ${log})::INTEGER`).join(' + ')};
`

/** The log of a price relative, as the macro computes it. */
export const logRelative = (base: number, price: number): number =>
  price === base ? 0 : Math.round(Math.log(price / base) * LOG_UNIT)

/** Whether a price relative lies within the plausibility fence. */
export const isPlausible = (base: number, price: number): boolean => price <= FENCE * base && base <= FENCE * price

/** Whether a listing at a price is on clearance against its own median. */
export const isOnClearance = (price: number, median: number): boolean =>
  100 * price <= (100 - CLEARANCE_PERCENT) * median

/**
 * The bucket of the log of a price relative, as the macro computes it. Relatives of prices below 2^31 cents are on a bound or
 * two or more units away from it, so that their rounded logs give the same result as the prices.
 */
export const changeBucket = (log: number): number => {
  let bucket = 0
  for (const bound of LOG_BOUNDS) if (log > bound.log || (log === bound.log && bound.bound < 0)) bucket += 1
  return bucket
}

/** The change in percent, unrounded, whose mean log is `logSum / pairs`: Jevons of the pairs that were summed. */
export const jevonsChange = (logSum: number | bigint, pairs: number): number =>
  100 * Math.expm1(Number(logSum) / pairs / LOG_UNIT)
