-- in: listing_type, gpc_node out:
-- Listings by the source of their type; and, of those whose retailer gives one, whether the other sources lead to the same
-- node, to one above it, or to another.
SELECT count(*) FILTER (gpc_source = 'listing')::INTEGER AS listing,
  count(*) FILTER (gpc_source = 'browse_node')::INTEGER AS browse_node,
  count(*) FILTER (gpc_source = 'category')::INTEGER AS category,
  count(*) FILTER (gpc_source = 'lexicon')::INTEGER AS lexicon,
  count(*) FILTER (type.gpc_id IS NULL)::INTEGER AS none,
  {'same': count(*) FILTER (otherwise_id = type.gpc_id)::INTEGER,
   'broader': count(*) FILTER (otherwise_id < type.gpc_id AND otherwise.gpc_last >= type.gpc_id)::INTEGER,
   'other': count(*) FILTER (otherwise_id > type.gpc_id OR otherwise.gpc_last < type.gpc_id)::INTEGER} AS agreement
FROM listing_type AS type LEFT JOIN gpc_node AS otherwise ON otherwise.gpc_id = otherwise_id;
