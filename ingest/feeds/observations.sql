-- in: out:
-- The rows of one source of price_observations, typed, each with the first rule it breaks: `fault`. `remark` is the
-- invalid value of a refused row, and of another row its dropped values by column. Work that few rows need is in a
-- branch of a CASE that no other row enters; a value that is used unchanged has no text.
CREATE TEMP MACRO checked_observations(in_source) AS TABLE
WITH keyed AS (
  SELECT * REPLACE (platform_key(platform_text) AS platform,
      CASE WHEN NOT list_price_is_finer AND is_storable(list_price, country) THEN list_price::INTEGER END AS list_price,
      CASE WHEN review_count >= 0 THEN review_count END AS review_count,
      -- A rating of 0 without reviews is missing.
      CASE WHEN star_rating > 0 AND star_rating <= 5 OR star_rating = 0 AND review_count > 0
        THEN star_rating::DECIMAL(3, 2) END AS star_rating),
    is_storable(price, country) AS has_price, list_price AS any_list_price, review_count AS any_review_count,
    star_rating AS any_star_rating
  FROM (SELECT * REPLACE (country_key(country_text) AS country) FROM query_table(in_source))
),
sound AS (
  -- One condition is several times cheaper than naming the rule that a row breaks, and few rows break any.
  SELECT *, coalesce(NOT malformed AND country IS NOT NULL AND platform IS NOT NULL AND listing_id IS NOT NULL
    AND NOT is_too_early(observed_at) AND NOT is_in_future(observed_at)
    AND (scraped_at IS NULL OR epoch_us(observed_at) <= epoch_us(scraped_at) + 300000000) AND has_price
    AND NOT price_is_finer AND is_currency(currency_text, country) AND are_marks_of(price_marks, country), false) AS is_sound
  FROM keyed
),
checked AS (
  SELECT *,
    CASE WHEN is_sound THEN NULL ELSE (CASE
      WHEN malformed THEN 'ROW_MALFORMED'
      WHEN country IS NULL THEN 'COUNTRY_UNKNOWN'
      WHEN platform IS NULL THEN 'PLATFORM_INVALID'
      WHEN listing_id IS NULL THEN 'LISTING_ID_MISSING'
      WHEN observed_at IS NULL
        THEN CASE WHEN words(observed_at_text) IS NULL THEN 'OBSERVED_AT_MISSING' ELSE 'OBSERVED_AT_INVALID' END
      WHEN is_too_early(observed_at) OR NOT isfinite(observed_at) THEN 'OBSERVED_AT_INVALID'
      WHEN is_in_future(observed_at) THEN 'OBSERVED_IN_FUTURE'
      WHEN scraped_at + INTERVAL 5 MINUTE < observed_at THEN 'OBSERVED_AFTER_SCRAPED'
      WHEN words(currency_text) IS NULL AND currency_of(country) IS NULL THEN 'CURRENCY_MISSING'
      WHEN has_price AND price_is_finer THEN 'PRICE_TOO_FINE'
      WHEN has_price THEN 'CURRENCY_MISMATCH'
      WHEN price IS NULL AND words(price_text) IS NULL THEN 'PRICE_MISSING'
      WHEN price <= 0 OR TRY_CAST(price_text AS DOUBLE) <= 0 THEN 'PRICE_NOT_POSITIVE'
      WHEN price IS NOT NULL OR TRY_CAST(price_text AS DOUBLE) >= 1000000 AND isfinite(TRY_CAST(price_text AS DOUBLE)) THEN 'PRICE_TOO_LARGE'
      ELSE 'PRICE_NOT_A_NUMBER'
    END)::fault END AS fault
  FROM sound
)
SELECT file, row, platform, country, listing_id, observed_at, scraped_at,
  CASE WHEN has_price THEN price::INTEGER END AS price, list_price, promo_flag, availability AS in_stock,
  COLUMNS(lambda name: name IN ('seller_id', 'star_rating', 'review_count', 'product_name', 'brand', 'gtin', 'mpn',
    'model', 'item_group_id', 'is_bundle', 'multipack', 'browse_ids', 'category_path', 'google_product_category',
    'gpc_code', 'condition', 'url', 'size_value', 'size_unit', 'pack_count', 'seller_type', 'recommended_price')),
  is_sound, CASE WHEN is_sound THEN year(observed_at) * 100 + month(observed_at) ELSE 0 END AS month, fault,
  CASE
    WHEN is_sound THEN CASE
      WHEN list_price IS NULL AND (any_list_price IS NOT NULL OR list_price_text IS NOT NULL)
        OR star_rating IS NULL AND (any_star_rating IS NOT NULL OR star_rating_text IS NOT NULL)
        OR review_count IS NULL AND (any_review_count IS NOT NULL OR review_count_text IS NOT NULL)
        OR scraped_at IS NULL AND scraped_at_text IS NOT NULL OR promo_flag IS NULL AND promo_flag_text IS NOT NULL
        OR availability IS NULL AND availability_text IS NOT NULL OR recommended_price_lost IS NOT NULL
        OR country NOT IN ('us', 'ca') AND currency_of(country) IS NULL
      THEN nullif(concat_ws(' ',
        CASE WHEN currency_of(country) IS NULL THEN 'currency=' || words(currency_text) END, 'recommended_price:' || recommended_price_lost,
        CASE WHEN list_price_is_finer THEN 'list_price:too_fine'
          WHEN is_lost(list_price_text, any_list_price, list_price) THEN 'list_price:' || why_lost(any_list_price) END,
        CASE WHEN is_lost(star_rating_text, any_star_rating, star_rating) AND any_star_rating IS DISTINCT FROM 0
          THEN 'star_rating:' || why_lost(any_star_rating) END,
        CASE WHEN is_lost(review_count_text, any_review_count, review_count) THEN 'review_count:' || why_lost(any_review_count) END,
        CASE WHEN is_lost(scraped_at_text, scraped_at, scraped_at) THEN 'scraped_at:not_a_time' END,
        CASE WHEN is_lost(promo_flag_text, promo_flag, promo_flag) THEN 'promo_flag:unknown' END,
        CASE WHEN is_lost(availability_text, availability, availability) AND key(availability_text) <> 'unknown'
          THEN 'availability:unknown' END
      ), '') END
    WHEN starts_with(fault::VARCHAR, 'PRICE') THEN coalesce(price_text, price::VARCHAR)
    WHEN starts_with(fault::VARCHAR, 'OBSERVED') THEN coalesce(observed_at_text, observed_at::VARCHAR)
    WHEN fault = 'CURRENCY_MISMATCH'
      THEN CASE WHEN is_currency(currency_text, country) THEN price_text ELSE currency_text END
    WHEN fault = 'COUNTRY_UNKNOWN' THEN country_text
    WHEN fault = 'PLATFORM_INVALID' THEN platform_text
  END AS remark
FROM checked;
