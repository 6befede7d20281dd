COPY (
  SELECT country AS marketplace, browse_id, name, name AS context_name, parent_id,
         array_to_string(path_ids, '|') AS path_ids, array_to_string(names, '|') AS path_names, has_children,
         CASE WHEN NOT has_children THEN upper(replace(slug(name), '-', '_')) END AS product_type_definitions,
         '2025-01-01' AS valid_from, NULL AS valid_to
  FROM browse_node
  UNION ALL
  -- One node has a second parent, as in real trees.
  SELECT maker.country, maker.browse_id, maker.name, 'Coffee Machines', drink.browse_id,
         array_to_string(list_append(drink.path_ids, maker.browse_id), '|'),
         array_to_string(list_append(drink.names, maker.name), '|'), false, 'COFFEE_MAKERS', '2025-01-01', NULL
  FROM browse_node AS maker JOIN browse_node AS drink USING (country)
  WHERE maker.name = 'Coffee Makers' AND drink.name = 'Coffee'
  ORDER BY marketplace, browse_id, path_ids
) TO $path (FORMAT csv, HEADER);
