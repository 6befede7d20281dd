-- The observations of a scope in the days [from, to), of all retailers.
SELECT * FROM observation
WHERE country = $country::VARCHAR AND month BETWEEN $month_from::VARCHAR AND $month_to::VARCHAR
  AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
  AND ($brand_id::INTEGER IS NULL OR brand_id = $brand_id::INTEGER)
  AND day >= $from::DATE AND day < $to::DATE
