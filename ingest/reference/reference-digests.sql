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
