-- The same tables where the lake is new.
CREATE TABLE previous_gpc_node (gpc_id INTEGER, gpc_last INTEGER, release VARCHAR, code VARCHAR, level VARCHAR,
  title VARCHAR, definition VARCHAR, excludes VARCHAR, active BOOLEAN, segment_code VARCHAR, family_code VARCHAR,
  class_code VARCHAR);
CREATE TABLE previous_gpc_attribute (release VARCHAR, brick_code VARCHAR, attribute_code VARCHAR, title VARCHAR,
  ordinal INTEGER, value_codes VARCHAR[], value_titles VARCHAR[]);
CREATE TABLE previous_browse_node (marketplace VARCHAR, browse_id VARCHAR, name VARCHAR, parent_ids VARCHAR[],
  path_ids VARCHAR[]);
CREATE TABLE previous_crosswalk (marketplace VARCHAR, browse_id VARCHAR, predicate VARCHAR, gpc_code VARCHAR,
  is_not BOOLEAN, assurance_state VARCHAR, mapping_set_version VARCHAR);
CREATE TABLE previous_lexicon (phrase VARCHAR, phrase_key VARCHAR, outcome VARCHAR, gpc_code VARCHAR,
  candidate_codes VARCHAR[], reason VARCHAR, note VARCHAR);
