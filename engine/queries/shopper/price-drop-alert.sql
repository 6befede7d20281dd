WITH member AS MATERIALIZED (
  SELECT * FROM product_member($members::VARCHAR)
), priced AS MATERIALIZED (
  SELECT * FROM member_day('member', $country::VARCHAR, $first::INTEGER, $last::INTEGER,
    $first_listing::INTEGER, $last_listing::INTEGER, $month_from::VARCHAR, $month_to::VARCHAR,
    $from::DATE, $to::DATE, $since::DATE, $before::DATE)
), product_price AS MATERIALIZED (
  SELECT * FROM product_day('priced')
), now_at AS (
  SELECT price AS current_price, platform AS retailer, condition
  FROM priced WHERE is_current
  ORDER BY coalesce(in_stock, false) DESC, price, product_uid LIMIT 1
), base AS (
  SELECT coalesce(sum(price) FILTER (in_window AND NOT is_current), 0)::DOUBLE AS base_sum,
         count(*) FILTER (in_window AND NOT is_current)::INTEGER AS base_days,
         min(price) AS lowest_seen, strftime(arg_min(day, (price, -epoch(day))), '%Y-%m-%d') AS lowest_seen_date,
         count(*) FILTER (in_window)::INTEGER AS day_count
  FROM product_price
), counted AS (
  SELECT count(*)::INTEGER AS observation_count, count(DISTINCT listing_id)::INTEGER AS member_count
  FROM priced WHERE in_window
)
SELECT now_at.*, base.*, counted.*, observed_min, observed_max
FROM now_at, base, counted,
     member_observed('member', $country::VARCHAR, $first::INTEGER, $last::INTEGER,
       $first_listing::INTEGER, $last_listing::INTEGER, $month_from::VARCHAR, $month_to::VARCHAR,
       $from::DATE, $to::DATE, $since::DATE, $before::DATE)
WHERE day_count > 0
