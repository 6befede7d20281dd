-- in: post, brand_source_reading, previous_sighting out: sighting, increase, duplicate
-- Every sighting of a post in the lake, one per UTC day: the latest of the day, independent of the order of files.
CREATE TABLE ranked_sighting AS
WITH seen AS (
  SELECT file, file_row_number, platform, post_key, collected_at, posted_at, category_root, brand_norms, gpc_codes,
    theme, views, engagements, is_ad, is_noise
  FROM post JOIN brand_source_reading USING (brand_source)
  UNION ALL
  SELECT 0, 0, platform, post_key, collected_at, posted_at, category_root, brand_norms, gpc_codes, theme, views,
    engagements, is_ad, is_noise
  FROM previous_sighting
)
SELECT *, row_number() OVER of_day AS rank, first_value(collected_at) OVER of_day AS kept_at
FROM seen
WINDOW of_day AS (PARTITION BY platform, post_key, collected_at::DATE
  ORDER BY collected_at DESC, views DESC NULLS LAST, engagements DESC NULLS LAST, posted_at, category_root, brand_norms,
    gpc_codes, theme, is_ad, is_noise, file, file_row_number);

INSERT INTO duplicate
SELECT file, CASE WHEN collected_at = kept_at THEN 'same_key' ELSE 'same_day' END, count(*)
FROM ranked_sighting WHERE rank > 1 AND file > 0 GROUP BY ALL;

CREATE TABLE sighting AS
SELECT platform, post_key, collected_at, posted_at, category_root, brand_norms, gpc_codes, theme, views, engagements,
  is_ad, is_noise
FROM ranked_sighting WHERE rank = 1
ORDER BY platform, post_key, collected_at;
DROP TABLE ranked_sighting;

-- The increase by each sighting. A post counts once, at its first sighting, on the day it was posted, with the
-- attributes of that sighting. Its first views count on that day, later ones on the day they were collected, as far as
-- they exceed the previous maximum. For sightings with both views and engagements, `rated_reach` and `engagements`
-- count the same way.
CREATE TABLE increase AS
WITH ranked AS (
  SELECT *, row_number() OVER post AS visit, max(views) OVER earlier AS views_before,
    max(views) FILTER (engagements IS NOT NULL) OVER earlier AS rated_before,
    max(engagements) OVER earlier AS engagements_before
  FROM sighting
  WINDOW post AS (PARTITION BY platform, post_key ORDER BY collected_at),
    earlier AS (PARTITION BY platform, post_key ORDER BY collected_at
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
first_sighting AS (
  SELECT platform, post_key, category_root, brand_norms, gpc_codes, theme, is_ad, is_noise FROM ranked WHERE visit = 1
),
added AS (
  SELECT platform, post_key, visit = 1 AS is_first,
    CASE WHEN visit = 1 THEN coalesce(posted_at, collected_at) ELSE collected_at END AS counted_at,
    greatest(0, coalesce(views - coalesce(views_before, 0), 0)) AS reach,
    CASE WHEN engagements IS NOT NULL THEN greatest(0, views - coalesce(rated_before, 0)) ELSE 0 END AS rated_reach,
    greatest(0, coalesce(engagements - coalesce(engagements_before, 0), 0)) AS engagements
  FROM ranked
)
SELECT category_root, counted_at::DATE AS day, platform, is_ad, is_noise, brand_norms, gpc_codes, theme, is_first,
  counted_at, reach, rated_reach, engagements
FROM added JOIN first_sighting USING (platform, post_key)
WHERE is_first OR reach > 0 OR rated_reach > 0 OR engagements > 0;
