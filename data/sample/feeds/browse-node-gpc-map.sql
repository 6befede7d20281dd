COPY (
  WITH title AS (
    SELECT code, title FROM gpc_group
    UNION ALL
    SELECT code, title FROM gpc_brick
  ),
  shared AS (
    SELECT gpc_codes AS code, count(*) > 1 AS is_shared FROM category GROUP BY gpc_codes
  ),
  -- A shelf of several bricks is matched with their class.
  coded AS (
    SELECT country, browse_id, path, name, names, contains(gpc_codes, '|') AS is_plural,
           is_shared OR is_plural AS is_narrower,
           CASE WHEN is_plural THEN class_code ELSE gpc_brick.code END AS code
    FROM browse_node JOIN gpc_brick ON gpc_brick.code = split(gpc_codes)[1]
      JOIN shared ON shared.code = gpc_codes
  ),
  matched AS (
    SELECT country, browse_id, names, code, title, below(path, 'assurance', 20) AS draw, NULL AS modifier,
           CASE WHEN slug(name) = slug(title) THEN 'exactMatch' WHEN is_narrower THEN 'broadMatch'
             ELSE 'closeMatch' END AS match
    FROM coded JOIN title USING (code)
    UNION ALL
    -- Declared to be wrong: the match that the name alone suggests.
    SELECT country, browse_id, names, '10002028', 'Vacuum Cleaners', 0, 'Not', 'exactMatch'
    FROM browse_node WHERE name = 'Vacuum Filters & Parts'
    UNION ALL
    SELECT country, browse_id, names, NULL, NULL, 1, NULL, 'exactMatch'
    FROM browse_node WHERE mark = 'accessory' AND gpc_codes IS NULL AND name <> 'Vacuum Filters & Parts'
  )
  SELECT format('amzn-{}:{}', country, browse_id) AS subject_id, array_to_string(names, ' > ') AS subject_label,
         'skos:' || match AS predicate_id, modifier, coalesce('gpc:' || code, 'sssom:NoTermFound') AS object_id, title,
         CASE WHEN draw % 3 = 0 THEN 'semapv:MappingReview' ELSE 'semapv:ManualMappingCuration' END AS justification,
         'sample:author' AS author_id, CASE draw % 3 WHEN 0 THEN 'sample:reviewer' END AS reviewer_id,
         '2026-01-05' AS mapping_date, CASE draw % 3 WHEN 0 THEN '2026-01-12' END AS review_date,
         CASE match WHEN 'exactMatch' THEN 0.95 ELSE 0.85 END AS confidence, 'v20260101' AS object_source_version,
         CASE WHEN draw % 3 = 0 THEN 'verified' WHEN draw = 7 THEN 'candidate' WHEN draw = 8 THEN 'stale'
           ELSE 'curated' END AS assurance_state
  FROM matched
  ORDER BY subject_id
) TO $path (FORMAT csv, DELIMITER '\t', HEADER false, SUFFIX E'\n', PREFIX
E'# mapping_set_id: https://shelfmark.example/sample/browse-node-gpc-map
# mapping_set_version: map-20260101.1
# curie_map:
#   amzn-us: urn:browse-node:us:
#   amzn-ca: urn:browse-node:ca:
#   gpc: urn:gs1:gpc:
#   skos: http://www.w3.org/2004/02/skos/core#
#   semapv: https://w3id.org/semapv/vocab/
#   sssom: https://w3id.org/sssom/
#   sample: urn:sample:
subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tobject_label\tmapping_justification\t'
'author_id\treviewer_id\tmapping_date\treview_date\tconfidence\tobject_source_version\tassurance_state\n');
