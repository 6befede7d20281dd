-- Rows of browse_nodes that repeat a node below the same parent.
INSERT INTO duplicate
WITH placed AS (
  SELECT file, row_number() OVER (PARTITION BY marketplace, browse_id, parent_id, path_ids
    ORDER BY file, file_row_number) AS place
  FROM read_parquet(getvariable('lake')['staged'] || '/browse_nodes-*.parquet', file_row_number = true)
  WHERE fault IS NULL
)
SELECT file, 'same_key', count(*) FROM placed WHERE place > 1 GROUP BY file;
