-- The product type comes from the listings: it changes with a GPC release, months do not.
SELECT * FROM scope_month_any_type
WHERE $gpc_first::INTEGER IS NULL OR listing_id IN (
  SELECT listing_id FROM listing
  WHERE country = $country::VARCHAR AND gpc_id BETWEEN $gpc_first::INTEGER AND $gpc_last::INTEGER)
