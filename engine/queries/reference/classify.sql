-- What is asked for, in its order: browse nodes (us before ca) with what they are matched with, or codes that phrases
-- name; each code with its titles and, for a class, its bricks.
WITH asked AS (
  SELECT row_number() OVER ()::INTEGER AS place, browse_id, NULL::VARCHAR AS phrase_code
  FROM (SELECT unnest(string_split($browse_ids::VARCHAR, ',')) AS browse_id)
  UNION ALL
  SELECT row_number() OVER ()::INTEGER, NULL, phrase_code
  FROM (SELECT unnest(string_split($gpc_codes::VARCHAR, ',')) AS phrase_code)
), known AS (
  SELECT place, name, path, in_serving_catalog, gpc_code, match_precision, match_source, inherited_from,
         assurance_state, stop
  FROM browse_node JOIN asked USING (browse_id)
  QUALIFY row_number() OVER (PARTITION BY place ORDER BY marketplace DESC) = 1
), coded AS (
  SELECT place, browse_id, known.* EXCLUDE (place), coalesce(gpc_code, phrase_code) AS code
  FROM asked LEFT JOIN known USING (place)
), form AS (
  SELECT class_code AS code, list({code: code, title: title, level: level} ORDER BY code) AS forms
  FROM gpc_node WHERE active AND level = 'brick' AND class_code IN (SELECT code FROM coded)
  GROUP BY class_code
)
SELECT place, browse_id, name, path, in_serving_catalog, match_precision, match_source, inherited_from, assurance_state,
       stop, coded.code, title, level, segment, family, class, attribute_count, forms
FROM coded
LEFT JOIN gpc_node ON gpc_node.code = coded.code AND active
LEFT JOIN form ON form.code = coded.code
ORDER BY place
