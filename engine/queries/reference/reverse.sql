-- The browse nodes of each code asked for, in its order: how many, and the first 50, those mapped themselves first.
WITH asked AS (
  SELECT row_number() OVER ()::INTEGER AS place, gpc_code
  FROM (SELECT unnest(string_split($gpc_codes::VARCHAR, ',')) AS gpc_code)
), mapped AS (
  SELECT gpc_code, browse_id, name, path, in_serving_catalog, match_source
  FROM browse_node SEMI JOIN asked USING (gpc_code)
  QUALIFY row_number() OVER (PARTITION BY gpc_code, browse_id ORDER BY marketplace DESC) = 1
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY gpc_code ORDER BY match_source DESC, len(browse_id), browse_id) AS rank,
         count(*) OVER (PARTITION BY gpc_code)::INTEGER AS browse_node_count
  FROM mapped
), listed AS (
  SELECT gpc_code, browse_node_count,
         list({browse_id: browse_id, name: name, path: path, in_serving_catalog: in_serving_catalog} ORDER BY rank)
           AS browse_nodes
  FROM ranked WHERE rank <= 50
  GROUP BY gpc_code, browse_node_count
)
SELECT place, gpc_code, coalesce(browse_node_count, 0) AS browse_node_count, coalesce(browse_nodes, []) AS browse_nodes,
       50 AS ids_per_code_cap
FROM asked LEFT JOIN listed USING (gpc_code)
ORDER BY place
