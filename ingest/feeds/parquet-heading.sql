SELECT column_name AS name, column_type AS type
FROM (DESCRIBE SELECT * FROM read_parquet($path::VARCHAR, hive_partitioning = false));
