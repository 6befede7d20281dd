-- The months to merge: those with rows in this refresh, and those that hold a listing which stands elsewhere now.
WITH moved AS (
  SELECT country, date_trunc('month', first_day) AS first_month, date_trunc('month', last_day) AS last_month
  FROM previous_listing JOIN listing USING (listing_id, country)
  WHERE first_day IS NOT NULL
    AND (previous_listing.category_id, previous_listing.brand_id, previous_listing.retailer_id)
      IS DISTINCT FROM (listing.category_id, listing.brand_id, listing.retailer_id)
),
span AS (
  SELECT DISTINCT country, first_month, last_month FROM moved
)
SELECT DISTINCT country, strftime(unnest(generate_series(first_month, last_month, INTERVAL 1 MONTH)), '%Y-%m') AS month
FROM span;
