-- Every listing is observed once a week (every fourth where few observations are wanted); as many as the number of
-- observations allows are watched daily (or weekly), those of daily retailers first. One crawl in 50 misses a listing.
CREATE TABLE cadence AS
WITH life AS (
  SELECT sum(life_days)::BIGINT AS days FROM listing
),
wish AS (
  SELECT days, coalesce(getvariable('observations') / 0.98, days / 7 * 1.2) AS crawls FROM life
),
pace AS (
  SELECT days, crawls, CASE WHEN crawls < days / 7 THEN 28 ELSE 7 END AS slow,
         CASE WHEN crawls < days / 7 THEN 7 ELSE 1 END AS fast
  FROM wish
),
watched AS (
  SELECT listing_no, weekday, slow, fast,
         sum(life_days) OVER watch <= (crawls - days / slow) / (1 / fast - 1 / slow) AS is_watched
  FROM listing JOIN cell USING (cell_no) CROSS JOIN pace
  WINDOW watch AS (ORDER BY role IS NOT DISTINCT FROM 'daily' DESC, bits(listing_no, 'watched'), listing_no)
)
SELECT listing_no, CASE WHEN is_watched THEN fast ELSE slow END AS step,
       CASE WHEN is_watched AND fast = 1 THEN 0 WHEN is_watched OR slow = 7 THEN weekday
         ELSE weekday + 7 * below(listing_no, 'week', 4) END::INTEGER AS phase
FROM watched;
