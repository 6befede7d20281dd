-- Current listings at a moment after every observation: the listings have the newest prices.
SELECT * FROM listing
WHERE country = $country::VARCHAR AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
  AND ($gpc_first::INTEGER IS NULL OR gpc_id BETWEEN $gpc_first::INTEGER AND $gpc_last::INTEGER)
  AND last_day >= $since::DATE AND last_day < $before::DATE
