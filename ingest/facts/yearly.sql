-- name: stage-months
-- in: listing_month, $partition out:
-- The listing-months of the merged months of a year, until the file of the year is written.
COPY (
  SELECT category_id, listing_id, retailer_id, brand_id, month_day(month) AS period, price, observation_count,
    last_in_stock AS in_stock, is_promo(last_promo_flag, last_price, last_list_price) AS promo
  FROM listing_month WHERE month // 12 = getvariable('partition')['year']::INTEGER
) TO (getvariable('partition')['listing_months_to']) (FORMAT parquet, COMPRESSION lz4_raw);

-- name: stage-days
-- in: month_row, $partition out:
-- The observations of months by listing, until the files of their year are written: so sorted that a block is read alone.
COPY (
  SELECT listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second FROM month_row
  WHERE year(day) = getvariable('partition')['year']::INTEGER
  ORDER BY listing_id, day
) TO (getvariable('partition')['listing_days_to']) (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE 20480);

-- name: blocks
-- in: day_of_year out:
-- The blocks that the listings of staged months are in.
SELECT DISTINCT listing_id // $per_block::INTEGER AS block FROM day_of_year ORDER BY block;

-- name: write-days
-- in: day_of_year, day_before, merged_month, $partition out: listing_days.parquet
-- The observations of a block of listings in a year: those of merged months, and those of other months from the previous
-- snapshot.
COPY (
  SELECT *, getvariable('partition')['country'] AS country, getvariable('partition')['year'] AS year,
    getvariable('partition')['block'] AS block
  FROM (
    FROM day_of_year
    WHERE listing_id BETWEEN getvariable('partition')['first_listing']::INTEGER
      AND getvariable('partition')['last_listing']::INTEGER
    UNION ALL
    FROM day_before WHERE strftime(day, '%Y-%m') NOT IN (
      SELECT month FROM merged_month WHERE country = getvariable('partition')['country'])
  )
  ORDER BY listing_id, day
) TO (getvariable('partition')['listing_days_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);

SELECT sum(num_rows)::INTEGER AS rows FROM parquet_file_metadata(getvariable('partition')['listing_days_to']);

-- name: write-year
-- in: month_of_year, year_before, merged_month, $partition out: listing_months.parquet
-- A country's year of listing-months: those of merged months, and those of other months from the previous snapshot.
CREATE OR REPLACE TEMP VIEW listing_year AS
SELECT category_id, listing_id, retailer_id, brand_id, period, price, observation_count, in_stock, promo
FROM month_of_year
UNION ALL
SELECT category_id, listing_id, retailer_id, brand_id, period, price, observation_count, in_stock, promo
FROM year_before WHERE strftime(period, '%Y-%m') NOT IN (
  SELECT month FROM merged_month WHERE country = getvariable('partition')['country']);

SET VARIABLE rows = (SELECT count(*) FROM listing_year);

COPY (
  SELECT listing_year.*, getvariable('partition')['country'] AS country, getvariable('partition')['year'] AS year
  FROM listing_year ORDER BY category_id, listing_id, period
) TO (getvariable('partition')['listing_months_to'])
(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE (row_group_size(getvariable('rows'))));

SELECT getvariable('rows')::INTEGER AS rows;
