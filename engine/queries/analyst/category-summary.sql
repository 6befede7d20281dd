WITH kept AS MATERIALIZED (
  SELECT coalesce(brand_id, 0) AS brand_id, retailer_id, count(*)::INTEGER AS listings,
         count(star_rating)::INTEGER AS rated, sum(100 * star_rating) AS rating_sum,
         count(*) FILTER (on_promotion(promo_flag, price, list_price))::INTEGER AS promoted,
         count(*) FILTER (in_stock)::INTEGER AS in_stock, count(in_stock)::INTEGER AS stock_known
  FROM current_listing
  WHERE condition = 'new' AND accessory_depth <= $shelf_depth::INTEGER
    AND ($retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER)
    AND price BETWEEN $lowest_price::INTEGER AND $highest_price::INTEGER
  GROUP BY brand_id, retailer_id
)
SELECT coalesce(list(brand_id), []) AS brand_ids, coalesce(list(retailer_id), []) AS retailer_ids,
       coalesce(list(listings), []) AS brand_listings,
       coalesce(sum(rated), 0)::INTEGER AS rated_count, coalesce(sum(rating_sum), 0)::DOUBLE AS rating_sum,
       coalesce(sum(promoted), 0)::INTEGER AS promo_count, coalesce(sum(in_stock), 0)::INTEGER AS in_stock_count,
       coalesce(sum(stock_known), 0)::INTEGER AS stock_known_count
FROM kept
