-- The listing-period prices of a series after its first period whose price relative to that is plausible.
WITH cleared AS (
  -- The median of a listing is expensive; it is only needed if the listing is on clearance against its highest price.
  SELECT listing_id FROM series_placed JOIN series_listing USING (listing_id) WHERE on_clearance(last_price, highest)
  GROUP BY listing_id HAVING on_clearance(any_value(last_price), quantile_disc(price, 0.5))
)
SELECT period - DATE '1970-01-01' AS period, retailer_id, series_listing.category_id, series_listing.brand_id, place = last_place AS is_last,
       cleared.listing_id IS NOT NULL AS is_cleared, log_relative(base, price) AS log
FROM series_placed JOIN series_listing USING (listing_id) LEFT JOIN cleared USING (listing_id)
WHERE place > 1 AND plausible(base, price)
