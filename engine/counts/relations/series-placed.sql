-- The listing-period prices of a series, its non-empty periods numbered from 1 to last_place.
WITH priced AS MATERIALIZED (
  SELECT * FROM listing_period WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), series AS MATERIALIZED (
  SELECT period, row_number() OVER (ORDER BY period) AS place FROM (SELECT DISTINCT period FROM priced)
), span AS (
  SELECT max(place) AS last_place FROM series
)
SELECT priced.*, place, last_place FROM priced JOIN series USING (period), span
