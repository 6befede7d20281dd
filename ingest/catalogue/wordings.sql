-- What was said of each listing in this refresh: each wording once, with when it was last said. Only columns that some
-- file has are grouped by: nulls would take as long as texts.
CREATE TABLE wording AS
SELECT country, platform, product_id, max(observed_at) AS said_at,
  max(at_time(observed_at, star_rating)) AS star_rating, max(at_time(observed_at, review_count)) AS review_count,
  COLUMNS(lambda name: list_contains(getvariable('said'), name))
FROM arrival
GROUP BY ALL
UNION ALL BY NAME
-- A catalogue's row that names no time counts as said with the newest observation.
SELECT * EXCLUDE (file, last_seen_at),
  coalesce(last_seen_at, (SELECT max(observed_at) FROM arrival), TIMESTAMP '1990-01-01') AS said_at
FROM described;
