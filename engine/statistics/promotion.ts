/** A smaller discount off the list price, in percent, does not count as a promotion. */
export const MIN_PROMOTION_PERCENT = 5

/** A deeper discount off the list price, in percent, more likely means a wrong list price. */
export const MAX_PROMOTION_PERCENT = 70

/** Depths are whole numbers of this fraction of the list price, whose sums do not depend on order. */
export const DEPTH_UNIT = 1e9

type PromotedPrice = { promo_flag: boolean | null; price: number; list_price: number | null }

/** Whether a price is on promotion, in SQL. */
export const promotedSql = (flag: string, price: string, list: string): string => `coalesce(${flag}, false)
  OR coalesce(100 * (${list}::BIGINT - ${price}) >= ${MIN_PROMOTION_PERCENT} * ${list}::BIGINT
    AND 100 * (${list}::BIGINT - ${price}) <= ${MAX_PROMOTION_PERCENT} * ${list}::BIGINT, false)`

/** Whether a price is on promotion. */
export const isOnPromotion = ({ promo_flag, price, list_price }: PromotedPrice): boolean =>
  promo_flag === true ||
  (list_price !== null &&
    100 * (list_price - price) >= MIN_PROMOTION_PERCENT * list_price &&
    100 * (list_price - price) <= MAX_PROMOTION_PERCENT * list_price)

/** Macros with these definitions for statements. Exact: prices are whole cents. */
export const promotionMacros = `
-- On promotion: flagged by the retailer, or ${MIN_PROMOTION_PERCENT} % to ${MAX_PROMOTION_PERCENT} % below the list price.
CREATE MACRO on_promotion(in_flag, in_price, in_list) AS
  ${promotedSql('in_flag', 'in_price', 'in_list')};

-- A part of a price as an integer of this unit, whose sums do not depend on order.
CREATE MACRO price_share(in_part, in_whole) AS round(${DEPTH_UNIT.toExponential()} * in_part / in_whole)::BIGINT;

-- The discount off the list price as an integer; null without one or if it exceeds ${MAX_PROMOTION_PERCENT} %.
CREATE MACRO promotion_depth(in_price, in_list) AS
  CASE WHEN in_list > in_price AND 100 * (in_list::BIGINT - in_price) <= ${MAX_PROMOTION_PERCENT} * in_list::BIGINT
    THEN price_share(in_list - in_price, in_list) END;
`
