-- The observations of the queried listings in the days [from, to).
SELECT listing_id, retailer_id, brand_id, day, price, list_price FROM queried_listing_day
WHERE day >= $from::DATE AND day < $to::DATE
