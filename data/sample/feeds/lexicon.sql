-- The shelves' names and aliases with one code are hits; a phrase listed by hand wins over them.
COPY (
  WITH shelf_name AS (
    SELECT unnest(list_prepend(name, coalesce(split(aliases), []))) AS phrase, gpc_codes
    FROM category WHERE gpc_codes NOT LIKE '%|%'
  ),
  entry AS (
    SELECT phrase, outcome, gpc_code, candidate_codes, reason, note, 0 AS place FROM phrase
    UNION ALL
    SELECT lower(phrase), 'hit', gpc_codes, NULL, NULL, NULL, 1 FROM shelf_name
  )
  SELECT phrase, outcome, gpc_code, candidate_codes, reason, 'sample' AS author, '2026-01-12' AS reviewed_at, note
  FROM entry
  QUALIFY row_number() OVER (PARTITION BY rtrim(slug(phrase), 's') ORDER BY place, phrase) = 1
  ORDER BY phrase
) TO $path (FORMAT csv, HEADER);
