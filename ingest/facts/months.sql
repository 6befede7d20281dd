-- in: cell, previous_listing, listing, withdrawn_listing out:
-- The months to merge: those with rows in this refresh, and those that may contain a listing whose category, brand or
-- retailer changed, or whose first or last day must be found again.
WITH arrived AS (
  SELECT country, make_date(month // 100, month % 100, 1) AS month, list(DISTINCT file ORDER BY file) AS files,
    sum(rows) AS rows
  FROM cell
  WHERE fault IS NULL AND country IS NOT NULL
  GROUP BY ALL
),
span AS (
  SELECT DISTINCT country, date_trunc('month', first_day) AS first_month, date_trunc('month', last_day) AS last_month
  FROM previous_listing JOIN listing USING (listing_id, country)
  WHERE first_day IS NOT NULL
    AND (previous_listing.category_id, previous_listing.brand_id, previous_listing.retailer_id)
      IS DISTINCT FROM (listing.category_id, listing.brand_id, listing.retailer_id)
  UNION
  SELECT country, date_trunc('month', first_day), date_trunc('month', last_day) FROM withdrawn_listing
),
moved AS (
  SELECT DISTINCT country, unnest(generate_series(first_month, last_month, INTERVAL 1 MONTH))::DATE AS month FROM span
)
SELECT country, strftime(month, '%Y-%m') AS month, coalesce(files, []) AS files,
  coalesce(rows, 0)::DOUBLE AS rows, moved.month IS NOT NULL AS has_moved
FROM arrived FULL JOIN moved USING (country, month)
ORDER BY country, month;
