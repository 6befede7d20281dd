-- in: attribute, browse_match, final_listing, gpc_node, gpc_attribute, crosswalk, lexicon out: final_browse_node, final_type_shelf
-- The reference tables of the snapshot. Returns their parts of the digest.

-- A browse node is in the serving catalogue if a listing of the snapshot is on it.
CREATE TABLE final_browse_node AS
WITH served AS (
  SELECT DISTINCT country AS marketplace, unnest(listed(browse_ids.value)) AS browse_id
  FROM attribute WHERE browse_ids.value IS NOT NULL
)
SELECT browse_match.*, served.browse_id IS NOT NULL AS in_serving_catalog
FROM browse_match LEFT JOIN served USING (marketplace, browse_id)
ORDER BY browse_id, marketplace;

-- The number of listings of each type on each shelf, by which queries find the shelves of a type.
CREATE TABLE final_type_shelf AS
SELECT gpc_id, country, category_id, count(*)::INTEGER AS product_count
FROM final_listing WHERE gpc_id IS NOT NULL
GROUP BY ALL
ORDER BY gpc_id, country, category_id;

SELECT 'gpc_nodes' AS name, count(*)::INTEGER AS rows, sum(hash(gpc_node))::VARCHAR AS hash FROM gpc_node
UNION ALL
SELECT 'gpc_attributes', count(*)::INTEGER, sum(hash(gpc_attribute))::VARCHAR FROM gpc_attribute
UNION ALL
SELECT 'gpc_shelves', count(*)::INTEGER, sum(hash(final_type_shelf))::VARCHAR FROM final_type_shelf
UNION ALL
SELECT 'browse_nodes', count(*)::INTEGER, sum(hash(final_browse_node))::VARCHAR FROM final_browse_node
UNION ALL
SELECT 'crosswalk', count(*)::INTEGER, sum(hash(crosswalk))::VARCHAR FROM crosswalk
UNION ALL
SELECT 'lexicon', count(*)::INTEGER, sum(hash(lexicon))::VARCHAR FROM lexicon;
