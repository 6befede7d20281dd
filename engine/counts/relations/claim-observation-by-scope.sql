-- The observations of a scope in the days [from, to).
SELECT listing_id, retailer_id, brand_id, day, price, list_price FROM scope_observation
