-- One file of product_catalogue as rows in file order, each with the first rule it breaks.
COPY (
  WITH typed AS (
    SELECT * EXCLUDE (platform, country), platform_key(platform_text) AS platform, country_key(country_text) AS country,
      words(listing_text) AS listing_id, NULL::INTEGER AS review_count,
      instant(last_seen_text) AS last_seen_at
    FROM stated()
  ),
  checked AS (
    SELECT *,
      CASE
        WHEN malformed THEN 'ROW_MALFORMED'
        WHEN country IS NULL THEN 'COUNTRY_UNKNOWN'
        WHEN platform IS NULL THEN 'PLATFORM_INVALID'
        WHEN listing_id IS NULL THEN 'LISTING_ID_MISSING'
      END AS fault
    FROM typed
  )
  SELECT getvariable('file')['number']::INTEGER AS file, platform, country, listing_id, last_seen_at,
    COLUMNS(lambda name: list_contains(getvariable('lists')['kept'], name)), fault,
    CASE fault WHEN 'ROW_MALFORMED' THEN source WHEN 'COUNTRY_UNKNOWN' THEN country_text
      WHEN 'PLATFORM_INVALID' THEN platform_text END AS remark
  FROM checked
) TO (getvariable('file')['staged']) (FORMAT parquet, COMPRESSION lz4_raw);
