-- When a scope was first and last observed in the days [from, to), in seconds since 1970. For a brand or
-- product type, from the times of its listings.
SELECT min(epoch(day) + observed_second) AS observed_min, max(epoch(day) + observed_second) AS observed_max
FROM observation_time
WHERE country = $country::VARCHAR AND month BETWEEN $month_from::VARCHAR AND $month_to::VARCHAR
  AND day >= $from::DATE AND day < $to::DATE
  AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
  AND listing_id IN (
    SELECT listing_id FROM listing
    WHERE country = $country::VARCHAR
      AND ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
      AND ($brand_id::INTEGER IS NULL OR brand_id = $brand_id::INTEGER)
      AND ($gpc_first::INTEGER IS NULL OR gpc_id BETWEEN $gpc_first::INTEGER AND $gpc_last::INTEGER))
