-- Current listings at a moment before the last observation, with what the prices of the year to the newest say of it. What the
-- listings have of these is of the last observation.
WITH newest AS (
  SELECT listing_id, price AS newest_price, last_day AS newest_day FROM current_listing
), lowness AS (
  SELECT listing_id, count(*)::INTEGER AS observed_days, (count(*) FILTER (price < newest_price))::INTEGER AS lower_days,
         max(day) FILTER (price < newest_price) AS last_lower_day,
         arg_max(price, day) FILTER (price <> newest_price) AS previous_price
  FROM observation JOIN newest USING (listing_id)
  WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND ($first_listing::INTEGER IS NULL OR listing_id BETWEEN $first_listing::INTEGER AND $last_listing::INTEGER)
    AND month BETWEEN strftime($since::DATE - 365, '%Y-%m') AND strftime($before::DATE, '%Y-%m')
    AND day < $before::DATE AND day >= newest_day - 365 AND in_stock IS DISTINCT FROM false
  GROUP BY listing_id
)
SELECT current_listing.* REPLACE (
  coalesce(lowness.observed_days, 0) AS observed_days, coalesce(lowness.lower_days, 0) AS lower_days,
  lowness.last_lower_day AS last_lower_day, lowness.previous_price AS previous_price)
FROM current_listing LEFT JOIN lowness USING (listing_id)
