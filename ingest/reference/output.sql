-- name: types
-- in: attribute, gpc_node, browse_match, listing, shelf_type out: listing_type
-- The product type of each listing: the retailer's, else the match of its browse nodes (the narrowest, of equals the
-- first), else that of its shelf. `otherwise_id` is the type without the retailer's.
CREATE TABLE listing_type AS
WITH own AS (
  SELECT listing_id, gpc_id, 'exactMatch' AS gpc_precision, 'listing' AS gpc_source
  FROM attribute JOIN gpc_node ON code = gpc_code.value
  WHERE active
),
carried AS (
  SELECT listing_id, country, unnest(listed(browse_ids.value)) AS browse_id,
    generate_subscripts(listed(browse_ids.value), 1) AS place
  FROM attribute WHERE browse_ids.value IS NOT NULL
),
mapped AS (
  SELECT listing_id, gpc_id, match_precision AS gpc_precision, 'browse_node' AS gpc_source
  FROM carried
  JOIN browse_match ON marketplace = country AND browse_match.browse_id = carried.browse_id
  JOIN gpc_node ON code = gpc_code
  QUALIFY row_number() OVER (PARTITION BY listing_id ORDER BY gpc_last - gpc_id, match_source DESC, place) = 1
),
shelved AS (
  SELECT listing_id, gpc_id, gpc_precision, gpc_source FROM listing JOIN shelf_type USING (category_id)
)
SELECT listing_id,
  coalesce(own.gpc_id, mapped.gpc_id, shelved.gpc_id) AS gpc_id,
  coalesce(own.gpc_precision, mapped.gpc_precision, shelved.gpc_precision) AS gpc_precision,
  coalesce(own.gpc_source, mapped.gpc_source, shelved.gpc_source) AS gpc_source,
  CASE WHEN own.gpc_id IS NOT NULL THEN coalesce(mapped.gpc_id, shelved.gpc_id) END AS otherwise_id
FROM listing
LEFT JOIN own USING (listing_id)
LEFT JOIN mapped USING (listing_id)
LEFT JOIN shelved USING (listing_id);

-- Listings by the source of their type; and, for those with a type from the retailer, whether the other sources give
-- the same node, an ancestor of it, or another one.
SELECT count(*) FILTER (gpc_source = 'listing')::INTEGER AS listing,
  count(*) FILTER (gpc_source = 'browse_node')::INTEGER AS browse_node,
  count(*) FILTER (gpc_source = 'category')::INTEGER AS category,
  count(*) FILTER (gpc_source = 'lexicon')::INTEGER AS lexicon,
  count(*) FILTER (type.gpc_id IS NULL)::INTEGER AS none,
  {'same': count(*) FILTER (otherwise_id = type.gpc_id)::INTEGER,
   'broader': count(*) FILTER (otherwise_id < type.gpc_id AND otherwise.gpc_last >= type.gpc_id)::INTEGER,
   'other': count(*) FILTER (otherwise_id > type.gpc_id OR otherwise.gpc_last < type.gpc_id)::INTEGER} AS agreement
FROM listing_type AS type LEFT JOIN gpc_node AS otherwise ON otherwise.gpc_id = otherwise_id;

-- name: final
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
