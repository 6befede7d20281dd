WITH priced AS MATERIALIZED (
  SELECT * FROM listing_period WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), series AS MATERIALIZED (
  SELECT * FROM series_period('priced')
), stable AS MATERIALIZED (
  SELECT * FROM series_listing('priced', 'series')
)
SELECT point.* EXCLUDE (period), observed_min, observed_max
FROM series_point('priced', 'series', 'stable') AS point, observed_between
ORDER BY period
