-- A delimited file as text. Lines it cannot split go to the table `reject_errors`.
CREATE OR REPLACE TEMP VIEW raw AS
SELECT line, false AS malformed, NULL::VARCHAR AS source
FROM (
  SELECT *, NULL::VARCHAR AS "(absent)"
  FROM read_csv(getvariable('file')['path'], auto_detect = false, header = true, columns = getvariable('headers'),
    delim = getvariable('file')['delimiter'], quote = '"', escape = '"', store_rejects = true, rejects_limit = 0)
) AS line;
