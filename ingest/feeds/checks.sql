-- in: out:
-- The rows of one source of each feed, each with the first rule it breaks.

-- The rows of one source of price_observations, typed, each with the first rule it breaks: `fault`. `remark` is the value
-- to blame of a refused row, and of another what is left out of it, column by column.
CREATE TEMP MACRO checked_observations(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (platform_key(platform_text) AS platform, country_key(country_text) AS country,
      CASE WHEN list_price BETWEEN 1 AND 99999999 THEN list_price::INTEGER END AS list_price,
      CASE WHEN review_count >= 0 THEN review_count END AS review_count,
      -- No vote is no rating.
      CASE WHEN star_rating > 0 AND star_rating <= 5 OR star_rating = 0 AND review_count > 0
        THEN star_rating::DECIMAL(3, 2) END AS star_rating),
    price BETWEEN 1 AND 99999999 AS has_price, list_price AS any_list_price, review_count AS any_review_count,
    star_rating AS any_star_rating
  FROM query_table(in_source)
),
sound AS (
  -- One condition is several times cheaper than naming the rule that a row breaks, and few rows break any.
  SELECT *, coalesce(NOT malformed AND country IS NOT NULL AND platform IS NOT NULL AND listing_id IS NOT NULL
    AND NOT is_too_early(observed_at) AND NOT is_in_future(observed_at)
    AND (scraped_at IS NULL OR epoch_us(observed_at) <= epoch_us(scraped_at) + 300000000) AND has_price
    AND is_currency(currency_text, country), false) AS is_sound
  FROM keyed
),
checked AS (
  SELECT *,
    CASE WHEN is_sound THEN NULL ELSE CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN country IS NULL THEN 'COUNTRY_UNKNOWN'
      WHEN platform IS NULL THEN 'PLATFORM_INVALID'
      WHEN listing_id IS NULL THEN 'LISTING_ID_MISSING'
      WHEN observed_at IS NULL
        THEN CASE WHEN words(observed_at_text) IS NULL THEN 'OBSERVED_AT_MISSING' ELSE 'OBSERVED_AT_INVALID' END
      WHEN is_too_early(observed_at) OR NOT isfinite(observed_at) THEN 'OBSERVED_AT_INVALID'
      WHEN is_in_future(observed_at) THEN 'OBSERVED_IN_FUTURE'
      WHEN scraped_at + INTERVAL 5 MINUTE < observed_at THEN 'OBSERVED_AFTER_SCRAPED'
      WHEN has_price THEN 'CURRENCY_MISMATCH'
      WHEN words(price_text) IS NULL THEN 'PRICE_MISSING'
      WHEN price <= 0 OR TRY_CAST(price_text AS DOUBLE) <= 0 THEN 'PRICE_NOT_POSITIVE'
      WHEN price IS NOT NULL OR isfinite(TRY_CAST(price_text AS DOUBLE)) THEN 'PRICE_TOO_LARGE'
      ELSE 'PRICE_NOT_A_NUMBER'
    END END AS fault
  FROM sound
)
SELECT file, row, platform, country, listing_id, observed_at, scraped_at,
  CASE WHEN has_price THEN price::INTEGER END AS price, list_price, promo_flag, availability AS in_stock,
  COLUMNS(lambda name: name IN ('seller_id', 'star_rating', 'review_count', 'product_name', 'brand', 'gtin', 'mpn',
    'model', 'item_group_id', 'is_bundle', 'multipack', 'browse_ids', 'category_path', 'google_product_category',
    'gpc_code', 'condition', 'url', 'size_value', 'size_unit', 'pack_count', 'seller_type')),
  is_sound, CASE WHEN is_sound THEN year(observed_at) * 100 + month(observed_at) ELSE 0 END AS month, fault::fault AS fault,
  CASE
    WHEN is_sound THEN CASE
      WHEN list_price IS NULL AND (any_list_price IS NOT NULL OR list_price_text IS NOT NULL)
        OR star_rating IS NULL AND (any_star_rating IS NOT NULL OR star_rating_text IS NOT NULL)
        OR review_count IS NULL AND (any_review_count IS NOT NULL OR review_count_text IS NOT NULL)
        OR scraped_at IS NULL AND scraped_at_text IS NOT NULL OR promo_flag IS NULL AND promo_flag_text IS NOT NULL
        OR availability IS NULL AND availability_text IS NOT NULL
      THEN nullif(concat_ws(' ',
        CASE WHEN is_lost(list_price_text, any_list_price, list_price) THEN 'list_price:' || why_lost(any_list_price) END,
        CASE WHEN is_lost(star_rating_text, any_star_rating, star_rating) AND any_star_rating IS DISTINCT FROM 0
          THEN 'star_rating:' || why_lost(any_star_rating) END,
        CASE WHEN is_lost(review_count_text, any_review_count, review_count) THEN 'review_count:' || why_lost(any_review_count) END,
        CASE WHEN is_lost(scraped_at_text, scraped_at, scraped_at) THEN 'scraped_at:not_a_time' END,
        CASE WHEN is_lost(promo_flag_text, promo_flag, promo_flag) THEN 'promo_flag:unknown' END,
        CASE WHEN is_lost(availability_text, availability, availability) AND key(availability_text) <> 'unknown'
          THEN 'availability:unknown' END
      ), '') END
    WHEN starts_with(fault, 'PRICE') THEN price_text
    WHEN starts_with(fault, 'OBSERVED') THEN observed_at_text
    WHEN fault = 'CURRENCY_MISMATCH' THEN currency_text
    WHEN fault = 'COUNTRY_UNKNOWN' THEN country_text
    WHEN fault = 'PLATFORM_INVALID' THEN platform_text
  END AS remark
