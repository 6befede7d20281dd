-- The observations of the queried listings in the days [from, to): months are not divided by listing here.
SELECT listing_id, retailer_id, brand_id, day, price, list_price FROM scope_observation
WHERE listing_id IN arrayMap(id -> toInt32(id), splitByChar(',', {listing_ids:String}))
