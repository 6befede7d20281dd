-- A country's year of listing-months: of the months merged now, and of the others as the snapshot before has them.
CREATE OR REPLACE TEMP VIEW listing_year AS
WITH merged_month AS (
  SELECT * FROM read_parquet(getvariable('partition')['merged'], hive_partitioning = false)
),
month_before AS (
  SELECT * FROM read_parquet(getvariable('partition')['before'], hive_partitioning = false)
)
FROM merged_month
UNION ALL
FROM month_before WHERE period NOT IN (SELECT DISTINCT period FROM merged_month);

SET VARIABLE rows = (SELECT count(*) FROM listing_year);

COPY (SELECT * FROM listing_year ORDER BY category_id, listing_id, period)
TO (getvariable('partition')['listing_months_to'])
(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE (row_group_size(getvariable('rows'))));
