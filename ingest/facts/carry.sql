-- A change point holds until the listing's next one: a row for every day between, and after the last one up to the last
-- day of the feed's files, though for no more than 400 days.
COPY (
  WITH point AS (
    SELECT *, observed_at::DATE AS day, max(observed_at::DATE) OVER () AS last_day
    FROM read_parquet(getvariable('lake')['staged'] || '/price_observations-*.parquet', union_by_name = true)
    WHERE fault IS NULL AND file IN (SELECT number FROM feed_file WHERE is_change_points)
  ),
  span AS (
    SELECT *, coalesce(lead(day) OVER (PARTITION BY country, platform, listing_id, seller_id
      ORDER BY observed_at, scraped_at), last_day + 1) AS next_day
    FROM point
  ),
  carried AS (
    SELECT *, unnest(generate_series(day + 1, least(next_day - 1, day + 400), INTERVAL 1 DAY)) AS carried_at
    FROM span
  )
  SELECT 0 AS file, platform, country, listing_id, carried_at AS observed_at, NULL::TIMESTAMP AS scraped_at, price,
    list_price, promo_flag, in_stock, seller_id, fault, remark
  FROM carried
) TO (getvariable('lake')['staged'] || '/price_observations-carried.parquet') (FORMAT parquet, COMPRESSION lz4_raw);
