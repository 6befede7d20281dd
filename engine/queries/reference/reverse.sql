-- The browse nodes of each code asked for, in its order: how many, and the first 50, those mapped themselves first.
WITH asked AS (
  SELECT generate_subscripts(string_split($gpc_codes::VARCHAR, ','), 1)::INTEGER AS place,
         unnest(string_split($gpc_codes::VARCHAR, ',')) AS gpc_code
), mapped AS (
  SELECT gpc_code, browse_id, name, path, in_serving_catalog, match_source
  FROM browse_node SEMI JOIN asked USING (gpc_code)
  QUALIFY row_number() OVER (PARTITION BY gpc_code, browse_id ORDER BY marketplace DESC) = 1
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY gpc_code ORDER BY match_source DESC, len(browse_id), browse_id) AS rank
  FROM mapped
), listed AS (
  SELECT gpc_code, count(*)::INTEGER AS browse_node_count,
         list({browse_id: browse_id, name: name, path: path, in_serving_catalog: in_serving_catalog} ORDER BY rank)
           FILTER (rank <= $cap::INTEGER) AS browse_nodes
  FROM ranked GROUP BY gpc_code
)
SELECT place, gpc_code, coalesce(browse_node_count, 0) AS browse_node_count, coalesce(browse_nodes, []) AS browse_nodes
FROM asked LEFT JOIN listed USING (gpc_code)
ORDER BY place
