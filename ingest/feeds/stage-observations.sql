-- One file of price_observations as typed rows in file order, each with the first rule it breaks.
COPY (
  WITH typed AS (
    SELECT * EXCLUDE (platform, country, promo_flag),
      platform_key(platform_text) AS platform, country_key(country_text) AS country, words(listing_text) AS listing_id,
      instant(observed_text) AS observed_at, instant(scraped_text) AS collected_at,
      cents(price_text, getvariable('file')['price_scale']) AS price,
      cents(list_text, getvariable('file')['list_price_scale']) AS list_cents,
      yes_no(promo_text) AS promo_flag, stocked(stock_text) AS in_stock, words(seller_text) AS seller_id,
      TRY_CAST(rating_text AS DECIMAL(9, 2)) AS rating, TRY_CAST(review_text AS INTEGER) AS reviews
    FROM stated()
  ),
  checked AS (
    SELECT *,
      CASE
        WHEN malformed THEN 'ROW_MALFORMED'
        WHEN country IS NULL THEN 'COUNTRY_UNKNOWN'
        WHEN platform IS NULL THEN 'PLATFORM_INVALID'
        WHEN listing_id IS NULL THEN 'LISTING_ID_MISSING'
        WHEN observed_at IS NULL AND words(observed_text) IS NULL THEN 'OBSERVED_AT_MISSING'
        WHEN observed_at IS NULL OR observed_at < TIMESTAMP '1990-01-01' OR observed_at >= TIMESTAMP '2100-01-01'
          THEN 'OBSERVED_AT_INVALID'
        WHEN observed_at > collected_at + INTERVAL 5 MINUTE THEN 'OBSERVED_AFTER_SCRAPED'
        WHEN price BETWEEN 1 AND 99999999 THEN
          CASE WHEN is_currency(currency_text, country) THEN NULL ELSE 'CURRENCY_MISMATCH' END
        WHEN words(price_text) IS NULL THEN 'PRICE_MISSING'
        WHEN price <= 0 OR TRY_CAST(price_text AS DOUBLE) <= 0 THEN 'PRICE_NOT_POSITIVE'
        WHEN price IS NOT NULL OR isfinite(TRY_CAST(price_text AS DOUBLE)) THEN 'PRICE_TOO_LARGE'
        ELSE 'PRICE_NOT_A_NUMBER'
      END AS fault,
      CASE WHEN list_cents BETWEEN 1 AND 99999999 THEN list_cents::INTEGER END AS list_price,
      CASE WHEN reviews >= 0 THEN reviews END AS review_count,
      -- No vote is no rating.
      CASE WHEN rating > 0 AND rating <= 5 OR rating = 0 AND reviews > 0 THEN rating::DECIMAL(3, 2) END AS star_rating
    FROM typed
  )
  SELECT getvariable('file')['number']::INTEGER AS file, platform, country, listing_id, observed_at,
    collected_at AS scraped_at, price::INTEGER AS price, list_price, promo_flag, in_stock,
    COLUMNS(lambda name: list_contains(getvariable('lists')['kept'], name)),
    fault::fault AS fault,
    -- Of a refused row the value to blame; of another what is left out of it, column by column.
    CASE
      WHEN fault IS NULL THEN CASE
        WHEN list_price IS NULL AND list_text IS NOT NULL OR star_rating IS NULL AND rating_text IS NOT NULL
          OR review_count IS NULL AND review_text IS NOT NULL OR collected_at IS NULL AND scraped_text IS NOT NULL
          OR promo_flag IS NULL AND promo_text IS NOT NULL OR in_stock IS NULL AND stock_text IS NOT NULL
        THEN nullif(concat_ws(' ',
          CASE WHEN is_lost(list_text, list_price) THEN 'list_price:' || why_lost(list_cents) END,
          CASE WHEN is_lost(rating_text, star_rating) AND rating IS DISTINCT FROM 0
            THEN 'star_rating:' || why_lost(rating) END,
          CASE WHEN is_lost(review_text, review_count) THEN 'review_count:' || why_lost(reviews) END,
          CASE WHEN is_lost(scraped_text, collected_at) THEN 'scraped_at:not_a_time' END,
          CASE WHEN is_lost(promo_text, promo_flag) THEN 'promo_flag:unknown' END,
          CASE WHEN is_lost(stock_text, in_stock) AND key(stock_text) <> 'unknown' THEN 'availability:unknown' END
        ), '') END
      WHEN malformed THEN source
      WHEN starts_with(fault, 'PRICE') THEN price_text
      WHEN starts_with(fault, 'OBSERVED') THEN observed_text
      WHEN fault = 'CURRENCY_MISMATCH' THEN currency_text
      WHEN fault = 'COUNTRY_UNKNOWN' THEN country_text
      WHEN fault = 'PLATFORM_INVALID' THEN platform_text
    END AS remark
  FROM checked
) TO (getvariable('file')['staged']) (FORMAT parquet, COMPRESSION lz4_raw);
