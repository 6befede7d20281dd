-- in: $files out:
-- What the footers of a table's files say of each column, by file: bytes, values, nulls, and bounds of each row group.
SELECT file_name, path_in_schema AS name, sum(total_compressed_size)::DOUBLE AS bytes, sum(num_values)::DOUBLE AS values,
  sum(stats_null_count)::DOUBLE AS nulls, list(stats_min_value) AS lower, list(stats_max_value) AS upper
FROM parquet_metadata(getvariable('files'))
GROUP BY ALL;
