-- in: month_arrival, month_before, listing, withdrawal, $partition out: before, newest, contest, duplicate, conflict
-- A month's rows of this refresh beside those of the lake. Of each listing and day one row stays: the latest, of equal
-- times the one scraped last, then the cheapest, then in a fixed order of what is left.
CREATE OR REPLACE TEMP TABLE arrived AS
SELECT category_id, listing.listing_id, retailer_id, brand_id, date_trunc('second', observed_at) AS observed_at,
  coalesce(scraped_at, observed_at) AS scraped_at, price, list_price, promo_flag, in_stock, seller_id, file,
  observed_at::DATE AS day
FROM month_arrival
JOIN (FROM listing WHERE country = getvariable('partition')['country']) AS listing
  ON listing.platform = month_arrival.platform AND listing.product_id = month_arrival.listing_id;

-- Listings with more rows than days, and of those every row with its place: among the rows of one seller and instant, of
-- which the others repeat the first, and then of its day.
CREATE OR REPLACE TEMP TABLE crowded AS
WITH busy AS (
  SELECT listing_id FROM arrived GROUP BY listing_id HAVING count(*) > bit_count(bit_or(1::BIGINT << day(day)))
),
keyed AS (
  SELECT *, row_number() OVER (PARTITION BY listing_id, seller_id, observed_at ORDER BY scraped_at DESC, price,
    list_price, promo_flag, in_stock, file) AS place_of_key
  FROM arrived SEMI JOIN busy USING (listing_id)
)
SELECT *, row_number() OVER (PARTITION BY listing_id, day ORDER BY place_of_key > 1, observed_at DESC, scraped_at DESC,
  price, list_price, promo_flag, in_stock, seller_id, file) AS place_of_day
FROM keyed;

-- The month as the lake has it, with the rows that are withdrawn from it, those of listings that are gone among them.
CREATE OR REPLACE TEMP TABLE before AS
SELECT category_id, month_before.*, retailer_id, brand_id,
  listing.platform IS NULL OR withdrawal.platform IS NOT NULL AS is_withdrawn
FROM month_before LEFT JOIN listing USING (listing_id)
LEFT JOIN withdrawal ON withdrawal.platform = listing.platform AND withdrawal.country = listing.country
  AND day BETWEEN withdrawal.first_day AND withdrawal.last_day;

-- The row that this refresh has of each listing and day.
CREATE OR REPLACE TEMP VIEW newest AS
WITH row_of_day AS (
  SELECT * FROM arrived ANTI JOIN crowded USING (listing_id)
  UNION ALL
  SELECT * EXCLUDE (place_of_day, place_of_key) FROM crowded WHERE place_of_day = 1
)
SELECT * EXCLUDE (observed_at, seller_id), second_of(observed_at) AS observed_second FROM row_of_day;

-- Those of days that the lake has too. It keeps its own where that is the same, or later on the day.
CREATE OR REPLACE TEMP TABLE contest AS
SELECT listing_id, day, newest.file,
  CASE
    WHEN before.observed_second = newest.observed_second
      AND (newest.price, newest.list_price, newest.promo_flag, newest.in_stock)
        IS NOT DISTINCT FROM (before.price, before.list_price, before.promo_flag, before.in_stock) THEN 'same_key'
    WHEN before.observed_second > newest.observed_second AND NOT is_withdrawn THEN 'same_day'
  END AS duplicate_of
FROM newest JOIN before USING (listing_id, day);

INSERT INTO duplicate
SELECT file, CASE WHEN place_of_key > 1 THEN 'same_key' ELSE 'same_day' END AS kind, count(*)
FROM crowded WHERE place_of_day > 1 GROUP BY ALL
UNION ALL
SELECT file, duplicate_of, count(*) FROM contest WHERE duplicate_of IS NOT NULL GROUP BY ALL;

INSERT INTO conflict
SELECT listing_id, min(file), observed_at, count(*), list(DISTINCT price ORDER BY price) FROM crowded
GROUP BY listing_id, seller_id, observed_at HAVING min(price) <> max(price);

SELECT ((SELECT count(*) FROM arrived) - (SELECT count(*) FROM crowded WHERE place_of_day > 1)
    - (SELECT count(duplicate_of) FROM contest))::INTEGER AS added,
  (SELECT count(*) FROM before ANTI JOIN (FROM contest WHERE duplicate_of = 'same_key') USING (listing_id, day)
   WHERE is_withdrawn)::INTEGER AS withdrawn;
