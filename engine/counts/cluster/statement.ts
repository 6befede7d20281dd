import { CLEARANCE_PERCENT, FENCE, LOG_UNIT } from '../../statistics/price-relative.ts'
import { MAX_SALE_DAYS } from '../../statistics/price-setting.ts'
import { DEPTH_UNIT, MAX_PROMOTION_PERCENT, MIN_PROMOTION_PERCENT } from '../../statistics/promotion.ts'
import { readRelations, type Variants } from '../variants.ts'

/**
 * The functions of statements (statistics/), in the SQL of ClickHouse. Its round() goes to the even neighbour, that of DuckDB
 * away from zero.
 */
const FUNCTIONS = `WITH (x) -> trunc(x + if(x < 0, -0.5, 0.5)) AS half_away,
  (base, price) -> if(price = base, 0, toInt64(half_away(log(price / base) * ${LOG_UNIT.toExponential()}))) AS log_relative,
  (base, price) -> toInt64(price) <= ${FENCE} * toInt64(base) AND toInt64(base) <= ${FENCE} * toInt64(price) AS plausible,
  (price, median) -> 100 * toInt64(price) <= ${100 - CLEARANCE_PERCENT} * toInt64(median) AS on_clearance,
  (flag, price, list) -> coalesce(flag, false)
    OR coalesce(100 * (toInt64(list) - price) >= ${MIN_PROMOTION_PERCENT} * toInt64(list)
      AND 100 * (toInt64(list) - price) <= ${MAX_PROMOTION_PERCENT} * toInt64(list), false) AS on_promotion,
  (price, list) -> if(list > price AND 100 * (toInt64(list) - price) <= ${MAX_PROMOTION_PERCENT} * toInt64(list),
    toInt64(half_away(${DEPTH_UNIT.toExponential()} * (list - price) / list)), NULL) AS promotion_depth,
  ${MAX_SALE_DAYS} AS max_sale_days,
  (unit, day) -> multiIf(unit = 'week', toMonday(day), unit = 'month', toStartOfMonth(day), day) AS start_of,
  `

const withRelations = readRelations(new URL('./relations/', import.meta.url), () => 'AS')

const LEADING_WITH = /^WITH /m

/** A statement with the functions and relations that it may use. */
export const completeStatement = (sql: string, variants: Variants): string => {
  const complete = withRelations(sql, variants)
  if (LEADING_WITH.test(complete)) return complete.replace(LEADING_WITH, () => FUNCTIONS)
  return `${FUNCTIONS.trimEnd().replace(/,$/, '')}\n${complete}`
}
