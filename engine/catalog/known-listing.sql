-- What is known of each listing, as known-listing.ts reads it, in the order of the files.
SELECT json_array(
  listing_id, product_uid, entity_uid, product_id, product_name, brand, retailer_id, condition, url,
  star_rating::DOUBLE, review_count, gpc_id, gpc_precision, gpc_source, price, list_price, promo_flag, in_stock,
  epoch(observed_at), epoch(scraped_at), strftime(first_day, '%Y-%m-%d'), strftime(last_day, '%Y-%m-%d'))::VARCHAR AS known
FROM listing WHERE country = $country::VARCHAR
