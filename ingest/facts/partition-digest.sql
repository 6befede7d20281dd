WITH hashed AS (
  SELECT hash(category_id, listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock,
    observed_second) AS hash
  FROM merged
)
SELECT count(*)::INTEGER AS observations, sum(hash)::VARCHAR AS hash
FROM hashed;
