-- in: $file out:
-- The remarks of a delimited file, which are the lines before its header that begin with `#`, and then its lines as
-- JSON objects of texts.
CREATE OR REPLACE TEMP TABLE first_line AS
WITH line AS (
  SELECT coalesce(line, '') AS line
  FROM read_csv(getvariable('file')['path'], auto_detect = false, header = false, columns = {'line': 'VARCHAR'},
    delim = chr(1), quote = '', escape = '')
  LIMIT 1000
)
SELECT row_number() OVER () AS number, line FROM line;

SET VARIABLE skip = (
  SELECT coalesce(min(number) FILTER (NOT starts_with(line, '#')) - 1, count(*)) FROM first_line
);

SELECT line AS remark, NULL AS record FROM first_line WHERE number <= getvariable('skip')
UNION ALL
SELECT NULL, to_json(line)::VARCHAR
FROM read_csv(getvariable('file')['path'], all_varchar = true, header = true, skip = getvariable('skip'),
  delim = getvariable('file')['delimiter'], quote = '"', escape = '"', ignore_errors = false) AS line;
