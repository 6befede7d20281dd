-- in: $files out:
-- The columns of a table with their types.
SELECT column_name AS name, column_type AS type
FROM (DESCRIBE SELECT * FROM read_parquet(getvariable('files'), hive_partitioning = false));
