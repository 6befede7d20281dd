-- name: taxonomy
-- in: $lake, previous_taxonomy out: taxonomy, quarantine, duplicate
-- The taxonomy of this refresh: a feed replaces that of the lake. A node needs all its ancestors; of several rows of a
-- path the first one stays.
CREATE TABLE taxonomy_row AS
SELECT file, file_row_number, path, name, parent_path, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us,
  price_floor_ca, active
FROM read_parquet(getvariable('lake')['staged_glob'] || '/category_taxonomy-*.parquet', file_row_number = true)
WHERE fault IS NULL;

CREATE TABLE taxonomy_orphan AS
WITH ancestor AS (
  SELECT path, array_to_string(parts[:depth], '/') AS ancestor_path
  FROM (SELECT path, string_split(path, '/') AS parts, unnest(range(1, len(string_split(path, '/')))) AS depth
        FROM taxonomy_row)
)
SELECT DISTINCT path FROM ancestor ANTI JOIN taxonomy_row ON taxonomy_row.path = ancestor_path;

CREATE TABLE taxonomy AS
SELECT * EXCLUDE (file, file_row_number) FROM taxonomy_row ANTI JOIN taxonomy_orphan USING (path)
QUALIFY row_number() OVER (PARTITION BY path ORDER BY file, file_row_number) = 1
UNION ALL
SELECT * FROM previous_taxonomy WHERE (SELECT count(*) = 0 FROM taxonomy_row);

-- Values of a taxonomy do not span several lines, so a row's number determines its line.
INSERT INTO quarantine
SELECT file, file_row_number + 2, 'PARENT_UNKNOWN', 'parent_path', parent_path
FROM taxonomy_row JOIN taxonomy_orphan USING (path);

-- Nodes that are repeated, or that the lake has unchanged.
INSERT INTO duplicate
WITH ranked AS (
  SELECT file, path, (name, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us, price_floor_ca, active) AS node,
    row_number() OVER (PARTITION BY path ORDER BY file, file_row_number) AS rank
  FROM taxonomy_row ANTI JOIN taxonomy_orphan USING (path)
),
unchanged AS (
  SELECT path, (name, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us, price_floor_ca, active) AS node
  FROM previous_taxonomy
)
SELECT file, 'same_key', count(*)
FROM ranked LEFT JOIN unchanged USING (path)
WHERE rank > 1 OR unchanged.path IS NOT NULL AND ranked.node IS NOT DISTINCT FROM unchanged.node
GROUP BY file;

-- name: categories
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
