-- Rows made for the days between change points; those of days with a row of their own fall away as duplicates.
SELECT (SELECT count(*) FROM read_parquet(getvariable('lake').staged || '/price_observations-carried.parquet'))::INTEGER
  - (SELECT coalesce(sum(rows), 0) FROM duplicate WHERE file = 0)::INTEGER AS carried;
