-- in: taxonomy, attribute out: category, category_reading
-- The active nodes of the taxonomy, and every breadcrumb with the GPC brick of more than half of its listings, if none
-- of them has another. TypeScript numbers the categories and assigns one to each breadcrumb, in the tables created
-- here.
CREATE TABLE category (category_id INTEGER, category_last INTEGER, depth INTEGER, accessory_depth INTEGER,
  path VARCHAR, name VARCHAR, department VARCHAR, parent_path VARCHAR, aliases VARCHAR[], gpc_codes VARCHAR[],
  is_accessory BOOLEAN, is_mixed BOOLEAN);
CREATE TABLE category_reading (text VARCHAR, category_id INTEGER);

WITH node AS (
  SELECT path, name, parent_path, aliases, gpc_codes, is_accessory, is_mixed FROM taxonomy WHERE active
),
breadcrumb AS (
  SELECT category_path.value AS text,
    CASE WHEN count(DISTINCT gpc_code.value) = 1 AND 2 * count(gpc_code.value) > count(*) THEN min(gpc_code.value) END
      AS gpc_code
  FROM attribute WHERE category_path IS NOT NULL
  GROUP BY text
)
SELECT (SELECT coalesce(list(node ORDER BY path), []) FROM node) AS nodes,
  (SELECT coalesce(list(breadcrumb ORDER BY text), []) FROM breadcrumb) AS breadcrumbs;
