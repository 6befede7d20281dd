-- Posts a day, platform, department and kind (ads or not); noise is counted apart and adds nothing else.
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

-- How brands are written that posts speak of and no listing may carry.
CREATE TABLE final_social_brand AS
SELECT brand_norm, min(brand) AS brand
FROM (FROM previous_social_brand UNION ALL FROM social_spelling)
GROUP BY brand_norm ORDER BY brand_norm;
