-- One month's rows of this refresh. Of each listing and day one stays: the latest, of equal times the one scraped last,
-- then the cheapest, then in a fixed order of what is left.
CREATE OR REPLACE TEMP VIEW arrived AS
SELECT * REPLACE (date_trunc('second', observed_at) AS observed_at, coalesce(scraped_at, observed_at) AS scraped_at),
  observed_at::DATE AS day
FROM read_parquet(getvariable('partition')['facts'], hive_partitioning = false);

-- Listings with more rows than days, and of those every row with its place.
CREATE OR REPLACE TEMP TABLE crowded AS
WITH busy AS (
  SELECT listing_id FROM arrived GROUP BY listing_id HAVING count(*) > bit_count(bit_or(1::BIGINT << day(day)))
)
SELECT *,
  row_number() OVER (PARTITION BY listing_id, day ORDER BY observed_at DESC, scraped_at DESC, price, list_price,
    promo_flag, in_stock, seller_id, file) AS place_of_day,
  row_number() OVER (PARTITION BY listing_id, seller_id, observed_at ORDER BY scraped_at DESC, price, list_price,
    promo_flag, in_stock, file) AS place_of_key
FROM arrived SEMI JOIN busy USING (listing_id);

-- The month as the lake has it.
CREATE OR REPLACE TEMP TABLE before AS
SELECT listing_id, day, price, list_price, promo_flag, in_stock, observed_second
FROM read_parquet(getvariable('partition')['observations'], hive_partitioning = false) AS observation
JOIN read_parquet(getvariable('partition')['times'], hive_partitioning = false) AS observation_time
  USING (listing_id, day);

-- What this refresh says of each day, unless the lake knows it already, or knows later of the same day.
CREATE OR REPLACE TEMP TABLE contest AS
WITH newest AS (
  SELECT * FROM arrived ANTI JOIN crowded USING (listing_id)
  UNION ALL
  SELECT * EXCLUDE (place_of_day, place_of_key) FROM crowded WHERE place_of_day = 1
),
timed AS (
  SELECT * EXCLUDE (observed_at, seller_id), second_of(observed_at) AS observed_second FROM newest
)
SELECT timed.*, before.listing_id IS NOT NULL AS is_known,
  CASE
    WHEN before.observed_second > timed.observed_second THEN 'same_day'
    WHEN before.observed_second = timed.observed_second
      AND (timed.price, timed.list_price, timed.promo_flag, timed.in_stock)
        IS NOT DISTINCT FROM (before.price, before.list_price, before.promo_flag, before.in_stock) THEN 'same_key'
  END AS duplicate_of
FROM timed LEFT JOIN before USING (listing_id, day);

INSERT INTO duplicate
SELECT file, CASE WHEN place_of_key > 1 THEN 'same_key' ELSE 'same_day' END AS kind, count(*)
FROM crowded WHERE place_of_day > 1 GROUP BY ALL
UNION ALL
SELECT file, duplicate_of, count(*) FROM contest WHERE duplicate_of IS NOT NULL GROUP BY ALL;
