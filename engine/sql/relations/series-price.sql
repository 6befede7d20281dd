-- The listing-period prices of a series with their links; periods are numbered from 1, empty ones left out.
WITH priced AS MATERIALIZED (
  SELECT * FROM listing_period WHERE $retailer_id::INTEGER IS NULL OR retailer_id = $retailer_id::INTEGER
), series AS MATERIALIZED (
  SELECT period, row_number() OVER (ORDER BY period) AS place FROM (SELECT DISTINCT period FROM priced)
), span AS (
  SELECT max(place) AS last_place FROM series
), placed AS MATERIALIZED (
  SELECT priced.*, place FROM priced JOIN series USING (period)
), listing_price AS MATERIALIZED (
  SELECT listing_id, count(*) = any_value(last_place) AS is_stable, max(price) AS highest,
         max(price) FILTER (place = 1 AND last_place > 1) AS base,
         max(price) FILTER (place = last_place AND last_place > 1) AS last_price
  FROM placed, span GROUP BY listing_id
), cleared AS (
  -- The median of a listing is expensive; it is only needed if the listing is on clearance against its highest price.
  SELECT listing_id FROM placed JOIN listing_price USING (listing_id) WHERE on_clearance(last_price, highest)
  GROUP BY listing_id HAVING on_clearance(any_value(last_price), quantile_disc(price, 0.5))
), preceding AS (
  SELECT listing_id, place + 1 AS place, price AS before FROM placed
)
SELECT period - DATE '1970-01-01' AS period, retailer_id, price, observation_count, in_stock AS is_in_stock,
       promo AS is_promoted, is_stable, place = 1 AS is_first, place = last_place AS is_last,
       cleared.listing_id IS NOT NULL AS is_cleared, before, base,
       CASE WHEN plausible(before, price) THEN log_relative(before, price) END AS log,
       CASE WHEN plausible(base, price) THEN log_relative(base, price) END AS log_from_base
FROM placed JOIN listing_price USING (listing_id) LEFT JOIN cleared USING (listing_id)
     LEFT JOIN preceding USING (listing_id, place), span
