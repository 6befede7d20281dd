-- The listing-period prices of a series with their links.
WITH preceding AS (
  SELECT listing_id, place + 1 AS place, price AS before FROM series_placed
)
SELECT period - DATE '1970-01-01' AS period, retailer_id, price, observation_count, in_stock AS is_in_stock,
       in_stock IS NOT NULL AS is_stock_known, promo AS is_promoted, is_stable, before, base,
       CASE WHEN plausible(before, price) THEN log_relative(before, price) END AS log
FROM series_placed LEFT JOIN preceding USING (listing_id, place) JOIN series_listing USING (listing_id)
