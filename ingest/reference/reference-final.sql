-- A browse node is in the serving catalogue when a listing of this snapshot stands on it.
CREATE TABLE final_browse_node AS
WITH served AS (
  SELECT DISTINCT country AS marketplace, unnest(listed(browse_ids.value)) AS browse_id
  FROM attribute WHERE browse_ids.value IS NOT NULL
)
SELECT browse_match.*, served.browse_id IS NOT NULL AS in_serving_catalog
FROM browse_match LEFT JOIN served USING (marketplace, browse_id)
ORDER BY browse_id, marketplace;

-- How many listings of each type stand on each shelf: planning finds a type's shelves in it.
CREATE TABLE final_type_shelf AS
SELECT gpc_id, country, category_id, count(*)::INTEGER AS product_count
FROM final_listing WHERE gpc_id IS NOT NULL
GROUP BY ALL
ORDER BY gpc_id, country, category_id;
