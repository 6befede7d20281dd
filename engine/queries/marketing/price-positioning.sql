WITH shelf AS MATERIALIZED (
  SELECT brand_id, retailer_id, price, observed_at, coalesce(brand_id = $brand_id::INTEGER, false) AS is_own
  FROM current_listing
  WHERE ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
    AND ($in_category::BOOLEAN OR brand_id = $brand_id::INTEGER)
), counted AS (
  SELECT price, is_own, count(*)::INTEGER AS listings, min(observed_at) AS observed_from, max(observed_at) AS observed_to
  FROM shelf GROUP BY ALL
), brand_price AS (
  SELECT brand_id, count(*)::INTEGER AS product_count, sum(price)::DOUBLE AS price_sum,
         quantile_cont(price, 0.5) AS median_price
  FROM shelf WHERE NOT is_own AND brand_id IS NOT NULL GROUP BY brand_id
), competitor AS (
  SELECT brand.brand, brand_norm, brand_price.* EXCLUDE (brand_id)
  FROM brand_price JOIN brand USING (brand_id)
  ORDER BY brand_price.product_count DESC, brand_norm LIMIT 10
), retailer_price AS (
  SELECT platform AS retailer, count(*)::INTEGER AS product_count, sum(price)::DOUBLE AS price_sum
  FROM shelf JOIN retailer USING (retailer_id) WHERE is_own GROUP BY platform
)
SELECT coalesce(list(price), []) AS prices, coalesce(list(is_own), []) AS are_own, coalesce(list(listings), []) AS listings,
       epoch(min(observed_from) FILTER (is_own)) AS observed_min, epoch(max(observed_to) FILTER (is_own)) AS observed_max,
       (SELECT list(competitor ORDER BY product_count DESC, brand_norm) FROM competitor) AS competitors,
       (SELECT list(retailer_price ORDER BY product_count DESC, retailer) FROM retailer_price) AS retailers
FROM counted
