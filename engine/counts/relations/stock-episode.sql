-- The episodes out of stock of a scope: each longest sequence of known days of a listing on which it cannot be bought, with the day
-- on which it is back, and its prices before and then.
WITH known AS (
  -- Days have the same number of days in stock up to them as the last one of these.
  SELECT listing_id, retailer_id, brand_id, day, price, in_stock, count(*) FILTER (in_stock) OVER own AS stocked
  FROM scope_observation WHERE in_stock IS NOT NULL
  WINDOW own AS (PARTITION BY listing_id ORDER BY day)
), spell AS (
  SELECT listing_id, stocked, any_value(retailer_id) AS retailer_id, any_value(brand_id) AS brand_id,
         min(day) FILTER (NOT in_stock) AS first_out, min(day) FILTER (in_stock) AS in_day, max(price) FILTER (in_stock) AS before
  FROM known GROUP BY listing_id, stocked
), followed AS (
  SELECT *, lead(in_day) OVER own AS back_day, lead(before) OVER own AS after
  FROM spell WINDOW own AS (PARTITION BY listing_id ORDER BY stocked)
)
SELECT retailer_id, brand_id, before IS NOT NULL AS is_start_seen, (back_day - first_out)::INTEGER AS days,
       after > before AS is_higher, after < before AS is_lower,
       CASE WHEN plausible(before, after) THEN log_relative(before, after) END AS log
FROM followed WHERE first_out IS NOT NULL
