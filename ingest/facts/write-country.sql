-- in: $partition, final_listing, final_shelf_day out: listings.parquet, shelf_days.parquet
-- Writes the tables with one file per country. Returns the rows of each file.
COPY (SELECT * EXCLUDE (country), country FROM final_listing WHERE country = getvariable('partition')['country'])
TO (getvariable('partition')['listings_to']) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880);

SET VARIABLE rows = (SELECT count(*) FROM final_shelf_day WHERE country = getvariable('partition')['country']);

COPY (SELECT * EXCLUDE (country), country FROM final_shelf_day WHERE country = getvariable('partition')['country'])
TO (getvariable('partition')['shelf_days_to'])
(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE (row_group_size(getvariable('rows'))));

SELECT (SELECT count(*) FROM final_listing WHERE country = getvariable('partition')['country'])::INTEGER AS listings,
  getvariable('rows')::INTEGER AS shelf_days;
