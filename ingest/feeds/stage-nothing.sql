-- A staged file without rows for each feed: later steps read every feed and column, whether or not a file has them.
COPY (
  SELECT 0 AS file, '' AS platform, '' AS country, '' AS listing_id, TIMESTAMP '2000-01-01' AS observed_at,
    TIMESTAMP '2000-01-01' AS scraped_at, 0 AS price, 0 AS list_price, false AS promo_flag, false AS in_stock,
    '' AS seller_id, 0::DECIMAL(3, 2) AS star_rating, 0 AS review_count,
    '' AS product_name, '' AS brand, '' AS gtin, '' AS mpn, '' AS model, '' AS item_group_id, '' AS is_bundle,
    '' AS multipack, '' AS browse_ids, '' AS category_path, '' AS google_product_category, '' AS gpc_code,
    '' AS condition, '' AS url, '' AS size_value, '' AS size_unit, '' AS pack_count, '' AS seller_type,
    '' AS fault, '' AS remark
  WHERE false
) TO (getvariable('lake')['staged'] || '/price_observations-none.parquet') (FORMAT parquet);

COPY (
  SELECT 0 AS file, '' AS platform, '' AS country, '' AS listing_id, TIMESTAMP '2000-01-01' AS last_seen_at,
    '' AS product_name, '' AS brand, '' AS gtin, '' AS mpn, '' AS model, '' AS item_group_id, '' AS is_bundle,
    '' AS multipack, '' AS browse_ids, '' AS category_path, '' AS google_product_category, '' AS gpc_code,
    '' AS condition, '' AS url, '' AS size_value, '' AS size_unit, '' AS pack_count, '' AS seller_type,
    '' AS fault, '' AS remark
  WHERE false
) TO (getvariable('lake')['staged'] || '/product_catalogue-none.parquet') (FORMAT parquet);

COPY (
  SELECT 0 AS file, '' AS path, '' AS name, '' AS parent_path, [''] AS aliases, [''] AS gpc_codes,
    false AS is_accessory, false AS is_mixed, '' AS price_floor_us, '' AS price_floor_ca, true AS active, '' AS fault,
    '' AS remark
  WHERE false
) TO (getvariable('lake')['staged'] || '/category_taxonomy-none.parquet') (FORMAT parquet);

COPY (
  SELECT 0 AS file, '' AS platform, '' AS post_id, TIMESTAMP '2000-01-01' AS posted_at,
    TIMESTAMP '2000-01-01' AS collected_at, '' AS category_root, '' AS brand_source, [''] AS gpc_codes, '' AS theme,
    0::BIGINT AS views, 0::BIGINT AS engagements, false AS is_ad, false AS is_noise, '' AS fault, '' AS remark
  WHERE false
) TO (getvariable('lake')['staged'] || '/social_posts-none.parquet') (FORMAT parquet);
