-- Current listings at a moment before the last observation, with what the prices of the year to the newest say of it.
-- What listed_price has is of the last observation.
WITH posted AS (
  SELECT listing_id, day, price, in_stock FROM observation
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND listing_id BETWEEN $first_listing::INTEGER AND $last_listing::INTEGER
    AND month BETWEEN strftime($since::DATE - 365, '%Y-%m') AND strftime($before::DATE, '%Y-%m')
    AND day >= $since::DATE - 365 AND day < $before::DATE
), last_posted AS (
  SELECT listing_id, max(day) AS last_day, arg_max(price, day) AS last_price FROM posted GROUP BY listing_id
), lowness AS (
  SELECT listing_id, count(*)::INTEGER AS observed_days, (count(*) FILTER (price < last_price))::INTEGER AS lower_days,
         max(day) FILTER (price < last_price) AS last_lower_day,
         arg_max(price, day) FILTER (price <> last_price) AS previous_price
  FROM posted JOIN last_posted USING (listing_id)
  WHERE in_stock IS DISTINCT FROM false AND day >= last_day - 365
  GROUP BY listing_id
)
SELECT listed_price.* REPLACE (
  coalesce(lowness.observed_days, 0) AS observed_days, coalesce(lowness.lower_days, 0) AS lower_days,
  strftime(lowness.last_lower_day, '%Y-%m-%d') AS last_lower_day, lowness.previous_price AS previous_price)
FROM listed_price LEFT JOIN lowness USING (listing_id)
