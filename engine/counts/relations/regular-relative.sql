-- The price relatives of listings from the first to the last period of a series, within the fence, by regular prices: in each
-- period the discrete median of its days.
WITH ends AS (
  SELECT quantile_disc(regular, 0.5) FILTER (day >= $first_from::DATE AND day < $first_to::DATE) AS base,
         quantile_disc(regular, 0.5) FILTER (day >= $last_from::DATE AND day < $last_to::DATE) AS price
  FROM regular_price GROUP BY listing_id
)
SELECT log_relative(base, price) AS log FROM ends WHERE plausible(base, price)
