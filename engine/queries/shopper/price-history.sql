WITH member AS MATERIALIZED (
  SELECT * FROM product_member($members::VARCHAR)
), priced AS MATERIALIZED (
  SELECT * FROM member_day('member', $country::VARCHAR, $first::INTEGER, $last::INTEGER,
    $first_listing::INTEGER, $last_listing::INTEGER, $month_from::VARCHAR, $month_to::VARCHAR,
    $from::DATE, $to::DATE, $since::DATE, $before::DATE)
), product_price AS (
  SELECT max(price) FILTER (is_current) AS current_price, count(*) FILTER (in_window)::INTEGER AS day_count,
         min(price) FILTER (in_window) AS lowest_seen, max(price) FILTER (in_window) AS highest_seen,
         arg_min(day, (price, -epoch(day))) FILTER (in_window) AS lowest_seen_date,
         arg_max(day, (price, epoch(day))) FILTER (in_window) AS highest_seen_date
  FROM product_day('priced')
), summary AS (
  SELECT product_price.* REPLACE (
           strftime(lowest_seen_date, '%Y-%m-%d') AS lowest_seen_date,
           strftime(highest_seen_date, '%Y-%m-%d') AS highest_seen_date),
         (SELECT count(DISTINCT listing_id)::INTEGER FROM priced WHERE in_window) AS member_count,
         observed_min, observed_max
  FROM product_price,
       member_observed('member', $country::VARCHAR, $first::INTEGER, $last::INTEGER,
         $first_listing::INTEGER, $last_listing::INTEGER, $month_from::VARCHAR, $month_to::VARCHAR,
         $from::DATE, $to::DATE, $since::DATE, $before::DATE)
), listing_price AS (
  SELECT listing_id, any_value(platform) AS platform, date_trunc($unit::VARCHAR, day)::DATE AS period,
         quantile_disc(price, 0.5) AS price, min(price) AS min_price, max(price) AS max_price,
         count(*) AS observation_count, arg_max_null(in_stock, day) AS in_stock,
         arg_max(on_promotion(promo_flag, price, list_price), day) AS promo
  FROM priced WHERE in_window
  GROUP BY listing_id, date_trunc($unit::VARCHAR, day)
), point AS (
  SELECT period, count(*)::INTEGER AS product_count, sum(price)::DOUBLE AS price_sum, min(min_price) AS min_price,
         max(max_price) AS max_price, quantile_cont(price, 0.5) AS median_price,
         count(DISTINCT platform)::INTEGER AS retailer_count, sum(observation_count)::INTEGER AS observation_count,
         count(*) FILTER (in_stock)::INTEGER AS in_stock_count, count(*) FILTER (promo)::INTEGER AS promo_count
  FROM listing_price GROUP BY period
)
SELECT strftime(period, '%Y-%m-%d') AS date, point.* EXCLUDE (period), summary FROM point, summary ORDER BY period
