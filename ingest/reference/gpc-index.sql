-- The nodes as the catalogue holds them: without definitions.
SELECT gpc_id, gpc_last, release, code, level, title, active, segment_code, family_code, class_code, segment, family,
  class, attribute_count
FROM gpc_node ORDER BY gpc_id NULLS LAST, code;
