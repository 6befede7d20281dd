-- in: out:
-- The rows of one source of social_posts, each with the first rule it breaks. The texts of posts are only staged, to
-- search them for brands.
CREATE TEMP MACRO checked_posts(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (platform_key(platform_text) AS platform, key(category_root_text) AS category_root,
      key(theme_text) AS theme,
      list_sort(list_distinct(list_filter(gpc_codes, lambda code: regexp_full_match(code, '\d{8}')))) AS gpc_codes),
    gpc_codes AS any_gpc_codes
  FROM query_table(in_source)
),
checked AS (
  SELECT *,
    CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN platform IS NULL OR platform NOT IN ('tiktok', 'youtube') THEN 'PLATFORM_INVALID'
      WHEN post_id IS NULL THEN 'POST_ID_MISSING'
      WHEN NOT regexp_full_match(post_id, '[A-Za-z0-9_-]{1,64}') THEN 'POST_ID_INVALID'
      WHEN category_root IS NULL OR NOT regexp_full_match(category_root, '[^/\s]+') THEN 'CATEGORY_ROOT_INVALID'
      WHEN collected_at IS NULL
        THEN CASE WHEN words(collected_at_text) IS NULL THEN 'COLLECTED_AT_MISSING' ELSE 'COLLECTED_AT_INVALID' END
      WHEN is_too_early(collected_at) OR NOT isfinite(collected_at) THEN 'COLLECTED_AT_INVALID'
      WHEN is_in_future(collected_at) THEN 'COLLECTED_IN_FUTURE'
      WHEN posted_at IS NULL AND words(posted_at_text) IS NOT NULL OR is_too_early(posted_at) THEN 'POSTED_AT_INVALID'
      WHEN posted_at > collected_at + INTERVAL 5 MINUTE THEN 'POSTED_AFTER_COLLECTED'
    END AS fault
  FROM keyed
)
SELECT file, row, platform, post_id, posted_at, collected_at, category_root,
  concat(array_to_string(brand_norms, chr(30)), chr(31), brand_text) AS brand_source, gpc_codes, theme, views,
  CASE WHEN views IS NOT NULL AND coalesce(likes, comments, shares) IS NOT NULL
    THEN coalesce(likes, 0) + coalesce(comments, 0) + coalesce(shares, 0) END AS engagements,
  coalesce(is_ad, false) AS is_ad, coalesce(is_noise, false) AS is_noise, fault::fault AS fault,
  CASE
    WHEN fault IS NULL THEN nullif(concat_ws(' ',
      CASE WHEN is_lost(views_text, views, views) THEN 'views:not_a_count' END,
      CASE WHEN is_lost(likes_text, likes, likes) THEN 'likes:not_a_count' END,
      CASE WHEN is_lost(comments_text, comments, comments) THEN 'comments:not_a_count' END,
      CASE WHEN is_lost(shares_text, shares, shares) THEN 'shares:not_a_count' END,
      CASE WHEN is_lost(is_ad_text, is_ad, is_ad) THEN 'is_ad:unknown' END,
      CASE WHEN is_lost(is_noise_text, is_noise, is_noise) THEN 'is_noise:unknown' END,
      CASE WHEN len(gpc_codes) < len(list_distinct(any_gpc_codes)) THEN 'gpc_codes:not_a_code' END
    ), '')
    WHEN fault = 'PLATFORM_INVALID' THEN platform_text
    WHEN starts_with(fault, 'POST_ID') THEN post_id
    WHEN starts_with(fault, 'CATEGORY') THEN category_root_text
    WHEN starts_with(fault, 'COLLECTED') THEN collected_at_text
    WHEN starts_with(fault, 'POSTED') THEN posted_at_text
  END AS remark
FROM checked;
