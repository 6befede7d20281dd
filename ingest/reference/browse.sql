-- in: $lake, previous_browse_node out: duplicate
-- Returns the rows of the browse trees: those of a marketplace in the feeds replace the lake's.
CREATE TABLE browse_row AS
SELECT file, file_row_number, marketplace, browse_id, name, parent_id, path_ids
FROM read_parquet(getvariable('lake')['staged_glob'] || '/browse_nodes-*.parquet', file_row_number = true)
WHERE fault IS NULL;

-- Rows that repeat a node below the same parent.
INSERT INTO duplicate
WITH ranked AS (
  SELECT file, row_number() OVER (PARTITION BY marketplace, browse_id, parent_id, path_ids
    ORDER BY file, file_row_number) AS rank
  FROM browse_row
)
SELECT file, 'same_key', count(*) FROM ranked WHERE rank > 1 GROUP BY file;

SELECT marketplace, browse_id, name, parent_id, coalesce(path_ids, []) AS path_ids FROM browse_row
UNION ALL
SELECT marketplace, browse_id, name, unnest(CASE WHEN parent_ids = [] THEN [NULL] ELSE parent_ids END), path_ids
FROM previous_browse_node
ANTI JOIN (SELECT DISTINCT marketplace FROM browse_row) AS fed USING (marketplace)
WHERE name IS NOT NULL
ORDER BY ALL;
