-- in: $lake, sighting, increase, previous_social_brand, social_spelling out: social_sightings.parquet, social_brands.parquet, social_days.parquet, social_brand_days.parquet, social_theme_days.parquet, social_theme_types.parquet
-- Rolls up and writes posts by day, platform, department and kind (ads or not); noise is only counted. Returns the
-- parts of the digest.
CREATE TABLE final_social_day AS
SELECT category_root, day, platform, is_ad, count(*) FILTER (is_first AND NOT is_noise)::INTEGER AS posts,
  count(*) FILTER (is_first AND is_noise)::INTEGER AS noise_posts, min(counted_at) AS first_at, max(counted_at) AS last_at
FROM increase GROUP BY ALL ORDER BY category_root, day, platform, is_ad;

CREATE TABLE final_social_brand_day AS
SELECT category_root, day, platform, is_ad, brand_norm, count(*) FILTER (is_first)::INTEGER AS mentions,
  sum(reach)::BIGINT AS reach, sum(rated_reach)::BIGINT AS rated_reach, sum(engagements)::BIGINT AS engagements
FROM (SELECT * EXCLUDE (brand_norms), unnest(brand_norms) AS brand_norm FROM increase WHERE NOT is_noise)
GROUP BY ALL ORDER BY category_root, day, platform, is_ad, brand_norm;

CREATE TABLE final_social_theme_day AS
SELECT category_root, day, platform, is_ad, theme, count(*) FILTER (is_first)::INTEGER AS posts,
  sum(reach)::BIGINT AS reach
FROM increase WHERE NOT is_noise AND theme IS NOT NULL
GROUP BY ALL ORDER BY category_root, day, platform, is_ad, theme;

CREATE TABLE final_social_theme_type AS
SELECT category_root, day, platform, is_ad, theme, gpc_code, count(*)::INTEGER AS posts
FROM (SELECT * EXCLUDE (gpc_codes), unnest(gpc_codes) AS gpc_code FROM increase
      WHERE is_first AND NOT is_noise AND theme IS NOT NULL)
GROUP BY ALL ORDER BY category_root, day, platform, is_ad, theme, gpc_code;

-- The spellings of brands in posts, which the catalogue may lack.
CREATE TABLE final_social_brand AS
SELECT brand_norm, min(brand) AS brand
FROM (FROM previous_social_brand UNION ALL FROM social_spelling)
GROUP BY brand_norm ORDER BY brand_norm;

COPY sighting TO (getvariable('lake')['snapshot'] || '/social_sightings.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_social_brand TO (getvariable('lake')['snapshot'] || '/social_brands.parquet') (FORMAT parquet, COMPRESSION zstd);
COPY final_social_day TO (getvariable('lake')['snapshot'] || '/social_days.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
COPY final_social_brand_day TO (getvariable('lake')['snapshot'] || '/social_brand_days.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
COPY final_social_theme_day TO (getvariable('lake')['snapshot'] || '/social_theme_days.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
COPY final_social_theme_type TO (getvariable('lake')['snapshot'] || '/social_theme_types.parquet')
  (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);

SELECT 'social_sightings' AS name, count(*)::INTEGER AS rows, sum(hash(sighting))::VARCHAR AS hash FROM sighting
UNION ALL
SELECT 'social_brands', count(*)::INTEGER, sum(hash(final_social_brand))::VARCHAR FROM final_social_brand
UNION ALL
SELECT 'social_days', count(*)::INTEGER, sum(hash(final_social_day))::VARCHAR FROM final_social_day
UNION ALL
SELECT 'social_brand_days', count(*)::INTEGER, sum(hash(final_social_brand_day))::VARCHAR FROM final_social_brand_day
UNION ALL
SELECT 'social_theme_days', count(*)::INTEGER, sum(hash(final_social_theme_day))::VARCHAR FROM final_social_theme_day
UNION ALL
SELECT 'social_theme_types', count(*)::INTEGER, sum(hash(final_social_theme_type))::VARCHAR
FROM final_social_theme_type;
