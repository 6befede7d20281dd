-- One file of browse_nodes as rows in file order, each with the first rule it breaks.
COPY (
  WITH typed AS (
    SELECT malformed, source, country_key(marketplace_text) AS marketplace, words(browse_text) AS browse_id,
      words(html_unescaped(name_text)) AS name, words(parent_id_text) AS parent_id, listed(path_ids_text) AS path_ids,
      marketplace_text, browse_text
    FROM stated()
  ),
  checked AS (
    SELECT *,
      CASE
        WHEN malformed THEN 'ROW_MALFORMED'
        WHEN marketplace IS NULL THEN 'MARKETPLACE_UNKNOWN'
        WHEN browse_id IS NULL OR NOT regexp_full_match(browse_id, '\d{1,20}') THEN 'BROWSE_ID_INVALID'
        WHEN name IS NULL THEN 'NAME_MISSING'
      END AS fault
    FROM typed
  )
  SELECT getvariable('file')['number']::INTEGER AS file, marketplace, browse_id, name, parent_id, path_ids, fault,
    CASE fault WHEN 'ROW_MALFORMED' THEN source WHEN 'MARKETPLACE_UNKNOWN' THEN marketplace_text
      WHEN 'BROWSE_ID_INVALID' THEN browse_text END AS remark
  FROM checked
) TO (getvariable('file')['staged']) (FORMAT parquet, COMPRESSION lz4_raw);
