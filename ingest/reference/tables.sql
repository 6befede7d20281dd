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
