WITH representative AS MATERIALIZED (
  SELECT price, list_price, promo_flag, in_stock, star_rating, brand_id, retailer_id, exclusion, representative_floor,
         observed_at
  FROM representative_listing($country::VARCHAR, $first::INTEGER, $last::INTEGER, $retailer_id::INTEGER,
    $since::DATE, $before::DATE, $shelf_depth::INTEGER,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
), scope AS (
  SELECT count(*)::INTEGER AS scope_count, max(representative_floor) AS representative_floor,
         excluded_counts(exclusion) AS excluded,
         epoch(min(observed_at)) AS observed_min, epoch(max(observed_at)) AS observed_max
  FROM representative
), summary AS (
  SELECT count(*)::INTEGER AS product_count, count(DISTINCT brand_id)::INTEGER AS brand_count,
         count(brand_id)::INTEGER AS branded_count, count(DISTINCT retailer_id)::INTEGER AS retailer_count,
         sum(price)::DOUBLE AS price_sum, min(price) AS min_price, max(price) AS max_price,
         quantile_cont(price, 0.5) AS median_price, avg(star_rating)::DOUBLE AS avg_rating,
         count(*) FILTER (on_promotion(promo_flag, price, list_price))::INTEGER AS promo_count,
         count(*) FILTER (in_stock)::INTEGER AS in_stock_count, count(in_stock)::INTEGER AS stock_known_count
  FROM representative WHERE exclusion IS NULL
), share AS (
  SELECT brand_id, count(*)::INTEGER AS product_count
  FROM representative WHERE exclusion IS NULL AND brand_id IS NOT NULL GROUP BY brand_id
), top_brand AS (
  SELECT brand.brand, brand.brand_norm, share.product_count
  FROM share JOIN brand USING (brand_id) ORDER BY share.product_count DESC, brand_norm LIMIT 10
)
SELECT scope.*, summary.*,
       (SELECT list({brand: brand, product_count: product_count} ORDER BY product_count DESC, brand_norm)
        FROM top_brand) AS top_brands
FROM scope, summary
