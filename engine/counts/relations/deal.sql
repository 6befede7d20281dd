-- The deals of the queried brand or of none; a deeper discount more likely means a wrong list price.
SELECT *, discount * ln(price / ($min_price::INTEGER // 5)) AS score
FROM listed_price
WHERE in_stock AND price >= $min_price::INTEGER
  AND 100.0 * (list_price - price) >= $min_discount_pct::DOUBLE * list_price
  AND 10 * (list_price::BIGINT - price) <= 7 * list_price::BIGINT
  AND ($brand_id::INTEGER IS NULL OR brand_id IS NULL OR brand_id = $brand_id::INTEGER)
  AND ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
