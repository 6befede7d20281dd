-- in: kept_observation, $lake out: arrival, described
-- The valid rows of this refresh, over all files. A file has only the attributes of its columns.
CREATE TEMP VIEW arrival AS
SELECT file, country, platform, listing_id AS product_id, observed_at, scraped_at, price, list_price, promo_flag,
  in_stock, seller_id, star_rating, review_count,
  product_name, brand, gtin, mpn, model, item_group_id, is_bundle, multipack, browse_ids, category_path,
  google_product_category, gpc_code, condition, url, size_value, size_unit, pack_count, seller_type,
  recommended_price
FROM kept_observation;

CREATE TEMP VIEW described AS
SELECT file, country, platform, listing_id AS product_id, last_seen_at,
  product_name, brand, gtin, mpn, model, item_group_id, is_bundle, multipack, browse_ids, category_path,
  google_product_category, gpc_code, condition, url, size_value, size_unit, pack_count, seller_type,
  recommended_price
FROM read_parquet(getvariable('lake')['staged_glob'] || '/product_catalogue-*.parquet', union_by_name = true)
WHERE fault IS NULL;
