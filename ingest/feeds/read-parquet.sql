CREATE OR REPLACE TEMP VIEW raw AS
SELECT line, false AS malformed, NULL::VARCHAR AS source
FROM (
  SELECT *, NULL::VARCHAR AS "(absent)"
  FROM read_parquet(getvariable('file')['path'], hive_partitioning = false)
) AS line;
