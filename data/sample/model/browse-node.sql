-- A marketplace's own tree: the shelves under ids of its own, a tenth of the Canadian ones missing.
CREATE TABLE browse_node AS
WITH parent AS (
  SELECT DISTINCT parent_path AS path FROM category
),
node AS (
  SELECT category_no, country, name, category.path, parent_path, names, gpc_codes, mark,
         parent.path IS NOT NULL AS has_children,
         (CASE country WHEN 'us' THEN 2619500011 ELSE 6205100011 END + category_no * 104729)::VARCHAR AS browse_id
  FROM category CROSS JOIN (VALUES ('us'), ('ca')) AS marketplace(country)
    LEFT JOIN parent ON parent.path = category.path
  WHERE country = 'us' OR has_children OR NOT chance(category.path, 'missing', 10)
)
SELECT node.category_no, node.country, node.browse_id, node.name, node.path, node.names, node.gpc_codes, node.mark,
       node.has_children, list(ancestor.browse_id ORDER BY len(ancestor.names)) AS path_ids, path_ids[-2] AS parent_id
FROM node
JOIN node AS ancestor ON ancestor.country = node.country AND starts_with(node.path || '/', ancestor.path || '/')
GROUP BY ALL;