FROM checked;

-- The rows of one source of product_catalogue, each with the first rule it breaks.
CREATE TEMP MACRO checked_catalogue(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (platform_key(platform_text) AS platform, country_key(country_text) AS country),
    NULL::INTEGER AS review_count
  FROM query_table(in_source)
)
SELECT file, row, platform, country, listing_id, last_seen_at,
  COLUMNS(lambda name: name IN ('review_count', 'product_name', 'brand', 'gtin', 'mpn', 'model', 'item_group_id',
    'is_bundle', 'multipack', 'browse_ids', 'category_path', 'google_product_category', 'gpc_code', 'condition', 'url',
    'size_value', 'size_unit', 'pack_count', 'seller_type')),
  CASE
    WHEN malformed THEN 'ROW_MALFORMED'
    WHEN country IS NULL THEN 'COUNTRY_UNKNOWN'
    WHEN platform IS NULL THEN 'PLATFORM_INVALID'
    WHEN listing_id IS NULL THEN 'LISTING_ID_MISSING'
  END::fault AS fault,
  CASE
    WHEN malformed THEN NULL
    WHEN country IS NULL THEN country_text
    WHEN platform IS NULL THEN platform_text
    WHEN is_lost(last_seen_at_text, last_seen_at, last_seen_at) AND listing_id IS NOT NULL THEN 'last_seen_at:not_a_time'
  END AS remark
FROM keyed;

-- The rows of one source of category_taxonomy, each with the first rule it breaks on its own; whether its ancestors
-- exist is checked when all rows are known.
CREATE TEMP MACRO checked_taxonomy(in_source) AS TABLE
WITH placed AS (
  SELECT *, nullif(regexp_replace(path, '/?[^/]*$', ''), '') AS own_parent FROM query_table(in_source)
),
checked AS (
  SELECT *,
    CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN path IS NULL OR path <> lower(path) OR NOT regexp_full_match(path, '[^/\s]+(?:/[^/\s]+){0,7}')
        THEN 'PATH_INVALID'
      WHEN name IS NULL THEN 'NAME_MISSING'
      WHEN parent_path IS NOT NULL AND parent_path IS DISTINCT FROM own_parent THEN 'PARENT_MISMATCH'
    END AS fault
  FROM placed
)
SELECT file, row, path, name, own_parent AS parent_path, aliases, gpc_codes, is_accessory, is_mixed, price_floor_us,
  price_floor_ca, coalesce(active, true) AS active, fault::fault AS fault,
  CASE fault WHEN 'PATH_INVALID' THEN path WHEN 'PARENT_MISMATCH' THEN parent_path END AS remark
FROM checked;

-- The rows of one source of browse_nodes, each with the first rule it breaks.
CREATE TEMP MACRO checked_browse_nodes(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (country_key(marketplace_text) AS marketplace, words(html_unescaped(name_text)) AS name)
  FROM query_table(in_source)
),
checked AS (
  SELECT *,
    CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN marketplace IS NULL THEN 'MARKETPLACE_UNKNOWN'
      WHEN browse_id IS NULL OR NOT regexp_full_match(browse_id, '\d{1,20}') THEN 'BROWSE_ID_INVALID'
      WHEN name IS NULL THEN 'NAME_MISSING'
    END AS fault
  FROM keyed
)
SELECT file, row, marketplace, browse_id, name, parent_id, path_ids, fault::fault AS fault,
  CASE fault WHEN 'MARKETPLACE_UNKNOWN' THEN marketplace_text WHEN 'BROWSE_ID_INVALID' THEN browse_id_text END AS remark
FROM checked;

-- The rows of one source of social_posts, each with the first rule it breaks. What people wrote is only staged, so that
-- brands can be looked for in it.
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
