-- name: unchanged
-- in: merged, merged_month, $partition out:
-- Drops the rows of the months that are kept as they are.
DELETE FROM merged WHERE strftime(month_day(month), '%Y-%m') NOT IN (
  SELECT month FROM merged_month WHERE country = getvariable('partition')['country']);

-- name: merged
-- in: merged, left_out, $partition out: listing_month, latest, shelf_day, listed_month
-- Rolls merged months up. Returns the rows of each and the sum of their hashes, which does not depend on the order of rows. Only
-- rows of this refresh have the time of scraping.
DELETE FROM merged WHERE rowid IN (SELECT row_id FROM left_out);

-- A listing's month. The price is the discrete median of its days, which is always an observed price; `last_` columns
-- are of its last day, which is its last row.
CREATE OR REPLACE TEMP TABLE listing_month AS
WITH counted AS (
  SELECT month, listing_id, quantile_disc(price, 0.5) AS median_price, count(*)::INTEGER AS observation_count,
    min(day) AS first_day
  FROM merged GROUP BY month, listing_id
),
placed AS (
  SELECT *, lead(listing_id) OVER () AS listing_below, lead(month) OVER () AS month_below FROM merged
)
SELECT placed.month, category_id, counted.listing_id, retailer_id, brand_id, median_price AS price, observation_count, first_day,
  day AS last_day, price AS last_price, list_price AS last_list_price, promo_flag AS last_promo_flag,
  in_stock AS last_in_stock, observed_second AS last_second, scraped_at AS last_scraped_at
FROM counted JOIN placed ON placed.listing_id = counted.listing_id AND placed.month = counted.month
  AND (listing_below IS DISTINCT FROM placed.listing_id OR month_below IS DISTINCT FROM placed.month);

INSERT INTO latest
SELECT listing_id, last_day::TIMESTAMP + to_seconds(last_second), last_scraped_at, last_price, last_list_price,
  last_promo_flag, last_in_stock, first_day, last_day
FROM listing_month;

INSERT INTO shelf_day
SELECT getvariable('partition')['country'], day, category_id, retailer_id, count(*), min(observed_second),
  max(observed_second)
FROM merged GROUP BY ALL;

INSERT INTO listed_month
SELECT getvariable('partition')['country'], retailer_id, month_day(month), count(*), count(*) FILTER (list_price > price)
FROM merged GROUP BY month, retailer_id;

WITH hashed AS (
  SELECT month, hash(category_id, listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock,
    observed_second) AS hash
  FROM merged
)
SELECT strftime(month_day(month), '%Y-%m') AS month, count(*)::INTEGER AS rows, sum(hash)::VARCHAR AS hash
FROM hashed GROUP BY month ORDER BY month;

-- name: write-month
-- in: merged, $partition out: observations.parquet, observation_times.parquet
COPY (
  SELECT category_id, listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock,
    getvariable('partition')['country'] AS country, getvariable('partition')['month'] AS month
  FROM merged WHERE merged.month = getvariable('partition')['month_number']::INTEGER
) TO (getvariable('partition')['observations_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

COPY (
  SELECT category_id, listing_id, day, observed_second, getvariable('partition')['country'] AS country,
    getvariable('partition')['month'] AS month
  FROM merged WHERE merged.month = getvariable('partition')['month_number']::INTEGER
) TO (getvariable('partition')['observation_times_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);
