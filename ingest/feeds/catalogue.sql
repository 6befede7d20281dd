-- in: out:
-- The rows of one source of product_catalogue, each with the first rule it breaks.
CREATE TEMP MACRO checked_catalogue(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (platform_key(platform_text) AS platform, country_key(country_text) AS country),
    NULL::INTEGER AS review_count
  FROM query_table(in_source)
)
SELECT file, row, platform, country, listing_id, last_seen_at,
  COLUMNS(lambda name: name IN ('review_count', 'product_name', 'brand', 'gtin', 'mpn', 'model', 'item_group_id',
    'is_bundle', 'multipack', 'browse_ids', 'category_path', 'google_product_category', 'gpc_code', 'condition', 'url',
    'size_value', 'size_unit', 'pack_count', 'seller_type')),
  CASE
    WHEN malformed THEN 'ROW_MALFORMED'
    WHEN country IS NULL THEN 'COUNTRY_UNKNOWN'
    WHEN platform IS NULL THEN 'PLATFORM_INVALID'
    WHEN listing_id IS NULL THEN 'LISTING_ID_MISSING'
  END::fault AS fault,
  CASE
    WHEN malformed THEN NULL
    WHEN country IS NULL THEN country_text
    WHEN platform IS NULL THEN platform_text
    WHEN is_lost(last_seen_at_text, last_seen_at, last_seen_at) AND listing_id IS NOT NULL THEN 'last_seen_at:not_a_time'
  END AS remark
FROM keyed;
