-- When a scope was first and last observed in the days [from, to), in seconds since 1970. From the roll-up by
-- shelf.
SELECT min(epoch(day) + first_second) AS observed_min, max(epoch(day) + last_second) AS observed_max
FROM shelf_day
WHERE country = $country::VARCHAR AND day >= $from::DATE AND day < $to::DATE
  AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
  AND ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
