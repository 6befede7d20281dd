WITH deal AS MATERIALIZED (
  SELECT category_id, listing_id, brand_id IS NOT NULL AS is_branded, product_uid, observed_at, (list_price - price)::DOUBLE / list_price AS depth,
         depth * ln(price / 100.0) AS score
  FROM current_listing
  WHERE in_stock AND price >= 500
    AND 100.0 * (list_price - price) >= $min_discount_pct::DOUBLE * list_price
    AND 10 * (list_price::BIGINT - price) <= 7 * list_price::BIGINT
    AND ($brand_id::INTEGER IS NULL OR brand_id IS NULL OR brand_id = $brand_id::INTEGER)
    AND ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
), summary AS (
  SELECT count(*) FILTER (is_branded)::INTEGER AS total_deals_found,
         count(*) FILTER (NOT is_branded)::INTEGER AS unbranded_left_out,
         epoch(min(observed_at) FILTER (is_branded)) AS observed_min,
         epoch(max(observed_at) FILTER (is_branded)) AS observed_max
  FROM deal
), best AS MATERIALIZED (
  SELECT category_id, listing_id, row_number() OVER (ORDER BY score DESC, depth DESC, product_uid)::INTEGER AS place
  FROM deal WHERE is_branded
  QUALIFY place <= $limit::INTEGER
), listed AS (
  SELECT place, gpc_id, gpc_precision, gpc_source, product_uid, entity_uid, product_id, product_name, brand, platform AS retailer,
         price, list_price, star_rating::DOUBLE AS star_rating, review_count, promo_flag, in_stock, condition, url,
         CASE WHEN entity_uid IS NULL THEN 'title' ELSE 'entity' END AS match_type,
         epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
  FROM current_listing JOIN best USING (category_id, listing_id)
       JOIN retailer USING (retailer_id)
)
SELECT summary.*, (SELECT list(listed ORDER BY place) FROM listed) AS deals FROM summary
