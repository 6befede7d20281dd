-- in: out:
-- The rows of one source of category_taxonomy, each with the first rule it breaks on its own; whether its ancestors
-- exist is checked when all rows are known.
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
