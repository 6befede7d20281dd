WITH current AS MATERIALIZED (
  SELECT product_uid, entity_uid, product_id, product_name, brand_id, retailer_id, price, list_price, star_rating,
         review_count, promo_flag, in_stock, condition, url, observed_at, scraped_at
  FROM current_listing($country::VARCHAR, $first::INTEGER, $last::INTEGER, $since::DATE, $before::DATE,
    in_gpc_first := $gpc_first::INTEGER, in_gpc_last := $gpc_last::INTEGER)
  WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), summary AS (
  SELECT count(*)::INTEGER AS total_products, count(DISTINCT brand_id)::INTEGER AS brand_count,
         count(DISTINCT retailer_id)::INTEGER AS retailer_count, sum(price)::DOUBLE AS price_sum,
         quantile_cont(price, 0.5) AS median_price, min(price) AS min_price, max(price) AS max_price,
         count(*) FILTER (on_promotion(promo_flag, price, list_price))::INTEGER AS promo_count,
         epoch(min(observed_at)) AS observed_min, epoch(max(observed_at)) AS observed_max
  FROM current
), page AS (
  SELECT *, row_number() OVER (ORDER BY
           CASE $sort::VARCHAR WHEN 'price' THEN price WHEN '-price' THEN -price
             WHEN 'discount' THEN -greatest(0, coalesce((list_price - price)::DOUBLE / list_price, 0))
             ELSE -coalesce(review_count, 0) END, product_uid)::INTEGER AS place
  FROM current
), listed AS (
  SELECT place, product_uid, entity_uid, product_id, product_name, brand.brand, platform AS retailer, price, list_price,
         star_rating::DOUBLE AS star_rating, review_count, promo_flag, in_stock, condition, url,
         CASE WHEN entity_uid IS NULL THEN 'title' ELSE 'entity' END AS match_type,
         epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
  FROM page JOIN retailer USING (retailer_id) LEFT JOIN brand USING (brand_id)
  WHERE place > $offset::INTEGER AND place <= $offset::INTEGER + $limit::INTEGER
)
SELECT summary.*, (SELECT list(listed ORDER BY place) FROM listed) AS products FROM summary
