-- The taxonomy's rows of this refresh. A node needs every ancestor; of a path given twice the first row stays.
CREATE TABLE taxonomy_row AS
SELECT file, file_row_number, path, name, parent_path, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us,
  price_floor_ca, active
FROM read_parquet(getvariable('lake')['staged'] || '/category_taxonomy-*.parquet', file_row_number = true)
WHERE fault IS NULL;

CREATE TABLE taxonomy_orphan AS
WITH ancestor AS (
  SELECT path, array_to_string(parts[:depth], '/') AS ancestor_path
  FROM (SELECT path, string_split(path, '/') AS parts, unnest(range(1, len(string_split(path, '/')))) AS depth
        FROM taxonomy_row)
)
SELECT DISTINCT path FROM ancestor ANTI JOIN taxonomy_row ON taxonomy_row.path = ancestor_path;

-- A feed replaces the taxonomy that the lake keeps.
CREATE TABLE taxonomy AS
SELECT * EXCLUDE (file, file_row_number) FROM taxonomy_row ANTI JOIN taxonomy_orphan USING (path)
QUALIFY row_number() OVER (PARTITION BY path ORDER BY file, file_row_number) = 1
UNION ALL
SELECT * FROM previous_taxonomy WHERE (SELECT count(*) = 0 FROM taxonomy_row);
-- Rows of a taxonomy whose parent is not in it; a taxonomy has no lines that span several, so rows tell lines.
INSERT INTO quarantine
SELECT file, file_row_number + 2, 'PARENT_UNKNOWN', 'parent_path', parent_path
FROM taxonomy_row JOIN taxonomy_orphan USING (path);
