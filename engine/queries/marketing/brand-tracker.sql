WITH priced AS MATERIALIZED (
  SELECT *
  FROM listing_period($country::VARCHAR, 0, 2147483647, $retailer_id::INTEGER, $brand_id::INTEGER, $unit::VARCHAR,
    $from::DATE, $to::DATE, $month_from::VARCHAR, $month_to::VARCHAR, $whole_from::VARCHAR, $whole_to::VARCHAR)
), series AS MATERIALIZED (
  SELECT * FROM series_period('priced')
), stable AS MATERIALIZED (
  SELECT * FROM series_listing('priced', 'series')
)
SELECT point.* EXCLUDE (period), observed_min, observed_max
FROM series_point('priced', 'series', 'stable') AS point,
     observed_between($country::VARCHAR, 0, 2147483647, $retailer_id::INTEGER, $brand_id::INTEGER,
       $from::DATE, $to::DATE, $month_from::VARCHAR, $month_to::VARCHAR)
ORDER BY period
