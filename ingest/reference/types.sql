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
