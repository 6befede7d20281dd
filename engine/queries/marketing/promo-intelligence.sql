WITH observed_listing AS MATERIALIZED (
  SELECT CASE WHEN $by_brand::BOOLEAN THEN brand_id ELSE retailer_id END AS ranked_id,
         on_promotion(promo_flag, price, list_price) AS promoted,
         promotion_depth(price, list_price) AS depth
  FROM scope_observation WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), ranked AS (
  SELECT ranked_id, count(*)::INTEGER AS total_observations, count(*) FILTER (promoted)::INTEGER AS promo_observations,
         count(depth) FILTER (promoted)::INTEGER AS depth_count,
         sum(depth) FILTER (promoted)::DOUBLE AS depth_sum, max(depth) FILTER (promoted)::DOUBLE AS max_depth
  FROM observed_listing WHERE ranked_id IS NOT NULL GROUP BY ranked_id
), named AS (
  SELECT coalesce(brand.brand, retailer.platform) AS label, coalesce(brand_norm, platform) AS key, ranked.* EXCLUDE (ranked_id)
  FROM ranked
  LEFT JOIN brand ON $by_brand::BOOLEAN AND brand.brand_id = ranked_id
  LEFT JOIN retailer ON NOT $by_brand::BOOLEAN AND retailer.retailer_id = ranked_id
)
SELECT observed_min, observed_max, (SELECT list(named ORDER BY key) FROM named) AS ranked
FROM observed_between
