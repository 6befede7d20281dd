-- in: out: quarantine, fault_field, feed_file, cell, refused_in_place, refused_row, line_shift, line_text
-- Why a row is refused, and the column at fault.
CREATE TABLE quarantine (file INTEGER, line BIGINT, code VARCHAR, field VARCHAR, value VARCHAR);
CREATE TEMP TABLE fault_field (fault VARCHAR, field VARCHAR);
INSERT INTO fault_field VALUES
  ('ROW_MALFORMED', NULL),
  ('COUNTRY_UNKNOWN', 'country'),
  ('PLATFORM_INVALID', 'platform'),
  ('LISTING_ID_MISSING', 'listing_id'),
  ('OBSERVED_AT_MISSING', 'observed_at'),
  ('OBSERVED_AT_INVALID', 'observed_at'),
  ('OBSERVED_IN_FUTURE', 'observed_at'),
  ('OBSERVED_AFTER_SCRAPED', 'observed_at'),
  ('PRICE_MISSING', 'price'),
  ('PRICE_NOT_A_NUMBER', 'price'),
  ('PRICE_NOT_POSITIVE', 'price'),
  ('PRICE_TOO_LARGE', 'price'),
  ('CURRENCY_MISMATCH', 'currency'),
  ('PATH_INVALID', 'path'),
  ('NAME_MISSING', 'name'),
  ('PARENT_MISMATCH', 'parent_path'),
  ('PARENT_UNKNOWN', 'parent_path'),
  ('POST_ID_MISSING', 'post_id'),
  ('POST_ID_INVALID', 'post_id'),
  ('CATEGORY_ROOT_INVALID', 'category_root'),
  ('COLLECTED_AT_MISSING', 'collected_at'),
  ('COLLECTED_AT_INVALID', 'collected_at'),
  ('COLLECTED_IN_FUTURE', 'collected_at'),
  ('POSTED_AT_INVALID', 'posted_at'),
  ('POSTED_AFTER_COLLECTED', 'posted_at'),
  ('MARKETPLACE_UNKNOWN', 'marketplace'),
  ('BROWSE_ID_INVALID', 'browse_id');
CREATE TYPE fault AS ENUM (SELECT fault FROM fault_field);

CREATE TABLE feed_file (number INTEGER, name VARCHAR, header_lines INTEGER, is_change_points BOOLEAN,
  is_whole_month BOOLEAN);

-- Row counts of each file by retailer, country, month, the rule they break (`fault`) and the dropped values
-- (`dropped`).
CREATE TABLE cell (file INTEGER, platform VARCHAR, country VARCHAR, month INTEGER, fault VARCHAR, dropped VARCHAR,
  rows BIGINT);

-- Refused rows of Parquet files that are read again: excluding these is cheaper than checking every row again.
CREATE TABLE refused_in_place (file INTEGER, row BIGINT);

-- For the text file being read: invalid rows by their record number; the offset between records after the first
-- `records` and their lines; and the text of lines that the quarantine quotes.
CREATE TEMP TABLE refused_row (record BIGINT, fault VARCHAR, remark VARCHAR);
CREATE TABLE line_shift (records BIGINT, line_offset BIGINT);
CREATE TABLE line_text (record BIGINT, text VARCHAR);
