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
