-- The price relatives of listings from a calendar month to the next, within the fence: of posted and of regular prices.
WITH month_price AS MATERIALIZED (
  SELECT listing_id, any_value(category_id) AS category_id, date_trunc('month', day)::DATE AS period,
         quantile_disc(price, 0.5) AS posted, quantile_disc(regular, 0.5) AS regular
  FROM regular_price WHERE day >= $counted_from::DATE AND day < $counted_to::DATE
  GROUP BY listing_id, date_trunc('month', day)
), either AS (
  SELECT listing_id, category_id, period, false AS is_regular, posted AS price FROM month_price
  UNION ALL
  SELECT listing_id, category_id, period, true, regular FROM month_price
), linked AS (
  SELECT *, lag(price) OVER own AS before, lag(period) OVER own AS before_period
  FROM either WINDOW own AS (PARTITION BY listing_id, is_regular ORDER BY period)
)
SELECT period - DATE '1970-01-01' AS period, category_id, is_regular, price <> before AS is_changed, price > before AS is_rise,
       CASE WHEN price = before THEN 0 ELSE greatest(1, round(abs(log_relative(before, price)) / 1e8)) END::INTEGER AS size
FROM linked WHERE before_period = period - INTERVAL 1 MONTH AND plausible(before, price)
