-- The observations of the queried listings in the years of the queried months. Blocks and years are folders: of others no
-- file is opened.
SELECT listing_id, retailer_id, brand_id, day, price, list_price, promo_flag, in_stock, observed_second FROM listing_day
WHERE country = $country::VARCHAR AND list_contains(listing_blocks($listing_ids::VARCHAR), block)
  AND year BETWEEN left($month_from::VARCHAR, 4) AND left($month_to::VARCHAR, 4)
  AND listing_id IN (SELECT unnest(string_split($listing_ids::VARCHAR, ','))::INTEGER)
