-- What was said of each listing in this refresh, each wording once with when it was last said. A catalogue's row that
-- names no time counts as said with the newest observation.
CREATE TABLE wording AS
WITH said AS (
  SELECT country, platform, product_id, attributes, max(observed_at) AS said_at
  FROM arrival WHERE attributes IS NOT NULL GROUP BY ALL
  UNION ALL
  SELECT country, platform, product_id, attributes,
    coalesce(last_seen_at, (SELECT max(observed_at) FROM arrival), TIMESTAMP '1990-01-01')
  FROM described
)
SELECT listing_id, attributes, said_at FROM said JOIN listing_key USING (country, platform, product_id);

CREATE TABLE rating AS
SELECT listing_id, newest(observed_at, star_rating) AS star_rating, newest(observed_at, review_count) AS review_count
FROM arrival JOIN listing_key USING (country, platform, product_id)
WHERE star_rating IS NOT NULL OR review_count IS NOT NULL
GROUP BY listing_id;
