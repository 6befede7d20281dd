-- The listing-months of a scope in the full months of its window, of all retailers; none if whole_from > whole_to.
SELECT * FROM listing_month
WHERE country = $country::VARCHAR AND year BETWEEN left($whole_from::VARCHAR, 4) AND left($whole_to::VARCHAR, 4)
  AND period BETWEEN ($whole_from::VARCHAR || '-01')::DATE AND ($whole_to::VARCHAR || '-01')::DATE
  AND category_id BETWEEN $first::INTEGER AND $last::INTEGER
  AND ($brand_id::INTEGER IS NULL OR brand_id = $brand_id::INTEGER)
