-- Every breadcrumb with the one GPC brick of its listings, where more than half of them state it and none another.
SELECT category_path.value AS text,
  CASE WHEN count(DISTINCT gpc_code.value) = 1 AND 2 * count(gpc_code.value) > count(*) THEN min(gpc_code.value) END
    AS gpc_code
FROM attribute WHERE category_path IS NOT NULL
GROUP BY text ORDER BY text;
