WITH shelf AS MATERIALIZED (
  SELECT brand_id, retailer_id, price, observed_at, brand_id IS NOT DISTINCT FROM $brand_id::INTEGER AS own
  FROM current_listing($country::VARCHAR, $first::INTEGER, $last::INTEGER, $since::DATE, $before::DATE,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
  WHERE ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
    AND ($in_category::BOOLEAN OR brand_id = $brand_id::INTEGER)
), position AS MATERIALIZED (
  SELECT count(*) FILTER (own)::INTEGER AS product_count, sum(price) FILTER (own)::DOUBLE AS price_sum,
         quantile_cont(price, 0.5) FILTER (own) AS median_price,
         count(*)::INTEGER AS category_count, sum(price)::DOUBLE AS category_sum,
         quantile_cont(price, [0.33, 0.50, 0.67]) AS category_quantiles,
         epoch(min(observed_at) FILTER (own)) AS observed_min, epoch(max(observed_at) FILTER (own)) AS observed_max
  FROM shelf
), brand_price AS (
  SELECT brand_id, count(*)::INTEGER AS product_count, sum(price)::DOUBLE AS price_sum,
         quantile_cont(price, 0.5) AS median_price
  FROM shelf WHERE NOT own AND brand_id IS NOT NULL GROUP BY brand_id
), competitor AS (
  SELECT brand.brand, brand_norm, brand_price.* EXCLUDE (brand_id)
  FROM brand_price JOIN brand USING (brand_id)
  ORDER BY brand_price.product_count DESC, brand_norm LIMIT 10
), retailer_price AS (
  SELECT platform AS retailer, count(*)::INTEGER AS product_count, sum(price)::DOUBLE AS price_sum
  FROM shelf JOIN retailer USING (retailer_id) WHERE own GROUP BY platform
)
SELECT position.*,
       (SELECT count(*) FROM shelf WHERE price < median_price)::INTEGER AS cheaper_count,
       (SELECT list(competitor ORDER BY product_count DESC, brand_norm) FROM competitor) AS competitors,
       (SELECT list(retailer_price ORDER BY product_count DESC, retailer) FROM retailer_price) AS retailers
FROM position
