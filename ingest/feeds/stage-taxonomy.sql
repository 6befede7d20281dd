-- One file of category_taxonomy as rows in file order, each with the first rule it breaks on its own.
COPY (
  WITH typed AS (
    SELECT malformed, source, words(path_text) AS path, words(name_text) AS name, words(parent_text) AS parent_path,
      listed(aliases_text) AS aliases, listed(gpc_codes_text) AS gpc_codes, yes_no(is_accessory_text) AS is_accessory,
      yes_no(is_mixed_text) AS is_mixed, words(floor_us_text) AS price_floor_us,
      words(floor_ca_text) AS price_floor_ca, coalesce(yes_no(active_text), true) AS active
    FROM stated()
  ),
  placed AS (
    SELECT *, nullif(regexp_replace(path, '/?[^/]*$', ''), '') AS own_parent FROM typed
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
  SELECT getvariable('file')['number']::INTEGER AS file, path, name, own_parent AS parent_path,
    aliases, gpc_codes, is_accessory, is_mixed, price_floor_us, price_floor_ca, active, fault,
    CASE fault WHEN 'ROW_MALFORMED' THEN source WHEN 'PATH_INVALID' THEN path WHEN 'PARENT_MISMATCH' THEN parent_path
      END AS remark
  FROM checked
) TO (getvariable('file')['staged']) (FORMAT parquet, COMPRESSION lz4_raw);
