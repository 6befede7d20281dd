-- A file of one JSON object a line, as text: CSV of a single column whose delimiter never occurs.
CREATE OR REPLACE TEMP VIEW raw AS
SELECT json_transform(CASE WHEN NOT malformed THEN source END, getvariable('file')['fields']) AS line, malformed, source
FROM (
  SELECT source, CASE WHEN json_valid(source) THEN json_type(source) <> 'OBJECT' ELSE true END AS malformed
  FROM read_csv(getvariable('file')['path'], auto_detect = false, header = false, columns = {'source': 'VARCHAR'},
    delim = chr(1), quote = '', escape = '', store_rejects = true, rejects_limit = 0)
  WHERE source IS NOT NULL
);
