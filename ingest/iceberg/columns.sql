-- in: $files out:
-- The columns of a table with their types, and what the footer of each file says of them: bytes, values, nulls, and the
-- bounds of each row group. Footers have other names for the elements of lists.
WITH described AS (
  SELECT row_number() OVER () AS number, column_name AS name, column_type AS type
  FROM (DESCRIBE SELECT * FROM read_parquet(getvariable('files'), hive_partitioning = false))
),
statistics AS (
  SELECT file_name, path_in_schema AS name, sum(total_compressed_size)::DOUBLE AS bytes, sum(num_values)::DOUBLE AS values,
    sum(stats_null_count)::DOUBLE AS nulls, list(stats_min_value) AS lower, list(stats_max_value) AS upper
  FROM parquet_metadata(getvariable('files'))
  GROUP BY ALL
)
SELECT name, type, coalesce(list({'file': file_name, 'bytes': bytes, 'values': values, 'nulls': nulls, 'lower': lower,
  'upper': upper}) FILTER (file_name IS NOT NULL), []) AS statistics
FROM described LEFT JOIN statistics USING (name)
GROUP BY number, name, type
ORDER BY number;
