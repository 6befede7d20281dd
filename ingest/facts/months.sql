-- The months to merge, as the folders of their files: those with rows in this refresh, and those that may hold a
-- listing which stands elsewhere now.
WITH arrived AS (
  SELECT DISTINCT regexp_extract(file, 'country=\w+/month=\d+-\d+') AS key
  FROM glob(getvariable('lake')['facts'] || '/*/*/*.parquet')
),
span AS (
  SELECT DISTINCT country, date_trunc('month', first_day) AS first_month, date_trunc('month', last_day) AS last_month
  FROM previous_listing JOIN listing USING (listing_id, country)
  WHERE first_day IS NOT NULL
    AND (previous_listing.category_id, previous_listing.brand_id, previous_listing.retailer_id)
      IS DISTINCT FROM (listing.category_id, listing.brand_id, listing.retailer_id)
),
month AS (
  SELECT DISTINCT country, unnest(generate_series(first_month, last_month, INTERVAL 1 MONTH)) AS month FROM span
),
moved AS (
  SELECT 'country=' || country || '/month=' || strftime(month, '%Y-%m') AS key FROM month
)
SELECT key, arrived.key IS NOT NULL AS has_arrived, moved.key IS NOT NULL AS has_moved
FROM arrived FULL JOIN moved USING (key)
ORDER BY key;
