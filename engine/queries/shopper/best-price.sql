WITH offer AS MATERIALIZED (
  SELECT product_uid, entity_uid, product_id, product_name, brand, platform AS retailer, price, list_price,
         star_rating::DOUBLE AS star_rating, review_count, promo_flag, in_stock, condition, url,
         CASE WHEN rank <= $entity_count::INTEGER THEN 'entity' ELSE 'title' END AS match_type,
         epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
  FROM current_known($known_rows::VARCHAR, $country::VARCHAR, $first::INTEGER, $last::INTEGER,
         $since::DATE, $before::DATE)
       JOIN retailer USING (retailer_id)
), summary AS (
  SELECT count(*)::INTEGER AS price_count, count(DISTINCT retailer)::INTEGER AS retailer_count,
         sum(price)::DOUBLE AS price_sum, min(price) AS min_price, max(price) AS max_price,
         quantile_cont(price, 0.5) AS median_price, min(observed_at) AS observed_min, max(observed_at) AS observed_max
  FROM offer
)
SELECT offer.*, summary FROM offer, summary
ORDER BY coalesce(in_stock, false) DESC, price, product_uid
LIMIT $limit::BIGINT
