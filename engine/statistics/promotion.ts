/** A smaller discount off the list price, in percent, is no promotion by itself. */
export const MIN_PROMOTION_PERCENT = 5

/** A deeper discount off the list price, in percent, more likely means a wrong list price. */
export const MAX_PROMOTION_PERCENT = 70

/** Depths are whole numbers of this unit of the list price, whose sums depend on no order. */
export const DEPTH_UNIT = 1e9

/** What statements decide of promotions by these definitions. Exact: prices are whole cents. */
export const promotionMacros = `
-- On promotion: marked so, or ${MIN_PROMOTION_PERCENT} % to ${MAX_PROMOTION_PERCENT} % below the list price.
CREATE MACRO on_promotion(in_flag, in_price, in_list) AS
  coalesce(in_flag, false)
  OR coalesce(100 * (in_list::BIGINT - in_price) >= ${MIN_PROMOTION_PERCENT} * in_list::BIGINT
    AND 100 * (in_list::BIGINT - in_price) <= ${MAX_PROMOTION_PERCENT} * in_list::BIGINT, false);

-- The discount off the list price as an integer; null where there is none or one of more than ${MAX_PROMOTION_PERCENT} %.
CREATE MACRO promotion_depth(in_price, in_list) AS
  CASE WHEN in_list > in_price AND 100 * (in_list::BIGINT - in_price) <= ${MAX_PROMOTION_PERCENT} * in_list::BIGINT
    THEN round(${DEPTH_UNIT.toExponential()} * (in_list - in_price) / in_list)::BIGINT END;
`
