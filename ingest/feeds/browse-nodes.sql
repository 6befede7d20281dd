-- in: out:
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
