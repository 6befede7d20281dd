-- The listing-period prices of full months, from their roll-up: the discrete median of a listing's days, always a posted
-- price (Cavallo 2018: averaging and imputing create spurious small changes).
SELECT listing_id, retailer_id, category_id, brand_id, period, price, observation_count, in_stock, promo FROM scope_month
