-- name: tables
-- in: previous_crosswalk, previous_lexicon out: gpc_row, gpc_attribute_row, crosswalk, lexicon, browse_match, shelf_type
-- The tables for the reference feeds: releases row by row, the crosswalk, phrases, and the match of each browse node
-- and shelf. Returns the crosswalk and lexicon of the previous snapshot, which stay unless a feed replaces them.
CREATE TABLE gpc_row (release VARCHAR, code VARCHAR, level VARCHAR, title VARCHAR, definition VARCHAR, excludes VARCHAR,
  active BOOLEAN, segment_code VARCHAR, family_code VARCHAR, class_code VARCHAR);
CREATE TABLE gpc_attribute_row (release VARCHAR, brick_code VARCHAR, attribute_code VARCHAR, title VARCHAR,
  ordinal INTEGER, value_codes VARCHAR[], value_titles VARCHAR[]);
CREATE TABLE crosswalk (marketplace VARCHAR, browse_id VARCHAR, predicate VARCHAR, gpc_code VARCHAR, is_not BOOLEAN,
  assurance_state VARCHAR, mapping_set_version VARCHAR);
CREATE TABLE lexicon (phrase VARCHAR, phrase_key VARCHAR, outcome VARCHAR, gpc_code VARCHAR, candidate_codes VARCHAR[],
  reason VARCHAR, note VARCHAR);
CREATE TABLE browse_match (marketplace VARCHAR, browse_id VARCHAR, name VARCHAR, path VARCHAR, parent_ids VARCHAR[],
  path_ids VARCHAR[], gpc_code VARCHAR, match_precision VARCHAR, match_source VARCHAR, inherited_from VARCHAR,
  assurance_state VARCHAR, stop VARCHAR);
CREATE TABLE shelf_type (category_id INTEGER, gpc_id INTEGER, gpc_precision VARCHAR, gpc_source VARCHAR);

SELECT (SELECT coalesce(list(line), []) FROM previous_crosswalk AS line) AS crosswalk,
  (SELECT coalesce(list(line ORDER BY line.phrase_key), []) FROM previous_lexicon AS line) AS lexicon;

-- name: delimited
-- in: $file out:
-- The remarks of a delimited file, which are the lines before its header that begin with `#`, and then its lines as
-- JSON objects of texts.
CREATE OR REPLACE TEMP TABLE first_line AS
WITH line AS (
  SELECT coalesce(line, '') AS line
  FROM read_csv(getvariable('file')['path'], auto_detect = false, header = false, columns = {'line': 'VARCHAR'},
    delim = chr(1), quote = '', escape = '')
  LIMIT 1000
)
SELECT row_number() OVER () AS number, line FROM line;

SET VARIABLE skip = (
  SELECT coalesce(min(number) FILTER (NOT starts_with(line, '#')) - 1, count(*)) FROM first_line
);

SELECT line AS remark, NULL AS record FROM first_line WHERE number <= getvariable('skip')
UNION ALL
SELECT NULL, to_json(line)::VARCHAR
FROM read_csv(getvariable('file')['path'], all_varchar = true, header = true, skip = getvariable('skip'),
  delim = getvariable('file')['delimiter'], quote = '"', escape = '"', ignore_errors = false) AS line;

-- name: browse
-- in: $lake, previous_browse_node out: duplicate
-- Returns the rows of the browse trees: those of a marketplace in the feeds replace the lake's.
CREATE TABLE browse_row AS
SELECT file, file_row_number, marketplace, browse_id, name, parent_id, path_ids
FROM read_parquet(getvariable('lake')['staged_glob'] || '/browse_nodes-*.parquet', file_row_number = true)
WHERE fault IS NULL;

-- Rows that repeat a node below the same parent.
INSERT INTO duplicate
WITH ranked AS (
  SELECT file, row_number() OVER (PARTITION BY marketplace, browse_id, parent_id, path_ids
    ORDER BY file, file_row_number) AS rank
  FROM browse_row
)
SELECT file, 'same_key', count(*) FROM ranked WHERE rank > 1 GROUP BY file;

SELECT marketplace, browse_id, name, parent_id, coalesce(path_ids, []) AS path_ids FROM browse_row
UNION ALL
SELECT marketplace, browse_id, name, unnest(CASE WHEN parent_ids = [] THEN [NULL] ELSE parent_ids END), path_ids
FROM previous_browse_node
ANTI JOIN (SELECT DISTINCT marketplace FROM browse_row) AS fed USING (marketplace)
WHERE name IS NOT NULL
ORDER BY ALL;
