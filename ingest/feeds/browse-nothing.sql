-- Names as marketplaces write them in exports of their trees.
CREATE TEMP MACRO html_unescaped(in_text) AS
  CASE WHEN contains(in_text, '&')
    THEN replace(replace(replace(replace(replace(replace(replace(in_text, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'),
      '&apos;', ''''), '&#39;', ''''), '&nbsp;', ' '), '&amp;', '&')
    ELSE in_text END;

COPY (
  SELECT 0 AS file, '' AS marketplace, '' AS browse_id, '' AS name, '' AS parent_id, [''] AS path_ids, '' AS fault,
    '' AS remark
  WHERE false
) TO (getvariable('lake')['staged'] || '/browse_nodes-none.parquet') (FORMAT parquet);
