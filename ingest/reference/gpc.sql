-- in: gpc_row, gpc_attribute_row, previous_gpc_node, previous_gpc_attribute out: gpc_node, gpc_attribute
-- The newest release, and the nodes of older ones that it does not have: those are retired. A release in the feeds
-- replaces the lake's, and the order of releases does not matter. Returns the nodes without their definitions.
CREATE TABLE gpc_attribute AS
WITH released_attribute AS (
  SELECT * FROM gpc_attribute_row
  UNION ALL
  SELECT * FROM previous_gpc_attribute ANTI JOIN (SELECT DISTINCT release FROM gpc_row) USING (release)
)
SELECT release, brick_code, attribute_code, title, ordinal, value_codes, value_titles
FROM released_attribute
WHERE release = (SELECT max(release) FROM (SELECT release FROM gpc_row UNION ALL SELECT release FROM previous_gpc_node))
ORDER BY brick_code, ordinal;

-- Active nodes are numbered depth first, so that a subtree is an interval.
CREATE TABLE gpc_node AS
WITH released AS (
  SELECT * FROM gpc_row
  UNION ALL
  SELECT release, code, level, title, definition, excludes, active, segment_code, family_code, class_code
  FROM previous_gpc_node ANTI JOIN (SELECT DISTINCT release FROM gpc_row) USING (release)
),
newest AS (
  SELECT max(release) AS release FROM released
),
latest AS (
  SELECT released.* REPLACE (released.active AND released.release = newest.release AS active)
  FROM released, newest
  QUALIFY row_number() OVER (PARTITION BY code ORDER BY released.release DESC) = 1
),
numbered AS (
  SELECT *, CASE WHEN active THEN row_number() OVER (PARTITION BY active
    ORDER BY segment_code, family_code NULLS FIRST, class_code NULLS FIRST, level = 'brick', code)::INTEGER END AS gpc_id
  FROM latest
),
spanned AS (
  SELECT *,
    CASE WHEN active THEN CASE level
      WHEN 'segment' THEN max(gpc_id) OVER (PARTITION BY active, segment_code)
      WHEN 'family' THEN max(gpc_id) OVER (PARTITION BY active, family_code)
      WHEN 'class' THEN max(gpc_id) OVER (PARTITION BY active, class_code)
      ELSE gpc_id END END AS gpc_last
  FROM numbered
)
SELECT gpc_id, gpc_last, node.release, node.code, node.level, node.title, node.definition, node.excludes, node.active,
  node.segment_code, node.family_code, node.class_code, segment.title AS segment, family.title AS family,
  class.title AS class, coalesce(attribute_count, 0)::INTEGER AS attribute_count
FROM spanned AS node
LEFT JOIN latest AS segment ON segment.code = node.segment_code
LEFT JOIN latest AS family ON family.code = node.family_code
LEFT JOIN latest AS class ON class.code = node.class_code
LEFT JOIN (SELECT brick_code AS code, count(*) AS attribute_count FROM gpc_attribute GROUP BY brick_code) AS counted
  ON counted.code = node.code
ORDER BY gpc_id NULLS LAST, code;

SELECT gpc_id, gpc_last, release, code, level, title, active, segment_code, family_code, class_code, segment, family,
  class, attribute_count
FROM gpc_node ORDER BY gpc_id NULLS LAST, code;
