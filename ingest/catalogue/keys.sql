-- in: described, previous_attribute, $lake out: newest_time, listing_key
-- Every listing with its number and uid: existing listings keep theirs, new ones follow in the order of their keys.

-- When each listing was last observed with each combination of attributes: the newest value of every attribute is in a
-- row of one of these times, of which there are few.
CREATE TABLE newest_time AS
WITH combination AS (
  SELECT * EXCLUDE (observed_at), max(observed_at) AS observed_at
  FROM read_parquet(getvariable('lake')['staged_glob'] || '/sightings-*.parquet', union_by_name = true)
  GROUP BY ALL
)
SELECT DISTINCT country, platform, product_id, observed_at FROM combination;

-- Twenty hexadecimal digits as sixteen of RFC 4648's base 32, whose digits differ from those of numbers.
CREATE TEMP MACRO base32(in_hex) AS
  translate(to_base(('0x' || in_hex[:10])::BIGINT, 32, 8) || to_base(('0x' || in_hex[11:])::BIGINT, 32, 8),
    '0123456789ABCDEFGHIJKLMNOPQRSTUV', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

CREATE TABLE listing_key AS
WITH seen AS (
  SELECT country, platform, product_id FROM newest_time
  UNION
  SELECT country, platform, product_id FROM described
),
added AS (
  SELECT seen.*, row_number() OVER (ORDER BY country, platform, product_id) AS place
  FROM seen ANTI JOIN previous_attribute USING (country, platform, product_id)
),
hashed AS (
  SELECT *, left(sha256(concat(platform, '|', country, '|', product_id)), 20) AS hash FROM added
)
SELECT listing_id, country, platform, product_id, product_uid FROM previous_attribute
UNION ALL
SELECT ((SELECT coalesce(max(listing_id), 0) FROM previous_attribute) + place)::INTEGER, country, platform, product_id,
  'p_' || base32(hash)
FROM hashed;
