-- Rows made for the days between change points, but for those of a day that is known otherwise.
WITH carried AS (
  SELECT count(*) AS rows FROM read_parquet(getvariable('lake')['staged'] || '/price_observations-carried.parquet')
),
duplicates AS (
  SELECT coalesce(sum(rows), 0) AS rows FROM duplicate WHERE file = 0
)
SELECT (carried.rows - duplicates.rows)::INTEGER AS carried FROM carried, duplicates;
