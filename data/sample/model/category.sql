CREATE TABLE category AS
WITH RECURSIVE tree AS (
  SELECT name, slug(name) AS path, NULL::VARCHAR AS parent_path, [name] AS names, aliases, gpc_codes, mark, price_floor
  FROM node WHERE parent IS NULL
  UNION ALL
  SELECT node.name, tree.path || '/' || slug(node.name), tree.path, list_append(tree.names, node.name),
         node.aliases, node.gpc_codes, node.mark, node.price_floor
  FROM node JOIN tree ON node.parent = tree.name
)
SELECT (row_number() OVER (ORDER BY path))::INTEGER AS category_no, tree.name, path, parent_path, names,
       names[1] AS department, aliases, gpc_codes, mark, price_floor,
       array_to_string(names, ' > ') AS full_breadcrumb,
       concat_ws(' > ', names[1], CASE WHEN len(names) > 1 THEN names[-1] END) AS short_breadcrumb,
       array_to_string(list_prepend(department.other_name, names[2:]), ' > ') AS renamed_breadcrumb
FROM tree JOIN department ON department.name = names[1];

-- The products on a shelf, with the first of the draws that fall on it.
CREATE TABLE assortment AS
SELECT category_no, category.department, median, sigma, split(nouns) AS nouns, split(sizes) AS sizes,
       split(series) AS series, split(variants) AS variants, split(packs)::INTEGER[] AS packs, has_model, resale_pct,
       sum(weight) OVER (ORDER BY category_no) - weight AS draw_from, sum(weight) OVER () AS draw_total
FROM shelf JOIN category USING (name) JOIN style USING (style);
