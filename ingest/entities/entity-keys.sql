-- Under which keys titles may meet, strongest first: the part number and pack count; a model token, pack count and kind;
-- all words. Each with the brand and the condition, for what is not new is another product.
CREATE TABLE title_key AS
WITH model AS (
  SELECT listing_id, kind, unnest(string_split(coalesce(part_number, codes), ' ')) AS code
  FROM title_reading
),
candidate AS (
  SELECT listing_id, 0 AS rank, part_number AS text, pack::VARCHAR AS kind FROM title_reading WHERE part_number IS NOT NULL
  UNION ALL
  SELECT listing_id, 1, code, kind FROM model
  UNION ALL
  SELECT listing_id, 2, words, kind FROM title_reading WHERE words IS NOT NULL
),
keyed AS (
  SELECT listing_id, rank, md5(concat_ws('|', rank, brand, text, candidate.kind, condition)) AS key, size
  FROM candidate JOIN title_reading USING (listing_id) JOIN offer USING (listing_id)
  WHERE brand IS NOT NULL
),
-- A key whose listings name several sizes stands for several products: those that name none are left out.
divided AS (
  SELECT key FROM keyed GROUP BY key HAVING min(size) <> max(size)
)
SELECT listing_id, rank, CASE WHEN divided.key IS NULL THEN key ELSE concat_ws('|', key, size) END AS key
FROM keyed LEFT JOIN divided USING (key)
WHERE divided.key IS NULL OR size IS NOT NULL;
