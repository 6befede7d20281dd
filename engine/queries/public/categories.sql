WITH node AS (
  SELECT name, path, depth, parent_path, product_count, row_number() OVER (ORDER BY path)::INTEGER AS place
  FROM category
  WHERE category_id BETWEEN $first::INTEGER AND $last::INTEGER
    AND depth > $below::INTEGER AND depth <= $below::INTEGER + $depth::INTEGER
)
SELECT count(*)::INTEGER AS total,
       list({name: name, path: path, depth: depth, parent_path: parent_path, product_count: product_count} ORDER BY place)
         FILTER (place > $offset::INTEGER AND place <= $offset::INTEGER + $limit::INTEGER) AS items
FROM node
