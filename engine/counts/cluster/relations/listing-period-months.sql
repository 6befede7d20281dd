-- The listing-period prices of full months, from their roll-up.
SELECT listing_id, retailer_id, category_id, brand_id, period, price, observation_count, in_stock, promo FROM scope_month
