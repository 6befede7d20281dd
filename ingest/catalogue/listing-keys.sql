-- Every listing with its number: the known ones keep theirs, new ones follow in the order of their keys.
CREATE TABLE listing_key AS
WITH seen AS (
  SELECT DISTINCT country, platform, product_id FROM wording
),
added AS (
  SELECT seen.*, row_number() OVER (ORDER BY country, platform, product_id) AS place
  FROM seen ANTI JOIN previous_attribute USING (country, platform, product_id)
),
digested AS (
  SELECT *, left(sha256(concat(platform, '|', country, '|', product_id)), 20) AS digest FROM added
)
SELECT listing_id, country, platform, product_id, product_uid FROM previous_attribute
UNION ALL
SELECT ((SELECT coalesce(max(listing_id), 0) FROM previous_attribute) + place)::INTEGER, country, platform, product_id,
  'p_' || base32(digest)
FROM digested;
