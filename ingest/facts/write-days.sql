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
