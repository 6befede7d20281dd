WITH current AS MATERIALIZED (
  SELECT category_id, listing_id, product_uid, brand_id, retailer_id, price, observed_at,
         on_promotion(promo_flag, price, list_price) AS is_promoted,
         CASE $sort::VARCHAR WHEN 'price' THEN price WHEN '-price' THEN -price
           WHEN 'discount' THEN -greatest(0, coalesce((list_price - price)::DOUBLE / list_price, 0))
           ELSE -coalesce(review_count, 0) END AS sort_key
  FROM current_listing
  WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), priced AS (
  SELECT price, count(*)::INTEGER AS listings, count(*) FILTER (is_promoted)::INTEGER AS promoted FROM current GROUP BY price
), named AS (
  SELECT coalesce(brand_id, 0) AS brand_id, retailer_id, min(observed_at) AS observed_from, max(observed_at) AS observed_to
  FROM current GROUP BY brand_id, retailer_id
), page AS (
  -- Sorted by uid and key only: texts are read just for the page.
  SELECT category_id, listing_id, sort_key, product_uid FROM current
  ORDER BY sort_key, product_uid LIMIT $limit::INTEGER OFFSET $offset::INTEGER
), placed AS MATERIALIZED (
  SELECT category_id, listing_id, row_number() OVER (ORDER BY sort_key, product_uid)::INTEGER AS place FROM page
), listed AS (
  SELECT place, product_uid, entity_uid, product_id, product_name, brand.brand, platform AS retailer, price, list_price,
         star_rating::DOUBLE AS star_rating, review_count, promo_flag, in_stock, condition, url,
         CASE WHEN entity_uid IS NULL THEN 'title' ELSE 'entity' END AS match_type,
         epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
  FROM current_listing JOIN placed USING (category_id, listing_id)
       JOIN retailer USING (retailer_id) LEFT JOIN brand USING (brand_id)
)
SELECT (SELECT {prices: list(price), listings: list(listings), promoted: sum(promoted)::INTEGER} FROM priced) AS counts,
       list(brand_id) AS brand_ids, list(retailer_id) AS retailer_ids,
       epoch(min(observed_from)) AS observed_min, epoch(max(observed_to)) AS observed_max,
       (SELECT list(listed ORDER BY place) FROM listed) AS products
FROM named
