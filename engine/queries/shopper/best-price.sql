SELECT listing_id, product_uid, entity_uid, product_id, product_name, brand, retailer_id, gpc_id, gpc_precision, gpc_source,
       price, list_price,
       star_rating::DOUBLE AS star_rating, review_count, promo_flag, in_stock, condition, url,
       epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
FROM current_listing
WHERE listing_id BETWEEN $first_listing::INTEGER AND $last_listing::INTEGER
  AND listing_id IN (SELECT unnest(string_split($listing_ids::VARCHAR, ','))::INTEGER)
ORDER BY listing_id
