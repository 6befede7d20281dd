-- in: out: duplicate, conflict, latest, shelf_day, merged_month, withdrawal, withdrawn_listing
-- The tables that merging fills over all months, and empty views for what a lake may lack.
CREATE TEMP MACRO second_of(in_time) AS (epoch_us(in_time) // 1000000 % 86400)::INTEGER;

-- A promotion: flagged as one, or 5 to 70 percent below the list price.
CREATE TEMP MACRO is_promo(in_flag, in_price, in_list) AS
  coalesce(in_flag OR (in_list - in_price)::BIGINT * 100 BETWEEN in_list::BIGINT * 5 AND in_list::BIGINT * 70,
    in_flag, false);

-- Small enough to read a shelf with few other rows; large enough to keep the footer, which every query parses, short.
CREATE TEMP MACRO row_group_size(in_rows) AS greatest(20480, least(122880, in_rows // 24));

CREATE TABLE duplicate (file INTEGER, kind VARCHAR, rows BIGINT);
-- Rows of the same listing, seller and time with different prices, of which the lowest is kept.
CREATE TABLE conflict (listing_id INTEGER, file INTEGER, observed_at TIMESTAMP, rows BIGINT, prices INTEGER[]);
CREATE TABLE latest (listing_id INTEGER, observed_at TIMESTAMP, scraped_at TIMESTAMP, price INTEGER, list_price INTEGER,
  promo_flag BOOLEAN, in_stock BOOLEAN, first_day DATE, last_day DATE);
CREATE TABLE shelf_day (country VARCHAR, day DATE, category_id INTEGER, retailer_id INTEGER, observation_count INTEGER,
  first_second INTEGER, last_second INTEGER);
CREATE TABLE merged_month (country VARCHAR, month VARCHAR);

-- Rows to remove from the lake: all of a retailer's in a country in a range of days, except those that a delivery of
-- the whole month repeats. Listings without other rows are removed too; the first and last days of others are found
-- again.
CREATE TABLE withdrawal (platform VARCHAR, country VARCHAR, first_day DATE, last_day DATE);
CREATE TABLE withdrawn_listing (listing_id INTEGER, country VARCHAR, first_day DATE, last_day DATE, is_gone BOOLEAN);

CREATE TEMP VIEW no_observation AS
SELECT 0 AS listing_id, DATE '2000-01-01' AS day, 0 AS price, 0 AS list_price, false AS promo_flag, false AS in_stock,
  0 AS observed_second
WHERE false;
CREATE TEMP VIEW no_listing_month AS
SELECT 0 AS category_id, 0 AS listing_id, 0 AS retailer_id, 0 AS brand_id, DATE '2000-01-01' AS period, 0 AS price,
  0 AS observation_count, false AS in_stock, false AS promo
WHERE false;
