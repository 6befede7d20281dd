-- One file of product_catalogue as rows in file order, each with the first rule it breaks.
COPY (
  WITH typed AS (
    SELECT *, key(platform_text) AS platform, key(country_text) AS country, words(listing_text) AS listing_id,
      instant(last_seen_text) AS last_seen_at
    FROM stated
  ),
  checked AS (
    SELECT *,
      CASE
        WHEN malformed THEN 'ROW_MALFORMED'
        WHEN country IS NULL OR country NOT IN ('us', 'ca') THEN 'COUNTRY_UNKNOWN'
        WHEN platform IS NULL OR NOT regexp_full_match(platform, '[a-z0-9][a-z0-9_-]{0,63}') THEN 'PLATFORM_INVALID'
        WHEN listing_id IS NULL THEN 'LISTING_ID_MISSING'
      END AS fault
    FROM typed
  )
  SELECT getvariable('file').number AS file, platform, country, listing_id, last_seen_at, attributes, fault,
    CASE fault WHEN 'ROW_MALFORMED' THEN source WHEN 'COUNTRY_UNKNOWN' THEN country_text
      WHEN 'PLATFORM_INVALID' THEN platform_text END AS fault_value,
    NULL::VARCHAR AS dropped
  FROM checked
) TO (getvariable('file').staged) (FORMAT parquet, COMPRESSION lz4_raw);
