-- The nodes as told: a marketplace that is fed replaces what the lake knows of it.
WITH fed AS (
  SELECT marketplace, browse_id, name, parent_id, coalesce(path_ids, []) AS path_ids
  FROM read_parquet(getvariable('lake')['staged'] || '/browse_nodes-*.parquet')
  WHERE fault IS NULL
)
SELECT marketplace, browse_id, name, parent_id, path_ids, true AS is_fed FROM fed
UNION ALL
SELECT marketplace, browse_id, name, unnest(CASE WHEN parent_ids = [] THEN [NULL] ELSE parent_ids END), path_ids, false
FROM previous_browse_node
ANTI JOIN (SELECT DISTINCT marketplace FROM fed) USING (marketplace)
WHERE name IS NOT NULL
ORDER BY ALL;
