-- Current listings at a moment before the last observation: their newest prices in the days [since, before).
WITH newest AS (
  SELECT listing_id, arg_max(price, day) AS price, arg_max_null(list_price, day) AS list_price,
         arg_max_null(promo_flag, day) AS promo_flag, arg_max_null(in_stock, day) AS in_stock,
         min(day) AS first_day, max(day) AS last_day
  FROM observation
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND month BETWEEN strftime($since::DATE, '%Y-%m') AND strftime($before::DATE, '%Y-%m')
    AND day >= $since::DATE AND day < $before::DATE
  GROUP BY listing_id
), newest_time AS (
  SELECT listing_id, max(day + to_seconds(observed_second)) AS observed_at
  FROM observation_time
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND month BETWEEN strftime($since::DATE, '%Y-%m') AND strftime($before::DATE, '%Y-%m')
    AND day >= $since::DATE AND day < $before::DATE
  GROUP BY listing_id
)
SELECT listing.* REPLACE (
  newest.price AS price, newest.list_price AS list_price, newest.promo_flag AS promo_flag,
  newest.in_stock AS in_stock, newest.first_day AS first_day, newest.last_day AS last_day,
  newest_time.observed_at AS observed_at, newest_time.observed_at AS scraped_at)
FROM listing JOIN newest USING (listing_id) JOIN newest_time USING (listing_id)
WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
  AND ($gpc_first::INTEGER IS NULL OR gpc_id BETWEEN $gpc_first::INTEGER AND $gpc_last::INTEGER)
