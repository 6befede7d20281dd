-- Listings in memory for looking up a few by their rows: SELECT ... FROM known_listing WHERE rowid IN (...) takes about a
-- millisecond, where the files take one for every listing. Rows stand in the order of the files.
INSERT INTO known_listing
SELECT country, category_id, listing_id, retailer_id, product_uid, entity_uid, product_id, product_name, brand, condition,
  url, star_rating, review_count, price, list_price, promo_flag, in_stock, observed_at, scraped_at, last_day,
  gpc_id, gpc_precision, gpc_source
FROM listing;
