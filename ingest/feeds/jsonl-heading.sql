-- The keys of a file's first thousand objects.
WITH line AS (
  SELECT source
  FROM read_csv($path::VARCHAR, auto_detect = false, header = false, columns = {'source': 'VARCHAR'},
    delim = chr(1), quote = '', escape = '', ignore_errors = true)
  LIMIT 1000
)
SELECT DISTINCT unnest(CASE WHEN json_valid(source) THEN json_keys(source) END) AS name FROM line ORDER BY name;
