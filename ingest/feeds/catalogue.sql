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
    'size_value', 'size_unit', 'pack_count', 'seller_type', 'recommended_price')),
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
    WHEN listing_id IS NOT NULL THEN nullif(concat_ws(' ',
      CASE WHEN is_lost(last_seen_at_text, last_seen_at, last_seen_at) THEN 'last_seen_at:not_a_time' END,
      'recommended_price:' || recommended_price_lost), '')
  END AS remark
FROM keyed;

-- The rows of one source of category_taxonomy, each with the first rule it breaks on its own; whether its ancestors
-- exist is checked after all rows are read.
CREATE TEMP MACRO checked_taxonomy(in_source) AS TABLE
WITH placed AS (
  SELECT *, nullif(regexp_replace(path, '/?[^/]*$', ''), '') AS own_parent FROM query_table(in_source)
),
checked AS (
  SELECT *,
    CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN path IS NULL OR path <> lower(path) OR NOT regexp_full_match(path, '[^/\s]+(?:/[^/\s]+){0,7}')
        THEN 'PATH_INVALID'
      WHEN name IS NULL THEN 'NAME_MISSING'
      WHEN parent_path IS NOT NULL AND parent_path IS DISTINCT FROM own_parent THEN 'PARENT_MISMATCH'
    END AS fault
  FROM placed
)
SELECT file, row, path, name, own_parent AS parent_path, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us,
  price_floor_ca, coalesce(active, true) AS active, fault::fault AS fault,
  CASE fault WHEN 'PATH_INVALID' THEN path WHEN 'PARENT_MISMATCH' THEN parent_path END AS remark
FROM checked;

-- The rows of one source of browse_nodes, each with the first rule it breaks.
CREATE TEMP MACRO checked_browse_nodes(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (country_key(marketplace_text) AS marketplace, words(html_unescaped(name_text)) AS name)
  FROM query_table(in_source)
),
checked AS (
  SELECT *,
    CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN marketplace IS NULL THEN 'MARKETPLACE_UNKNOWN'
      WHEN browse_id IS NULL OR NOT regexp_full_match(browse_id, '\d{1,20}') THEN 'BROWSE_ID_INVALID'
      WHEN name IS NULL THEN 'NAME_MISSING'
    END AS fault
  FROM keyed
)
SELECT file, row, marketplace, browse_id, name, parent_id, path_ids, fault::fault AS fault,
  CASE fault WHEN 'MARKETPLACE_UNKNOWN' THEN marketplace_text WHEN 'BROWSE_ID_INVALID' THEN browse_id_text END AS remark
FROM checked;
