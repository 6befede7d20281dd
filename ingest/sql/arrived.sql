-- One month's rows of this refresh, and of each listing and day the one that stays: the latest, of equal times the one
-- scraped last, then the cheapest, then in a fixed order of what is left.
CREATE OR REPLACE TEMP TABLE arrived AS
SELECT * REPLACE (date_trunc('second', observed_at) AS observed_at), observed_at::DATE AS day
FROM read_parquet(getvariable('partition').facts, hive_partitioning = false);

CREATE OR REPLACE TEMP TABLE crowded AS
WITH busy AS (
  SELECT listing_id, day FROM arrived GROUP BY ALL HAVING count(*) > 1
)
SELECT *,
  row_number() OVER (PARTITION BY listing_id, day ORDER BY observed_at DESC, scraped_at DESC, price, list_price,
    promo_flag, in_stock, seller_id, file) AS place_of_day,
  row_number() OVER (PARTITION BY listing_id, seller_id, observed_at ORDER BY scraped_at DESC, price, list_price,
    promo_flag, in_stock, file) AS place_of_key
FROM arrived SEMI JOIN busy USING (listing_id, day);

CREATE OR REPLACE TEMP TABLE newest AS
SELECT * FROM arrived ANTI JOIN crowded USING (listing_id, day)
UNION ALL
SELECT * EXCLUDE (place_of_day, place_of_key) FROM crowded WHERE place_of_day = 1;

-- The month as the lake has it.
CREATE OR REPLACE TEMP TABLE before AS
SELECT listing_id, day, price, list_price, promo_flag, in_stock, observed_second
FROM read_parquet(getvariable('partition').observations, hive_partitioning = false) AS observation
JOIN read_parquet(getvariable('partition').times, hive_partitioning = false) AS observation_time
  USING (listing_id, day);

-- What this refresh adds to it: not what the lake knows already, or knows later of the same day.
CREATE OR REPLACE TEMP TABLE contest AS
SELECT newest.*, second_of(newest.observed_at) AS observed_second,
  CASE
    WHEN before.observed_second > second_of(newest.observed_at) THEN 'same_day'
    WHEN before.observed_second = second_of(newest.observed_at)
      AND (newest.price, newest.list_price, newest.promo_flag, newest.in_stock)
        IS NOT DISTINCT FROM (before.price, before.list_price, before.promo_flag, before.in_stock) THEN 'same_key'
  END AS duplicate_of
FROM newest LEFT JOIN before USING (listing_id, day);

INSERT INTO duplicate
SELECT file, CASE WHEN place_of_key > 1 THEN 'same_key' ELSE 'same_day' END AS kind, count(*)
FROM crowded WHERE place_of_day > 1 GROUP BY ALL
UNION ALL
SELECT file, duplicate_of, count(*) FROM contest WHERE duplicate_of IS NOT NULL GROUP BY ALL;
