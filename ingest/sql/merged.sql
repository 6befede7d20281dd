-- The month as it will be, in the order of its file.
CREATE OR REPLACE TEMP TABLE merged AS
WITH kept AS (
  SELECT listing_id, day, price, list_price, promo_flag, in_stock, observed_second
  FROM contest WHERE duplicate_of IS NULL
),
stays AS (
  SELECT * FROM kept
  UNION ALL
  SELECT listing_id, day, price, list_price, promo_flag, in_stock, observed_second
  FROM before ANTI JOIN kept USING (listing_id, day)
)
SELECT category_id, listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second
FROM stays JOIN listing USING (listing_id)
ORDER BY category_id, listing_id, day;

INSERT INTO latest
SELECT listing_id, max(observed_at), arg_max(scraped_at, observed_at), arg_max(price, observed_at),
  arg_max_null(list_price, observed_at), arg_max_null(promo_flag, observed_at), arg_max_null(in_stock, observed_at),
  min(day), max(day)
FROM contest WHERE duplicate_of IS NULL GROUP BY listing_id;

INSERT INTO shelf_day
SELECT getvariable('partition').country, getvariable('partition').month, day, category_id, retailer_id, count(*),
  min(observed_second), max(observed_second)
FROM merged GROUP BY ALL;
