-- When the listings whose changes are queried were first and last observed from the day `changed_from` on; no row without an
-- observation.
WITH timed AS (
  SELECT epoch(day) + observed_second AS second FROM observation_time
  WHERE country = $country::VARCHAR AND month BETWEEN strftime($changed_from::DATE, '%Y-%m') AND $month_to::VARCHAR
    AND day >= $changed_from::DATE AND day < $to::DATE
    AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND listing_id IN (
      SELECT listing_id FROM listing
      WHERE country = $country::VARCHAR
        AND ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
        AND ($gpc_first::INTEGER IS NULL OR gpc_id BETWEEN $gpc_first::INTEGER AND $gpc_last::INTEGER)
        AND ($listing_ids::VARCHAR IS NULL OR listing_id IN (SELECT unnest(string_split($listing_ids::VARCHAR, ','))::INTEGER)))
)
SELECT min(second) AS first_second, max(second) AS last_second FROM timed HAVING count(*) > 0
