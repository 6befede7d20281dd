-- Every post of the lake as it was seen, once a UTC day: the latest of the day, whatever the order of files.
CREATE TABLE contested AS
WITH told AS (
  SELECT file, file_row_number, platform, post_key, collected_at, posted_at, category_root, brand_norms, gpc_codes,
    theme, views, engagements, is_ad, is_noise
  FROM post JOIN brand_source_reading USING (brand_source)
  UNION ALL
  SELECT 0, 0, platform, post_key, collected_at, posted_at, category_root, brand_norms, gpc_codes, theme, views,
    engagements, is_ad, is_noise
  FROM previous_sighting
)
SELECT *, row_number() OVER of_day AS place, first_value(collected_at) OVER of_day AS kept_at
FROM told
WINDOW of_day AS (PARTITION BY platform, post_key, collected_at::DATE
  ORDER BY collected_at DESC, views DESC NULLS LAST, engagements DESC NULLS LAST, posted_at, category_root, brand_norms,
    gpc_codes, theme, is_ad, is_noise, file, file_row_number);

INSERT INTO duplicate
SELECT file, CASE WHEN collected_at = kept_at THEN 'same_key' ELSE 'same_day' END, count(*)
FROM contested WHERE place > 1 AND file > 0 GROUP BY ALL;

CREATE TABLE sighting AS
SELECT platform, post_key, collected_at, posted_at, category_root, brand_norms, gpc_codes, theme, views, engagements,
  is_ad, is_noise
FROM contested WHERE place = 1
ORDER BY platform, post_key, collected_at;
DROP TABLE contested;
