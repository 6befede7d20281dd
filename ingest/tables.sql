-- in: out: quarantine, fault_field, feed_file, cell, refused_in_place, line_shift, line_text, duplicate, conflict, latest, shelf_day, listed_month, merged_month, withdrawal, withdrawn_listing
-- The tables that reading feeds and merging fill, and empty views for what a lake may lack.

-- Why a row is refused, and the column at fault.
CREATE TABLE quarantine (file INTEGER, line BIGINT, code VARCHAR, field VARCHAR, value VARCHAR);
CREATE TEMP TABLE fault_field (fault VARCHAR, field VARCHAR);
INSERT INTO fault_field VALUES
  ('ROW_MALFORMED', NULL), ('COUNTRY_UNKNOWN', 'country'), ('PLATFORM_INVALID', 'platform'),
  ('LISTING_ID_MISSING', 'listing_id'), ('OBSERVED_AT_MISSING', 'observed_at'), ('OBSERVED_AT_INVALID', 'observed_at'),
  ('OBSERVED_IN_FUTURE', 'observed_at'), ('OBSERVED_AFTER_SCRAPED', 'observed_at'), ('PRICE_MISSING', 'price'),
  ('PRICE_NOT_A_NUMBER', 'price'), ('PRICE_NOT_POSITIVE', 'price'), ('PRICE_TOO_LARGE', 'price'),
  ('PRICE_TOO_FINE', 'price'),
  ('CURRENCY_MISSING', 'currency'), ('CURRENCY_MISMATCH', 'currency'), ('PATH_INVALID', 'path'), ('NAME_MISSING', 'name'),
  ('PARENT_MISMATCH', 'parent_path'), ('PARENT_UNKNOWN', 'parent_path'), ('POST_ID_MISSING', 'post_id'),
  ('POST_ID_INVALID', 'post_id'), ('CATEGORY_ROOT_INVALID', 'category_root'), ('COLLECTED_AT_MISSING', 'collected_at'),
  ('COLLECTED_AT_INVALID', 'collected_at'), ('COLLECTED_IN_FUTURE', 'collected_at'),
  ('POSTED_AT_INVALID', 'posted_at'), ('POSTED_AFTER_COLLECTED', 'posted_at'), ('MARKETPLACE_UNKNOWN', 'marketplace'),
  ('BROWSE_ID_INVALID', 'browse_id'), ('SOURCE_INVALID', 'source'), ('SERIES_INVALID', 'series'),
  ('PERIOD_INVALID', 'period'), ('VALUE_INVALID', 'value'), ('RELEASED_ON_MISSING', 'released_on'),
  ('RELEASED_ON_INVALID', 'released_on'), ('RELEASED_BEFORE_PERIOD', 'released_on'), ('RELEASED_IN_FUTURE', 'released_on');
CREATE TYPE fault AS ENUM (SELECT fault FROM fault_field);

CREATE TABLE feed_file (number INTEGER, name VARCHAR, header_lines INTEGER, is_change_points BOOLEAN,
  is_whole_month BOOLEAN);

-- Row counts of each file by retailer, country, month, the rule they break (`fault`) and the dropped values
-- (`dropped`).
CREATE TABLE cell (file INTEGER, platform VARCHAR, country VARCHAR, month INTEGER, fault VARCHAR, dropped VARCHAR,
  rows BIGINT);

-- Refused rows of Parquet files that are read again: excluding these is cheaper than checking every row again.
CREATE TABLE refused_in_place (file INTEGER, row BIGINT);

-- Of text files: the offset between records after the first `records` and their lines, and the text of lines that the
-- quarantine quotes.
CREATE TABLE line_shift (file INTEGER, records BIGINT, line_offset BIGINT);
CREATE TABLE line_text (file INTEGER, record BIGINT, text VARCHAR);

CREATE TABLE duplicate (file INTEGER, kind VARCHAR, rows BIGINT);
-- Rows of the same listing, seller and time with different prices, of which the lowest is kept.
CREATE TABLE conflict (listing_id INTEGER, file INTEGER, observed_at TIMESTAMP, rows BIGINT, prices INTEGER[]);
CREATE TABLE latest (listing_id INTEGER, observed_at TIMESTAMP, scraped_at TIMESTAMP, price INTEGER, list_price INTEGER,
  promo_flag BOOLEAN, in_stock BOOLEAN, first_day DATE, last_day DATE);
CREATE TABLE shelf_day (country VARCHAR, day DATE, category_id INTEGER, retailer_id INTEGER, observation_count INTEGER,
  first_second INTEGER, last_second INTEGER);
-- The rows of each retailer's merged months, and those whose list price is above the price.
CREATE TABLE listed_month (country VARCHAR, retailer_id INTEGER, period DATE, rows BIGINT, above BIGINT);
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
CREATE TEMP VIEW no_listing_day AS SELECT *, 0 AS retailer_id, 0 AS brand_id FROM no_observation;

CREATE TEMP MACRO second_of(in_time) AS (epoch_us(in_time) // 1000000 % 86400)::INTEGER;

-- A month as a number, and the first day of one.
CREATE TEMP MACRO month_number(in_day) AS (12 * year(in_day) + month(in_day) - 1)::INTEGER;
CREATE TEMP MACRO month_day(in_month) AS make_date(in_month // 12, in_month % 12 + 1, 1);

-- A promotion: flagged as one, or 5 to 70 percent below the list price.
CREATE TEMP MACRO is_promo(in_flag, in_price, in_list) AS
  coalesce(in_flag OR (in_list - in_price)::BIGINT * 100 BETWEEN in_list::BIGINT * 5 AND in_list::BIGINT * 70,
    in_flag, false);

-- Small enough to read a shelf with few other rows; large enough to keep the footer, which every query parses, short.
CREATE TEMP MACRO row_group_size(in_rows) AS greatest(20480, least(122880, in_rows // 24));
