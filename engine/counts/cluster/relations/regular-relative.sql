-- The price relatives of listings from the first to the last period of a series, within the fence, by regular prices: in each
-- period the discrete median of its days.
WITH ends AS (
  SELECT quantileExactLowIf(0.5)(regular, day >= {first_from:Date} AND day < {first_to:Date}) AS base,
         quantileExactLowIf(0.5)(regular, day >= {last_from:Date} AND day < {last_to:Date}) AS price
  FROM regular_price GROUP BY listing_id
  HAVING countIf(day >= {first_from:Date} AND day < {first_to:Date}) > 0
    AND countIf(day >= {last_from:Date} AND day < {last_to:Date}) > 0
)
SELECT log_relative(base, price) AS log FROM ends WHERE plausible(base, price)
