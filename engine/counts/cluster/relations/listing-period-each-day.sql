-- The listing-period prices of days: a listing has one observation a day.
SELECT listing_id, retailer_id, category_id, brand_id, day AS period, price, 1::Int32 AS observation_count, in_stock,
       on_promotion(promo_flag, price, list_price) AS promo
FROM scope_observation
