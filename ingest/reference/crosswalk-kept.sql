INSERT INTO crosswalk
SELECT marketplace, browse_id, predicate, gpc_code, is_not, assurance_state, mapping_set_version
FROM previous_crosswalk;
