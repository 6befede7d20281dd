-- Every listing's latest observation: this refresh's where it is not older than the one the lake had.
CREATE TABLE current_price AS
WITH added AS (
  SELECT listing_id, max(observed_at) AS observed_at, arg_max(scraped_at, observed_at) AS scraped_at,
    arg_max(price, observed_at) AS price, arg_max_null(list_price, observed_at) AS list_price,
    arg_max_null(promo_flag, observed_at) AS promo_flag, arg_max_null(in_stock, observed_at) AS in_stock,
    min(first_day) AS first_day, max(last_day) AS last_day
  FROM latest GROUP BY listing_id
),
known AS (
  SELECT listing_id, observed_at, scraped_at, price, list_price, promo_flag, in_stock, first_day, last_day
  FROM previous_listing WHERE observed_at IS NOT NULL
),
newer AS (
  SELECT added.* FROM added LEFT JOIN known USING (listing_id)
  WHERE known.observed_at IS NULL OR added.observed_at >= known.observed_at
),
either AS (
  SELECT * FROM newer
  UNION ALL
  SELECT * FROM known ANTI JOIN newer USING (listing_id)
)
SELECT either.* REPLACE (
  least(either.first_day, added.first_day, known.first_day) AS first_day,
  greatest(either.last_day, added.last_day, known.last_day) AS last_day)
FROM either LEFT JOIN added USING (listing_id) LEFT JOIN known USING (listing_id);
