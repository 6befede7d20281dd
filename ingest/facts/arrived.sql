-- in: month_arrival, month_before, listing, withdrawal, $partition out: merged, left_out, duplicate, conflict
-- The rows of some months of a country of this refresh and of the lake, whose file is NULL, in the order of the months' files;
-- and the rows to leave out. One row per listing and day stays: the latest, of equal times the last scraped, then the cheapest, then
-- one on promotion, then the first by the other columns. The lake's row stays if it is the same, or later on that day.
CREATE OR REPLACE TEMP TABLE merged AS
SELECT month_number(observed_at) AS month, category_id, listing.listing_id, retailer_id, brand_id, observed_at::DATE AS day, price,
  list_price, promo_flag, in_stock, second_of(observed_at) AS observed_second, coalesce(scraped_at, observed_at) AS scraped_at,
  hash(seller_id) AS seller, file, false AS is_withdrawn
FROM month_arrival
JOIN (FROM listing WHERE country = getvariable('partition')['country']) AS listing
  ON listing.platform = month_arrival.platform AND listing.product_id = month_arrival.listing_id
UNION ALL
-- Rows of removed listings are withdrawn too.
SELECT month_number(day), category_id, month_before.listing_id, listing.retailer_id, listing.brand_id, day, price, list_price,
  promo_flag, in_stock, observed_second, NULL, NULL, NULL, listing.platform IS NULL OR withdrawal.platform IS NOT NULL
FROM month_before LEFT JOIN listing USING (listing_id)
LEFT JOIN withdrawal ON withdrawal.platform = listing.platform AND withdrawal.country = listing.country
  AND day BETWEEN withdrawal.first_day AND withdrawal.last_day
ORDER BY month, category_id, listing_id, day;

-- For listings and days with several rows in this refresh, which are adjacent, ranks every row: among the rows of one
-- seller and time, which repeat the first one, and then within its day.
CREATE OR REPLACE TEMP TABLE crowded AS
WITH beside AS (
  SELECT listing_id, day, lag(listing_id) OVER () AS listing_above, lag(day) OVER () AS day_above
  FROM merged WHERE file IS NOT NULL
),
twin AS (SELECT listing_id, day FROM beside WHERE listing_above = listing_id AND day_above = day),
keyed AS (
  SELECT merged.rowid AS row_id, merged.*, NOT is_promo(promo_flag, price, list_price) AS is_regular,
    row_number() OVER (PARTITION BY listing_id, seller, day, observed_second
      ORDER BY scraped_at DESC, price, is_regular, list_price, promo_flag, in_stock, file) AS place_of_key
  FROM merged SEMI JOIN twin USING (listing_id, day) WHERE file IS NOT NULL
)
SELECT *, row_number() OVER (PARTITION BY listing_id, day ORDER BY place_of_key > 1, observed_second DESC,
  scraped_at DESC, price, is_regular, list_price, promo_flag, in_stock, seller, file) AS place_of_day
FROM keyed;

INSERT INTO conflict
SELECT listing_id, min(file), day::TIMESTAMP + to_seconds(observed_second), count(*), list(DISTINCT price ORDER BY price)
FROM crowded GROUP BY listing_id, seller, day, observed_second HAVING min(price) <> max(price);

CREATE OR REPLACE TEMP TABLE left_out AS
WITH repeated AS (
  SELECT row_id, file, CASE WHEN place_of_key > 1 THEN 'same_key' ELSE 'same_day' END AS kind
  FROM crowded WHERE place_of_day > 1
),
before AS (
  SELECT rowid AS row_id, * EXCLUDE (file) FROM merged WHERE file IS NULL
),
-- The row of this refresh for each day that the lake has too.
newest AS (
  SELECT merged.rowid AS row_id, merged.* FROM merged SEMI JOIN before USING (listing_id, day)
  ANTI JOIN repeated ON repeated.row_id = merged.rowid
  WHERE file IS NOT NULL
),
contest AS (
  SELECT newest.row_id AS newest_id, before.row_id AS before_id, file, before.is_withdrawn,
    CASE
      WHEN before.observed_second = newest.observed_second
        AND (newest.price, newest.list_price, newest.promo_flag, newest.in_stock)
          IS NOT DISTINCT FROM (before.price, before.list_price, before.promo_flag, before.in_stock) THEN 'same_key'
      WHEN before.observed_second > newest.observed_second AND NOT before.is_withdrawn THEN 'same_day'
    END AS duplicate_of
  FROM newest JOIN before USING (listing_id, day)
)
FROM repeated
UNION ALL
SELECT newest_id, file, duplicate_of FROM contest WHERE duplicate_of IS NOT NULL
UNION ALL
SELECT before_id, NULL, CASE WHEN is_withdrawn THEN 'withdrawn' ELSE 'replaced' END FROM contest WHERE duplicate_of IS NULL
UNION ALL
SELECT row_id, NULL, 'withdrawn' FROM before ANTI JOIN contest ON before_id = row_id WHERE is_withdrawn;

INSERT INTO duplicate SELECT file, kind, count(*) FROM left_out WHERE file IS NOT NULL GROUP BY ALL;

SELECT strftime(month_day(month), '%Y-%m') AS month, (count(merged.file) - count(left_out.file))::INTEGER AS added,
  count(*) FILTER (kind = 'withdrawn')::INTEGER AS withdrawn, count(*) FILTER (kind = 'replaced')::INTEGER AS replaced
FROM merged LEFT JOIN left_out ON left_out.row_id = merged.rowid GROUP BY month ORDER BY month;
