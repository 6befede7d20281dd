-- One file of social_posts as typed rows in file order, each with the first rule it breaks. What was written is only
-- staged, for brands to be looked for.
COPY (
  WITH post AS (
    SELECT malformed, translated(own_text(line, 'platform'), 'platform') AS platform_text,
      words(own_text(line, 'post_id')) AS post_id, own_text(line, 'posted_at') AS posted_text,
      own_text(line, 'collected_at') AS collected_text,
      translated(own_text(line, 'category_root'), 'category_root') AS root_text,
      listed(own_text(line, 'brand_norms')) AS stated_brands, listed(own_text(line, 'gpc_codes')) AS stated_codes,
      key(own_text(line, 'theme')) AS theme, own_text(line, 'views') AS views_text, own_text(line, 'likes') AS likes_text,
      own_text(line, 'comments') AS comments_text, own_text(line, 'shares') AS shares_text,
      own_text(line, 'is_ad') AS ad_text, own_text(line, 'is_noise') AS noise_text,
      joined(line, getvariable('lists')['brand_texts'], ' | ') AS brand_text
    FROM raw
  ),
  typed AS (
    SELECT *, platform_key(platform_text) AS platform, key(root_text) AS category_root, instant(posted_text) AS posted_at,
      instant(collected_text) AS collected_at, yes_no(ad_text) AS is_ad, yes_no(noise_text) AS is_noise,
      list_sort(list_distinct(list_filter(stated_codes, lambda code: regexp_full_match(code, '\d{8}')))) AS gpc_codes,
      counted(views_text) AS views, counted(likes_text) AS likes, counted(comments_text) AS comments,
      counted(shares_text) AS shares
    FROM post
  ),
  checked AS (
    SELECT *,
      CASE
        WHEN malformed THEN 'ROW_MALFORMED'
        WHEN platform IS NULL OR platform NOT IN ('tiktok', 'youtube') THEN 'PLATFORM_INVALID'
        WHEN post_id IS NULL THEN 'POST_ID_MISSING'
        WHEN NOT regexp_full_match(post_id, '[A-Za-z0-9_-]{1,64}') THEN 'POST_ID_INVALID'
        WHEN category_root IS NULL OR NOT regexp_full_match(category_root, '[^/\s]+') THEN 'CATEGORY_ROOT_INVALID'
        WHEN collected_at IS NULL AND words(collected_text) IS NULL THEN 'COLLECTED_AT_MISSING'
        WHEN is_beyond(collected_at) THEN 'COLLECTED_AT_INVALID'
        WHEN words(posted_text) IS NOT NULL AND is_beyond(posted_at) THEN 'POSTED_AT_INVALID'
        WHEN posted_at > collected_at + INTERVAL 5 MINUTE THEN 'POSTED_AFTER_COLLECTED'
      END AS fault
    FROM typed
  )
  SELECT getvariable('file')['number']::INTEGER AS file, platform, post_id, posted_at, collected_at, category_root,
    concat(array_to_string(stated_brands, chr(30)), chr(31), brand_text) AS brand_source, gpc_codes, theme, views,
    CASE WHEN views IS NOT NULL AND coalesce(likes, comments, shares) IS NOT NULL
      THEN coalesce(likes, 0) + coalesce(comments, 0) + coalesce(shares, 0) END AS engagements,
    coalesce(is_ad, false) AS is_ad, coalesce(is_noise, false) AS is_noise, fault,
    CASE
      WHEN fault IS NULL THEN nullif(concat_ws(' ',
        CASE WHEN is_lost(views_text, views) THEN 'views:not_a_count' END,
        CASE WHEN is_lost(likes_text, likes) THEN 'likes:not_a_count' END,
        CASE WHEN is_lost(comments_text, comments) THEN 'comments:not_a_count' END,
        CASE WHEN is_lost(shares_text, shares) THEN 'shares:not_a_count' END,
        CASE WHEN is_lost(ad_text, is_ad) THEN 'is_ad:unknown' END,
        CASE WHEN is_lost(noise_text, is_noise) THEN 'is_noise:unknown' END,
        CASE WHEN len(gpc_codes) < len(list_distinct(stated_codes)) THEN 'gpc_codes:not_a_code' END
      ), '')
      WHEN fault = 'PLATFORM_INVALID' THEN platform_text
      WHEN starts_with(fault, 'POST_ID') THEN post_id
      WHEN starts_with(fault, 'CATEGORY') THEN root_text
      WHEN starts_with(fault, 'COLLECTED') THEN collected_text
      WHEN starts_with(fault, 'POSTED') THEN posted_text
    END AS remark
  FROM checked
) TO (getvariable('file')['staged']) (FORMAT parquet, COMPRESSION lz4_raw);
