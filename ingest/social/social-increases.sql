-- What each sighting adds. A post counts at its first sight, on the day it was posted, by all that the first sight says
-- of it; its views as they were then count on that day, and later ones on the day they were collected, as far as they
-- exceed the most seen before. Where views and engagements are known together, both are counted the same way.
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
first_sight AS (
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
FROM added JOIN first_sight USING (platform, post_key)
WHERE is_first OR reach > 0 OR rated_reach > 0 OR engagements > 0;
