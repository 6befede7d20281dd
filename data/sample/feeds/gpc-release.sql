-- The official form nests six levels. The digits of a code contain its family and segment, but not a brick's class.
COPY (
  WITH brick AS (
    SELECT code, class_code, title, definition
    FROM gpc_brick LEFT JOIN gpc_change ON brick_code = code
    WHERE change IS NULL OR (change = 'new') = $is_newest::BOOLEAN
  ),
  value AS (
    SELECT code AS attribute_code, unnest(split(value_list)) AS code_and_title,
           generate_subscripts(split(value_list), 1) AS place
    FROM gpc_attribute
  ),
  valued AS (
    SELECT attribute_code,
           list(gpc_node(6, left(code_and_title, 8), substr(code_and_title, 10), '', []::INTEGER[]) ORDER BY place)
             AS children
    FROM value GROUP BY attribute_code
  ),
  attribute AS (
    SELECT code, title, unnest(split(bricks)) AS brick_code FROM gpc_attribute
  ),
  attributed AS (
    SELECT brick_code, list(gpc_node(5, code, title, '', children) ORDER BY code) AS children
    FROM attribute JOIN valued ON attribute_code = code GROUP BY brick_code
  ),
  class AS (
    SELECT class_code, list(gpc_node(4, code, title, definition, coalesce(children, [])) ORDER BY code) AS children
    FROM brick LEFT JOIN attributed ON brick_code = code GROUP BY class_code
  ),
  family AS (
    SELECT left(code, 4) || '0000' AS family_code,
           list(gpc_node(3, code, title, definition, children) ORDER BY code) AS children
    FROM gpc_group JOIN class ON class_code = code GROUP BY family_code
  ),
  segment AS (
    SELECT left(code, 2) || '000000' AS segment_code,
           list(gpc_node(2, code, title, definition, children) ORDER BY code) AS children
    FROM gpc_group JOIN family ON family_code = code GROUP BY segment_code
  )
  SELECT 'EN' AS "LanguageCode", $day::VARCHAR AS "DateUtc",
         list(gpc_node(1, code, title, definition, children) ORDER BY code) AS "Schema"
  FROM gpc_group JOIN segment ON segment_code = code
) TO $path (FORMAT json);
